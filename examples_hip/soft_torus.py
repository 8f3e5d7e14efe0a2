# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds soft_torus.json as nodes and saves soft_torus.hip: hython soft_torus.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
