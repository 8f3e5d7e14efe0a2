# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds bodies_in_sand.json as nodes and saves bodies_in_sand.hip: hython bodies_in_sand.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
