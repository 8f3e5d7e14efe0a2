# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds ragdolls.json as nodes and saves ragdolls.hip: hython ragdolls.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
