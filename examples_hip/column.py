# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds column.json as nodes and saves column.hip: hython column.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
