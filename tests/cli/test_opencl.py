# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""OpenCL on the command line: the same result, and what is said when there is no device."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import BIN, FLAG, TIMEOUT, repose, simulate

# where pip puts it: intel-opencl-rt and intel-cmplr-lib-rt, which are not among the requirements
INTEL = Path(os.environ.get("REPOSE_INTEL_OPENCL", Path(sys.prefix) / "lib")) / "libintelocl.so"


def hashes(log):
    return [json.loads(line)["hash"] for line in log.read_text().splitlines() if '"hash"' in line]


def run_flag(folder, name, *args, env=None):
    """Four frames of the flag: the hashes of its frames, and what the program said."""
    log = folder / f"{name}.log"
    result = simulate(FLAG, folder / f"{name}.abc", "--frames", "1001-1004", "--log-json", log, *args,
                      env={**os.environ, **(env or {})})
    return hashes(log), result


def test_same_hashes_and_the_device_is_named(tmp_path, compiled_kernels):
    on_tbb, _ = run_flag(tmp_path, "tbb")
    on_opencl, result = run_flag(tmp_path, "opencl", "--backend", "opencl", "--threads", "2")
    assert len(on_tbb) == 4 and on_opencl == on_tbb
    assert "kernels ran on OpenCL, " in result.stdout
    assert result.stderr == ""


def test_devices_lists_what_can_be_used():
    devices = json.loads(repose("devices", "--json").stdout)
    assert devices["threads"] >= 1 and "SSE2" in devices["instructions"]
    assert any(device["usable"] and device["exact"] for device in devices["opencl"]), devices
    text = repose("devices").stdout
    assert "OpenCL device 0: " in text and "divide and square root: exact" in text


@pytest.mark.parametrize("icd", [None, "libthere_is_no_such_driver.so", "libm.so.6", "not a name \0 at all"])
def test_without_a_good_driver_it_runs_on_tbb(tmp_path, icd):
    vendors = tmp_path / "vendors"
    vendors.mkdir()
    if icd:
        (vendors / "broken.icd").write_text(icd)
    env = {"OCL_ICD_VENDORS": str(vendors)}
    on_tbb, _ = run_flag(tmp_path, "tbb")
    on_opencl, result = run_flag(tmp_path, "opencl", "--backend", "opencl", env=env)
    assert on_opencl == on_tbb
    assert result.stderr.startswith("repose: no OpenCL driver is installed;") and len(result.stderr.splitlines()) == 1
    assert "kernels run on TBB instead, with the same result" in result.stderr
    listed = repose("devices", env={**os.environ, **env})
    assert listed.returncode == 0 and "OpenCL: no OpenCL driver is installed" in listed.stdout


@pytest.mark.parametrize("args, said", [
    (["--backend", "opencl", "--device", "nonesuch"], 'there is no OpenCL device "nonesuch"; there is 0 "'),
    (["--backend", "opencl", "--device", "99"], 'there is no OpenCL device "99"'),
    (["--device", "0"], "needs --backend opencl"),
    (["--backend", "cuda"], "--backend"),
])
def test_wrong_use_is_refused(tmp_path, args, said):
    result = repose("sim", FLAG, "--out", tmp_path / "a.abc", *args)
    assert result.returncode == 2 and said in result.stderr
    assert not list(tmp_path.iterdir())


def test_kernels_are_compiled_beside_runs_damaged_and_not_kept(tmp_path):
    on_tbb, _ = run_flag(tmp_path, "tbb")
    kernels = tmp_path / "kernels"
    opencl = lambda: run_flag(tmp_path, "opencl", "--backend", "opencl", env={"REPOSE_CACHE": str(kernels)})
    # each of these short runs leaves some more kernels behind
    for kept in range(100):
        beside, result = opencl()
        assert beside == on_tbb
        files = sorted(kernels.iterdir())
        assert all(file.suffix == ".kernel" for file in files)
        if not result.stderr:
            break
        assert result.stderr.startswith('repose: kernels are being compiled for "')
        assert len(result.stderr.splitlines()) == 1 and len(files) > kept
    assert kept > 0 and not result.stderr
    for file in files:
        file.write_bytes(file.read_bytes()[:-100] + bytes(100))
    again, result = opencl()
    assert again == on_tbb and result.stderr == ""
    assert sorted(kernels.iterdir()) == files

    for file in files:
        file.unlink()
    kernels.rmdir()
    kernels.write_text("in the way")
    again, result = opencl()
    assert again == on_tbb
    assert "compiled kernels cannot be kept" in result.stderr and len(result.stderr.splitlines()) == 1


def test_a_device_is_checked_kernel_by_kernel(compiled_kernels):
    checked = repose("devices", "--check")
    assert checked.returncode == 0, checked.stdout
    assert re.fullmatch(r"OpenCL, .*: (\d+) of \1 kernels have the bits of the host\n", checked.stdout)
    missing = repose("devices", "--check", "--device", "no such card")
    assert missing.returncode == 2 and 'there is no OpenCL device "no such card"' in missing.stderr


def test_kernels_are_compiled_ahead(tmp_path):
    environment = {**os.environ, "REPOSE_CACHE": str(tmp_path / "kernels")}
    made = repose("devices", "--compile", "predict", "motion", env=environment)
    assert made.returncode == 0 and made.stderr == ""
    assert sorted(file.name.split("-")[0] for file in (tmp_path / "kernels").iterdir()) == ["motion", "predict"]
    wrong = repose("devices", "--compile", "predic", env=environment)
    assert wrong.returncode == 2 and 'there is no kernel "predic"' in wrong.stderr
    (tmp_path / "file").write_text("in the way")
    unkept = repose("devices", "--compile", "motion", env={**environment, "REPOSE_CACHE": str(tmp_path / "file")})
    assert unkept.returncode == 4 and "compiled kernels cannot be kept" in unkept.stderr


@pytest.fixture
def on_intel(tmp_path):
    """The environment in which Intel's driver is the only one."""
    vendors = tmp_path / "vendors"
    vendors.mkdir()
    (vendors / "intel.icd").write_text(f"{INTEL}\n")
    return {"OCL_ICD_VENDORS": str(vendors), "LD_LIBRARY_PATH": str(INTEL.parent)}


@pytest.mark.skipif(not INTEL.exists(), reason="intel-opencl-rt is not installed")
def test_intels_driver_has_the_same_bits(tmp_path, on_intel):
    devices = json.loads(repose("devices", "--json", env={**os.environ, **on_intel}).stdout)["opencl"]
    assert [device["platform"] for device in devices] == ["Intel(R) OpenCL"] and devices[0]["usable"], devices
    kernels = subprocess.run([BIN / "opencl_kernel_test", "--gtest_brief=1"], env={**os.environ, **on_intel},
                             capture_output=True, text=True, timeout=TIMEOUT)
    assert kernels.returncode == 0, kernels.stdout
    on_tbb, _ = run_flag(tmp_path, "tbb")
    on_opencl, result = run_flag(tmp_path, "opencl", "--backend", "opencl", env=on_intel)
    assert on_opencl == on_tbb and result.stderr == ""
