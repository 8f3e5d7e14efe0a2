# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds bowls.json as nodes and saves bowls.hip: hython bowls.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
