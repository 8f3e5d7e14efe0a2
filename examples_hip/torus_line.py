# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds torus_line.json as nodes and saves torus_line.hip: hython torus_line.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
