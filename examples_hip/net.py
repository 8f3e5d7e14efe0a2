# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds net.json as nodes and saves net.hip: hython net.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
