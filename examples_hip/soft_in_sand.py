# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds soft_in_sand.json as nodes and saves soft_in_sand.hip: hython soft_in_sand.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
