# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds boxes.json as nodes and saves boxes.hip: hython boxes.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
