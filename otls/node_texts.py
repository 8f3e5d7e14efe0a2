# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Dialog scripts and help pages from rows of the table. Both have all parameters and nothing else, so that what an artist reads is
what the node does."""

CONTEXTS = {"sop": "sop", "dop": "dop", "rop": "out"}  # as Houdini's help calls them
DIALOG_TYPES = {"toggle": "toggle", "integer": "integer", "real": "float", "vec3": "vector", "choice": "ordinal", "text": "string",
                "file": "file", "node": "oppath", "button": "button"}


def number(value):
    return f"{value:.9g}"


# ---- dialog scripts ----


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def dialog_parm(row, indent):
    lines = [("name", quoted(row.name)), ("label", quoted(row.label)), ("type", DIALOG_TYPES[row.type])]
    if row.hidden:
        lines.append(("invisible", ""))
    if row.type == "vec3":
        lines.append(("size", "3"))
    lines.append(("default", "{ " + " ".join(map(quoted, row.default)) + " }"))
    if row.range:
        lines.append(("range", "{ %s! %s! }" % tuple(map(number, row.range))))
    if row.choices:
        items = " ".join(f"{quoted(c)} {quoted(c.replace('_', ' '))}" for c in row.choices)
        lines.append(("menu", "{ " + items + " }"))
    if row.type == "node":
        lines.append(("parmtag", '{ "opfilter" "!!SOP!!" }'))
    lines.append(("help", quoted(row.help + (f" [{row.unit}]" if row.unit else ""))))
    inner = "".join(f"{indent}    {key:<9}{value}".rstrip() + "\n" for key, value in lines)
    return f"{indent}parm {{\n{inner}{indent}}}\n"


def dialog_script(node):
    text = "{\n" + f"    name     {quoted(node.type)}\n    label    {quoted(node.label)}\n"
    for number_, slot in enumerate(node.inputs, 1):
        text += f"    inputlabel {number_} {quoted(slot.label)}\n"
    for row in node.own:
        text += dialog_parm(row, "    ")
    for folder in node.folders:
        text += f"    group {{\n        name     {quoted(folder.name)}\n        label    {quoted(folder.label)}\n"
        text += '        grouptag { "group_type" "simple" }\n'
        for row in folder.rows:
            text += dialog_parm(row, "        ")
        text += "    }\n"
    return text + "}\n"


# ---- help pages, in the markup of Houdini's wiki ----


def remarks(row):
    """What the table knows beside the help: the unit, what it takes, whether it moves."""
    words = []
    if row.choices:
        words.append("Takes " + ", ".join(f"`{c}`" for c in row.choices) + ".")
    elif row.range and abs(row.range[0]) < 1e9:
        words.append(f"Takes {number(row.range[0])} to {number(row.range[1])}{' ' + row.unit if row.unit else ''}.")
    if row.keys:
        words.append("Can be keyed.")
    if row.per_point:
        words.append(f"A point attribute `{row.name}` multiplies it point by point.")
    return " ".join(words)


def help_parameter(row):
    text = f"{row.label}:\n    #id: {row.name}\n\n    {row.help}\n"
    return text + (f"\n    {remarks(row)}\n" if remarks(row) else "") + "\n"


def help_slots(title, slots):
    body = "".join(f"{s.label}:\n    {s.help or s.label + '.'}{'' if s.required else ' Can be left open.'}\n\n" for s in slots)
    return f"@{title}\n\n{body}" if slots else ""


def help_page(node, others):
    space, _, name = node.type.rpartition("::")
    context = CONTEXTS[node.context]
    head = [("type", "node"), ("context", context), *([("namespace", space)] if space else []), ("internal", name),
            ("icon", f"{node.context.upper()}/{node.type.replace('::', '_')}"), ("tags", "repose, simulation")]
    text = f"= {node.label} =\n\n" + "".join(f"#{key}: {value}\n" for key, value in head)
    text += f'\n"""{node.help}"""\n\n' + help_slots("inputs", node.inputs) + help_slots("outputs", node.outputs)
    text += "@parameters\n\n" + "".join(help_parameter(row) for row in node.own if not row.hidden)
    for folder in node.folders:
        text += f"== {folder.label} ==\n\n" + "".join(map(help_parameter, folder.rows))
    links = [f"- [Node:{CONTEXTS[o.context]}/{o.file_name()}]\n" for o in others if o is not node]
    return text + "@related\n\n" + "".join(links)
