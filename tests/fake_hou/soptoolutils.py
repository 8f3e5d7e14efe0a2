# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Houdini's tool helper, as far as ours use it: the node is made in the network of the pane, behind the selected one."""


def genericTool(scriptargs, nodetypename, nodename=None):
    network = scriptargs["pane"].pwd()
    node = network.createNode(nodetypename, nodename)
    if scriptargs.get("selected"):
        node.setInput(0, scriptargs["selected"])
    return node
