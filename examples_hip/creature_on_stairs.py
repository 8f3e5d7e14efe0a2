# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds creature_on_stairs.json as nodes and saves creature_on_stairs.hip: hython creature_on_stairs.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
