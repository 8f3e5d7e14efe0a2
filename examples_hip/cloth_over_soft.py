# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds cloth_over_soft.json as nodes and saves cloth_over_soft.hip: hython cloth_over_soft.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
