# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# The target OpenVDB::openvdb. The module that comes with OpenVDB 10 also wants libraries of Boost that nothing here
# needs.
if(NOT TARGET OpenVDB::openvdb)
  find_package(TBB REQUIRED)
  find_path(OPENVDB_INCLUDE_DIR openvdb/openvdb.h REQUIRED)
  find_library(OPENVDB_LIBRARY openvdb REQUIRED)
  find_library(IMATH_LIBRARY NAMES Imath Imath-3_1 REQUIRED)
  add_library(OpenVDB::openvdb UNKNOWN IMPORTED)
  set_target_properties(OpenVDB::openvdb PROPERTIES IMPORTED_LOCATION ${OPENVDB_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${OPENVDB_INCLUDE_DIR}
                        INTERFACE_LINK_LIBRARIES "TBB::tbb;${IMATH_LIBRARY}")
endif()
