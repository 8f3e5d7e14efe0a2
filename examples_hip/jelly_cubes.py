# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds jelly_cubes.json as nodes and saves jelly_cubes.hip: hython jelly_cubes.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
