# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds flag.json as nodes and saves flag.hip: hython flag.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
