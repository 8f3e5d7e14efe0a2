# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds bridge.json as nodes and saves bridge.hip: hython bridge.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
