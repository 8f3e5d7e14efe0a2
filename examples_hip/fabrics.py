# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds fabrics.json as nodes and saves fabrics.hip: hython fabrics.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
