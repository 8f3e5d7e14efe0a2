// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Geometry parameters of an archive as attributes (alembic.md 4.2): any number type, indexed or not.
#pragma once
#include <cstddef>

#include "cache/abc_archive.h"
#include "scene/geometry.h"

namespace repose {

struct ElementCounts {
  std::size_t points = 0, faces = 0, corners = 0;
};

// Sample `sample` of a number property as floats or as 32-bit integers (clamped).
Status readFloats(const AbcArchive& archive, const AbcProperty& property, std::uint32_t sample,
                  std::vector<float>& out);
Status readIntegers(const AbcArchive& archive, const AbcProperty& property, std::uint32_t sample,
                    std::vector<std::int32_t>& out);

// The parameter as an attribute. `fits` is false for one that does not match the numbers of elements or has
// a type without a meaning for us: such a one is left out and disturbs nothing.
Status readParameter(const AbcArchive& archive, const AbcProperty& parameter, std::uint32_t sample,
                     const ElementCounts& counts, Attribute& out, bool& fits);

}  // namespace repose
