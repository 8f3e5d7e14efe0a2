# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds moving_mesh.json as nodes and saves moving_mesh.hip: hython moving_mesh.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
