# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""The installed CMake package builds a program outside the tree."""
import subprocess

from support import BIN, FLAG

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(consumer CXX)
find_package(repose REQUIRED)
add_executable(consumer main.cpp)
target_link_libraries(consumer repose::repose)
"""
MAIN = """#include <cstdio>
#include "run/run.h"
int main(int, char** argv) {
  const repose::SceneLoad load = repose::loadScene(argv[1], {});
  if (!load.ok()) return 1;
  const auto simulation = repose::Simulation::create(load.scene, 1);
  std::printf("%d bodies", simulation ? (*simulation)->bodyCount() : -1);
}
"""


def test_the_installed_package_builds_a_program(tmp_path):
    def run(*args):
        return subprocess.run(list(map(str, args)), check=True, capture_output=True, text=True, cwd=tmp_path).stdout

    run("cmake", "--install", BIN.parent, "--prefix", tmp_path / "installed")
    assert run(tmp_path / "installed" / "bin" / "repose", "--version").startswith("repose ")
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "main.cpp").write_text(MAIN)
    run("cmake", "-S", ".", "-B", "made", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={tmp_path}/installed")
    run("cmake", "--build", "made")
    assert run("made/consumer", FLAG) == "1 bodies"
