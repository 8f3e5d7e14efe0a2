// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_params.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace repose {
namespace {

// A 16-bit float, as its bits.
struct Half {
  std::uint16_t bits;
  operator float() const {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    float magnitude;
    if (exponent == 31) {
      magnitude = mantissa ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
    } else if (exponent == 0) {
      magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    } else {
      magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    }
    return bits & 0x8000 ? -magnitude : magnitude;
  }
};

template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, float>) {
    return static_cast<float>(value);
  } else {
    constexpr auto kLowest = std::numeric_limits<std::int32_t>::min();
    constexpr auto kHighest = std::numeric_limits<std::int32_t>::max();
    const auto number = static_cast<long double>(value);
    if (!(number > kLowest)) return kLowest;
    return number < kHighest ? static_cast<std::int32_t>(number) : kHighest;
  }
}

template <class From, class To>
void convertAll(const std::vector<char>& bytes, std::vector<To>& out) {
  out.resize(bytes.size() / sizeof(From));
  for (std::size_t k = 0; k < out.size(); ++k) {
    From value;
    std::memcpy(&value, bytes.data() + k * sizeof(From), sizeof value);
    out[k] = convert<To>(value);
  }
}

template <class To>
Status readNumbers(const AbcArchive& archive, const AbcProperty& property, std::uint32_t sample,
                   std::vector<To>& out) {
  AbcSample located;
  if (Status s = archive.locate(property, property.storedIndex(sample), located); !s.ok()) return s;
  const bool same = std::is_same_v<To, float> ? property.pod == Pod::f32 : property.pod == Pod::i32;
  if (same) {
    out.resize(located.payload.bytes / sizeof(To));
    return archive.read(property, located, out.data());
  }
  std::vector<char> bytes(located.payload.bytes);
  if (Status s = archive.read(property, located, bytes.data()); !s.ok()) return s;
  switch (property.pod) {
    case Pod::boolean:
    case Pod::u8:
      convertAll<std::uint8_t>(bytes, out);
      break;
    case Pod::i8:
      convertAll<std::int8_t>(bytes, out);
      break;
    case Pod::u16:
      convertAll<std::uint16_t>(bytes, out);
      break;
    case Pod::i16:
      convertAll<std::int16_t>(bytes, out);
      break;
    case Pod::u32:
      convertAll<std::uint32_t>(bytes, out);
      break;
    case Pod::i32:
      convertAll<std::int32_t>(bytes, out);
      break;
    case Pod::u64:
      convertAll<std::uint64_t>(bytes, out);
      break;
    case Pod::i64:
      convertAll<std::int64_t>(bytes, out);
      break;
    case Pod::f16:
      convertAll<Half>(bytes, out);
      break;
    case Pod::f32:
      convertAll<float>(bytes, out);
      break;
    case Pod::f64:
      convertAll<double>(bytes, out);
      break;
    case Pod::string:
    case Pod::wide_string:
      return badInput("the property '" + property.name + "' is not made of numbers");
  }
  return {};
}

bool isFloat(Pod pod) { return pod == Pod::f16 || pod == Pod::f32 || pod == Pod::f64; }

Status readValues(const AbcArchive& archive, const AbcProperty& values, std::uint32_t sample,
                  Attribute& out) {
  out.width = values.extent;
  if (values.pod == Pod::string) {
    out.type = AttributeType::string;
    AbcSample located;
    if (Status s = archive.locate(values, values.storedIndex(sample), located); !s.ok()) return s;
    return archive.readStrings(values, located, out.strings);
  }
  out.type = isFloat(values.pod) ? AttributeType::f32 : AttributeType::i32;
  return isFloat(values.pod) ? readFloats(archive, values, sample, out.floats)
                             : readIntegers(archive, values, sample, out.ints);
}

std::size_t valueCount(const Attribute& a) {
  return (a.floats.size() + a.ints.size() + a.strings.size()) / static_cast<std::size_t>(a.width);
}

// The owner by the scope, and how many elements it has.
std::size_t setOwner(const std::string& scope, const ElementCounts& counts, Attribute& out) {
  if (scope == "vtx" || scope == "var") return out.owner = AttributeOwner::point, counts.points;
  if (scope == "fvr") return out.owner = AttributeOwner::corner, counts.corners;
  if (scope == "uni") return out.owner = AttributeOwner::face, counts.faces;
  return out.owner = AttributeOwner::detail, 1;
}

}  // namespace

Status readFloats(const AbcArchive& archive, const AbcProperty& property, std::uint32_t sample,
                  std::vector<float>& out) {
  return readNumbers(archive, property, sample, out);
}

Status readIntegers(const AbcArchive& archive, const AbcProperty& property, std::uint32_t sample,
                    std::vector<std::int32_t>& out) {
  return readNumbers(archive, property, sample, out);
}

Status readParameter(const AbcArchive& archive, const AbcProperty& parameter, std::uint32_t sample,
                     const ElementCounts& counts, Attribute& out, bool& fits) {
  out = {};
  fits = false;
  const AbcProperty* values = parameter.compound ? archive.find(&parameter, ".vals") : &parameter;
  if (!values || values->compound || values->samples == 0 || values->pod == Pod::wide_string) return {};
  out.name = parameter.name;
  out.interpretation = metadataValue(parameter.metadata, "interpretation");
  const std::size_t elements = setOwner(metadataValue(parameter.metadata, "geoScope"), counts, out);
  if (Status s = readValues(archive, *values, sample, out); !s.ok()) return s;

  const AbcProperty* indices = parameter.compound ? archive.find(&parameter, ".indices") : nullptr;
  if (indices && !indices->compound && indices->samples > 0) {
    std::vector<std::int32_t> numbers;
    if (indices->pod == Pod::string || indices->pod == Pod::wide_string) return {};
    const std::uint32_t last = indices->samples - 1;
    if (Status s = readIntegers(archive, *indices, std::min(sample, last), numbers); !s.ok()) return s;
    const auto outside = [n = valueCount(out)](std::int32_t k) {
      return k < 0 || static_cast<std::size_t>(k) >= n;
    };
    fits = numbers.size() == elements && std::none_of(numbers.begin(), numbers.end(), outside);
    out.indices.assign(numbers.begin(), numbers.end());
    return {};
  }
  // A constant of several values is one wide value.
  if (out.owner == AttributeOwner::detail && valueCount(out) > 1)
    out.width *= static_cast<int>(std::min<std::size_t>(valueCount(out), 1u << 20));
  fits = valueCount(out) == elements;
  return {};
}

}  // namespace repose
