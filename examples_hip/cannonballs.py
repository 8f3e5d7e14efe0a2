# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds cannonballs.json as nodes and saves cannonballs.hip: hython cannonballs.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
