// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Xforms of an archive being read (alembic.md 4.4): operations to matrices, and the way up to the world.
#include <cmath>

#include "cache/abc_archive.h"
#include "cache/abc_reader.h"

namespace repose {
namespace {

enum class Op { scale, translate, rotate, matrix, rotate_x, rotate_y, rotate_z };
constexpr int kOpCount = 7;
constexpr std::size_t kChannels[kOpCount] = {3, 3, 4, 16, 1, 1, 1};
constexpr double kPi = 3.14159265358979323846;

Mat4d rotation(double x, double y, double z, double degrees) {
  const double size = std::sqrt(x * x + y * y + z * z);
  Mat4d r;
  if (!(size > 0)) return r;
  const double a[3] = {x / size, y / size, z / size};
  const double c = std::cos(degrees * kPi / 180), s = std::sin(degrees * kPi / 180);
  const double cross[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.m[i][j] = (i == j ? c : 0) + s * cross[i][j] + (1 - c) * a[i] * a[j];
  return r;
}

Mat4d opMatrix(Op op, const double* v) {
  Mat4d m;
  switch (op) {
    case Op::scale:
      for (int k = 0; k < 3; ++k) m.m[k][k] = v[k];
      break;
    case Op::translate:
      for (int k = 0; k < 3; ++k) m.m[k][3] = v[k];
      break;
    case Op::rotate:
      return rotation(v[0], v[1], v[2], v[3]);
    case Op::matrix:
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) m.m[r][c] = v[4 * c + r];
      break;
    case Op::rotate_x:
      return rotation(1, 0, 0, v[0]);
    case Op::rotate_y:
      return rotation(0, 1, 0, v[0]);
    case Op::rotate_z:
      return rotation(0, 0, 1, v[0]);
  }
  return m;
}

// The bytes of a sample as values of one type, whether the property is a scalar or an array.
template <class T>
Status readAs(const AbcArchive& archive, const AbcProperty& property, Pod pod, int sample,
              std::vector<T>& out) {
  if (property.compound || property.pod != pod)
    return badInput("its property '" + property.name + "' has a wrong type");
  AbcSample located;
  if (Status s = archive.locate(property, property.storedIndex(static_cast<std::uint32_t>(sample)), located);
      !s.ok())
    return s;
  out.resize(located.payload.bytes / sizeof(T));
  return archive.read(property, located, out.data());
}

}  // namespace

Status AbcReader::localMatrix(int object, int sample, Mat4d& matrix, bool& inherits) const {
  matrix = {};
  inherits = true;
  const AbcProperty* xform = schema(object);
  if (const AbcProperty* p = archive_->find(xform, ".inherits"); p && p->samples > 0) {
    std::vector<std::uint8_t> value;
    if (Status s = readAs(*archive_, *p, Pod::boolean, sampleOf(*p, object, sample), value); !s.ok())
      return s;
    inherits = !value.empty() && value[0] != 0;
  }
  const AbcProperty *ops = archive_->find(xform, ".ops"), *channels = archive_->find(xform, ".vals");
  if (!ops || ops->samples == 0) return {};
  std::vector<std::uint8_t> codes;
  std::vector<double> values;
  // The operations are the same in all samples.
  if (Status s = readAs(*archive_, *ops, Pod::u8, 0, codes); !s.ok()) return s;
  if (channels && channels->samples > 0)
    if (Status s = readAs(*archive_, *channels, Pod::f64, sampleOf(*channels, object, sample), values);
        !s.ok())
      return s;
  std::size_t at = 0;
  for (const std::uint8_t code : codes) {
    const int op = code >> 4;
    if (op >= kOpCount) return badInput("its transform has an unknown operation");
    if (kChannels[op] > values.size() - at) return badInput("its transform has too few values");
    matrix = matrix * opMatrix(static_cast<Op>(op), &values[at]);
    at += kChannels[op];
  }
  return at == values.size() ? Status() : badInput("its transform has too many values");
}

// Between two samples of an Xform its matrix is blended, so that a point on it moves on a straight line.
Status AbcReader::worldMatrix(int object, double seconds, Mat4d& matrix) const {
  matrix = {};
  for (int k = object; k >= 0; k = objects_[static_cast<std::size_t>(k)].parent) {
    const AbcObject& o = objects_[static_cast<std::size_t>(k)];
    if (o.kind != AbcKind::xform || o.samples == 0) continue;
    const int sample = sampleAt(k, seconds);
    Mat4d local;
    bool inherits = true;
    if (Status s = localMatrix(k, sample, local, inherits); !s.ok()) return s;
    const double begin = time(k, sample), end = time(k, sample + 1);
    if (o.moves && sample + 1 < o.samples && seconds > begin && end > begin) {
      Mat4d next;
      bool ignored = true;
      if (Status s = localMatrix(k, sample + 1, next, ignored); !s.ok()) return s;
      const double weight = std::fmin((seconds - begin) / (end - begin), 1);
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) local.m[r][c] += weight * (next.m[r][c] - local.m[r][c]);
    }
    matrix = local * matrix;
    if (!inherits) break;
  }
  return {};
}

}  // namespace repose
