# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds boxes_on_cloth.json as nodes and saves boxes_on_cloth.hip: hython boxes_on_cloth.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
