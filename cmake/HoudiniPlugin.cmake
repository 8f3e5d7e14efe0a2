# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# One library of SOPs and the ROP, one of DOPs, installed under the version of Houdini that they are made for.
set(HDK_TARGET Houdini)
sop_glue(repose_sops SHARED)
dop_glue(repose_dops SHARED)
target_sources(repose_dops PRIVATE houdini_sop/host_control.cpp houdini_sop/detail_reader.cpp houdini_sop/read_detail.cpp houdini_sop/write_detail.cpp houdini_sop/table_parms.cpp
                                   ${PROJECT_BINARY_DIR}/houdini_sop/dialogs.cpp)

# the first thing to compile on a new HDK: its errors name the assumptions that are wrong
add_library(hdk_contract OBJECT tests/houdini/hdk_contract.cpp)
target_link_libraries(hdk_contract PRIVATE Houdini)

# the tree that packages/repose.json names
set(houdini_tree packages/repose/${Houdini_VERSION_MAJOR}.${Houdini_VERSION_MINOR})
foreach(plugin repose_sops repose_dops)
  houdini_configure_target(${plugin} INSTDIR ${PROJECT_BINARY_DIR}/${houdini_tree}/dso)
  install(TARGETS ${plugin} LIBRARY DESTINATION ${houdini_tree}/dso)
endforeach()
install(TARGETS repose RUNTIME DESTINATION packages/repose/bin)
install(DIRECTORY otls/package DESTINATION packages/repose)
install(FILES otls/presets.json DESTINATION packages/repose/package)
install(FILES packages/repose.json DESTINATION packages)
