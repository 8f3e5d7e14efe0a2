# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds sand_on_cloth.json as nodes and saves sand_on_cloth.hip: hython sand_on_cloth.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
