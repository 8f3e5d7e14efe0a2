# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# cmake -DFROM=FILE.cl -DINCLUDE=FOLDER -DTO=FILE.cpp -P EmbedKernels.cmake: the text of FROM with its includes in place, as
# the constant kOpenClText. Comments are left out: a word changed in one is no reason to compile kernels again.
cmake_minimum_required(VERSION 3.25)

function(flatten path result)
  file(READ ${path} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include ${includes})
    string(REGEX REPLACE ".*\"(.*)\"" "\\1" file "${include}")
    flatten(${INCLUDE}/${file} inner)
    string(REPLACE "${include}" "${inner}" text "${text}")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

flatten(${FROM} text)
string(REGEX REPLACE "\n[ \n]*\n" "\n" text "${text}")
file(WRITE ${TO} "#include \"backend/opencl_program.h\"\n\nnamespace repose {\n\n"
                 "const char* const kOpenClText = R\"RE(${text})RE\";\n\n}  // namespace repose\n")
