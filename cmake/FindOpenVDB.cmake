# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# OpenVDB::openvdb, wherever the system has it; its headers use oneTBB and, for half floats, Imath.
find_package(TBB REQUIRED)
find_package(Imath CONFIG QUIET)
find_path(OpenVDB_INCLUDE_DIR openvdb/openvdb.h)
find_library(OpenVDB_LIBRARY openvdb)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenVDB REQUIRED_VARS OpenVDB_LIBRARY OpenVDB_INCLUDE_DIR)
if(OpenVDB_FOUND AND NOT TARGET OpenVDB::openvdb)
  add_library(OpenVDB::openvdb UNKNOWN IMPORTED)
  set_target_properties(OpenVDB::openvdb PROPERTIES IMPORTED_LOCATION ${OpenVDB_LIBRARY})
  target_include_directories(OpenVDB::openvdb SYSTEM INTERFACE ${OpenVDB_INCLUDE_DIR})
  target_link_libraries(OpenVDB::openvdb INTERFACE TBB::tbb $<TARGET_NAME_IF_EXISTS:Imath::Imath>)
endif()
mark_as_advanced(OpenVDB_INCLUDE_DIR OpenVDB_LIBRARY)
