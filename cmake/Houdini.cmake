# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# The plugin: the core in Houdini's own terms, before anything else is looked for. HFS names the installation.
if(NOT DEFINED ENV{HFS})
  message(FATAL_ERROR "the preset houdini needs HFS: cd /opt/hfsX.Y.Z && source houdini_setup, then run cmake again")
endif()
list(APPEND CMAKE_PREFIX_PATH "$ENV{HFS}/toolkit/cmake")
find_package(Houdini REQUIRED)

# one ABI of the standard library on both sides
get_target_property(houdini_options Houdini INTERFACE_COMPILE_OPTIONS)
get_target_property(houdini_definitions Houdini INTERFACE_COMPILE_DEFINITIONS)
foreach(option ${houdini_options} ${houdini_definitions})
  if(option MATCHES "(_GLIBCXX_USE_CXX11_ABI=[01])")
    add_compile_definitions(${CMAKE_MATCH_1})
  endif()
endforeach()

# Houdini's TBB and OpenVDB, for a process has one of each
function(houdini_library target names)
  if(TARGET ${target})
    return()
  endif()
  string(MAKE_C_IDENTIFIER ${target} variable)
  find_library(${variable} NAMES ${names} PATHS "$ENV{HFS}/dsolib" NO_DEFAULT_PATH REQUIRED)
  add_library(${target} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${variable}}
                        INTERFACE_INCLUDE_DIRECTORIES "$ENV{HFS}/toolkit/include")
endfunction()
houdini_library(TBB::tbb "tbb;libtbb.so.12;libtbb.so.2")
houdini_library(OpenVDB::openvdb "openvdb_sesi")

# nothing of the core is seen from outside the plugin
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
add_link_options(-Wl,--exclude-libs,ALL)
