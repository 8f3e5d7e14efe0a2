# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds funnel.json as nodes and saves funnel.hip: hython funnel.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
