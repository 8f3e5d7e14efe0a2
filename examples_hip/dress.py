# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds dress.json as nodes and saves dress.hip: hython dress.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
