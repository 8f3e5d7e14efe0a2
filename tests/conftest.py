# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
import pytest

from support import BIN


def pytest_sessionstart(session):
    if not (BIN / "repose").exists():
        pytest.exit(f"there is no program in {BIN}; build it with ./dev build or name its folder with REPOSE_BIN", 2)
