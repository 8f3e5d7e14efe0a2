# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds castle.json as nodes and saves castle.hip: hython castle.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
