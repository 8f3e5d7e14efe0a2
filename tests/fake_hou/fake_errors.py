# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The exceptions of hou; hou.Error is the mother of all of them."""


class Error(Exception):
    def instanceMessage(self):
        return str(self)


class OperationFailed(Error):
    pass


class InvalidInput(Error):
    pass


class LoadWarning(Error):
    pass


class PermissionError(Error):  # noqa: A001 (the name is Houdini's)
    pass


class ObjectWasDeleted(Error):
    pass
