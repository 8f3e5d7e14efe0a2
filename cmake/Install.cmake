# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# The core as the CMake package `repose`: find_package(repose) and link repose::repose. Every library made so far
# belongs to it, each also alone as repose::base, repose::solve and so on.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/repose)
get_property(core_libraries GLOBAL PROPERTY REPOSE_LIBRARIES)

add_library(repose_core INTERFACE)
target_link_libraries(repose_core INTERFACE ${core_libraries})
set_target_properties(repose_core PROPERTIES EXPORT_NAME repose)
foreach(library ${core_libraries})
  string(REPLACE repose_ "" short_name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${short_name})
endforeach()

install(TARGETS repose_core ${core_libraries} EXPORT repose ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT repose NAMESPACE repose:: FILE reposeTargets.cmake DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/solver_core/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/repose
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/reposeConfig.cmake.in
                              ${CMAKE_BINARY_DIR}/reposeConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/reposeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/FindOpenVDB.cmake ${CMAKE_BINARY_DIR}/reposeConfig.cmake
              ${CMAKE_BINARY_DIR}/reposeConfigVersion.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
