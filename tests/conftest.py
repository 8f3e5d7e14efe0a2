# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
import pytest

from support import BIN, repose


def pytest_sessionstart(session):
    if not (BIN / "repose").exists():
        pytest.exit(f"there is no program in {BIN}; build it with ./dev build or name its folder with REPOSE_BIN", 2)


@pytest.fixture(scope="session")
def compiled_kernels():
    """All kernels are kept, so that a run on OpenCL is on the device from its first launch."""
    result = repose("devices", "--compile")
    assert result.returncode == 0, result.stderr
