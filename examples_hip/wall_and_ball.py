# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds wall_and_ball.json as nodes and saves wall_and_ball.hip: hython wall_and_ball.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
