# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds hung.json as nodes and saves hung.hip: hython hung.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
