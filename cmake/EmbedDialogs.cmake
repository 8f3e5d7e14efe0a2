# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# embed_dialogs(FILE): a source with the text of every dialog script in otls/dialogs.
function(embed_dialogs file)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/otls/dialogs/*.ds)
  set(rows "")
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    string(REPLACE "--" "::" type ${name})
    file(READ ${script} text)
    string(APPEND rows "    {\"${type}\", R\"DIALOG(${text})DIALOG\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  endforeach()
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT "#include \"houdini_sop/dialogs.h\"
const char* repose::houdini::dialogScript(const std::string& type) {
  static const struct { const char *type, *script; } kDialogs[] = {\n@rows@  };
  for (const auto& dialog : kDialogs)
    if (type == dialog.type) return dialog.script;
  return nullptr;
}
")
endfunction()
