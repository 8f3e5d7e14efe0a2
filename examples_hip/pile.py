# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds pile.json as nodes and saves pile.hip: hython pile.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
