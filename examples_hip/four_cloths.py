# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds four_cloths.json as nodes and saves four_cloths.hip: hython four_cloths.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
