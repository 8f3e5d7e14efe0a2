# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds sheet.json as nodes and saves sheet.hip: hython sheet.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
