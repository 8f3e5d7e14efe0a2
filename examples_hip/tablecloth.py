# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds tablecloth.json as nodes and saves tablecloth.hip: hython tablecloth.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
