# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds hourglass.json as nodes and saves hourglass.hip: hython hourglass.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
