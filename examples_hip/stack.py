# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds stack.json as nodes and saves stack.hip: hython stack.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
