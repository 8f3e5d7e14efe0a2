# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Builds card_house.json as nodes and saves card_house.hip: hython card_house.py [FILE.hip]"""
from scene_nodes import main

main(__file__)
