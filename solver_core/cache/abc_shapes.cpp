// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/abc_shapes.h"

#include <algorithm>
#include <numeric>

#include "cache/abc_winding.h"

namespace repose {
namespace {

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string objectMetadata(const char* schema, const char* base, const char* compound) {
  return joinMetadata({{"schema", schema},
                       {"schemaBaseType", base},
                       {"schemaObjTitle", std::string(schema) + ":" + compound}});
}

PropertyNode* addXform(AbcTree& tree, const std::string& name, int sampling, ObjectNode*& object) {
  object = tree.root().add(name, objectMetadata(kXformSchema, "", ".xform"));
  PropertyNode* xform = object->top.add(".xform", PropertyType::compound);
  xform->metadata = joinMetadata({{"schema", kXformSchema}});
  tree.addSample(*xform->add(".inherits", PropertyType::scalar, Pod::boolean, 1, sampling),
                 std::string(1, 1));
  return xform;
}

AbcShape addShape(AbcTree& tree, const std::string& name, const char* schema, ShapeKind kind) {
  AbcShape shape;
  shape.kind = kind;
  ObjectNode* parent = nullptr;
  shape.xform = addXform(tree, name, kind == ShapeKind::rigid ? kFrameSampling : 0, parent);
  ObjectNode* object = parent->add(name + "Shape", objectMetadata(schema, kGeomBase, ".geom"));
  shape.path = "/" + name + "/" + object->name;
  shape.geom = object->top.add(".geom", PropertyType::compound);
  shape.geom->metadata = joinMetadata({{"schema", schema}, {"schemaBaseType", kGeomBase}});
  return shape;
}

PropertyNode* addBounds(PropertyNode& geom, int sampling) {
  PropertyNode* bounds = geom.add(".selfBnds", PropertyType::scalar, Pod::f64, 6, sampling,
                                  joinMetadata({{"interpretation", "box"}}));
  bounds->shared = sampling == 0;
  return bounds;
}

PropertyNode* addPositions(PropertyNode& geom, int sampling, const char* scope) {
  PropertyNode* positions = geom.add("P", PropertyType::array, Pod::f32, 3, sampling,
                                     joinMetadata({{"geoScope", scope}, {"interpretation", "point"}}));
  positions->shared = sampling == 0;
  return positions;
}

struct Owner {
  const char* scope;
  std::size_t elements;
};

Owner ownerOf(const Attribute& a, const Geometry& g) {
  switch (a.owner) {
    case AttributeOwner::detail:
      return {"con", 1};
    case AttributeOwner::point:
      return {"vtx", g.points.size()};
    case AttributeOwner::face:
      return {"uni", g.face_counts.size()};
    case AttributeOwner::corner:
      break;
  }
  return {"fvr", g.face_indices.size()};
}

std::size_t valueCount(const Attribute& a) {
  switch (a.type) {
    case AttributeType::f32:
      return a.floats.size() / static_cast<std::size_t>(a.width);
    case AttributeType::i32:
      return a.ints.size() / static_cast<std::size_t>(a.width);
    case AttributeType::string:
      break;
  }
  return a.strings.size();
}

Pod podOf(AttributeType type) {
  return type == AttributeType::f32 ? Pod::f32 : type == AttributeType::i32 ? Pod::i32 : Pod::string;
}

// The first two components of a wider uv, and corners in Alembic's order.
Attribute prepared(const Attribute& attribute, const Geometry& g, int width) {
  Attribute a = attribute;
  if (width < a.width) {
    const std::size_t count = valueCount(a);
    for (std::size_t k = 0; k < count; ++k)
      std::copy_n(a.floats.begin() + static_cast<std::ptrdiff_t>(k * static_cast<std::size_t>(a.width)),
                  width, a.floats.begin() + static_cast<std::ptrdiff_t>(k * static_cast<std::size_t>(width)));
    a.floats.resize(count * static_cast<std::size_t>(width));
    a.width = width;
  }
  if (a.owner != AttributeOwner::corner) return a;
  if (!a.indices.empty()) {
    reverseCorners(g.face_counts, 1, a.indices);
  } else {
    const auto components = static_cast<std::size_t>(a.width);
    if (a.type == AttributeType::f32) reverseCorners(g.face_counts, components, a.floats);
    if (a.type == AttributeType::i32) reverseCorners(g.face_counts, components, a.ints);
    if (a.type == AttributeType::string) reverseCorners(g.face_counts, components, a.strings);
  }
  return a;
}

void addValues(AbcTree& tree, PropertyNode& property, const Attribute& a) {
  switch (a.type) {
    case AttributeType::f32:
      tree.addSample(property, bytesOf(a.floats));
      break;
    case AttributeType::i32:
      tree.addSample(property, bytesOf(a.ints));
      break;
    case AttributeType::string:
      tree.addStrings(property, a.strings);
      break;
  }
}

// A geometry parameter with its one value; returns the sampled properties it is made of.
std::vector<PropertyNode*> addConstant(AbcTree& tree, PropertyNode& parent, const std::string& name,
                                       const Attribute& a, const char* scope,
                                       const std::string& interpretation, int sampling) {
  const Pod pod = podOf(a.type);
  const std::string metadata = geomParamMetadata(scope, pod, a.width, interpretation);
  if (a.indices.empty()) {
    PropertyNode* values = parent.add(name, PropertyType::array, pod, a.width, sampling, metadata);
    addValues(tree, *values, a);
    return {values};
  }
  PropertyNode* compound = parent.add(name, PropertyType::compound);
  compound->metadata = metadata;
  PropertyNode* values = compound->add(".vals", PropertyType::array, pod, a.width, sampling, metadata);
  PropertyNode* indices = compound->add(".indices", PropertyType::array, Pod::u32, 1, sampling);
  addValues(tree, *values, a);
  tree.addSample(*indices, bytesOf(a.indices));
  return {values, indices};
}

bool isWidth(const Attribute& a, int least) { return a.type == AttributeType::f32 && a.width >= least; }

// Of a mesh that tears points become more, corners do not.
Attribute atCorners(Attribute a, const Geometry& g) {
  if (a.owner != AttributeOwner::point) return a;
  std::vector<std::uint32_t> indices;
  for (const std::int32_t p : g.face_indices)
    indices.push_back(a.indices.empty() ? static_cast<std::uint32_t>(p) : a.indices[p]);
  a.owner = AttributeOwner::corner, a.indices = std::move(indices);
  return a;
}

Status addAttribute(AbcTree& tree, AbcShape& shape, const Attribute& a, const Geometry& g) {
  const bool rigid = shape.kind == ShapeKind::rigid;
  // Renderers would take these for the velocity a frame or for normals that move along (alembic.md 5).
  for (const char* name : {"P", "v", "velocity", "velocities"})
    if (a.name == name) return {};
  if (a.name == "N" && !rigid) return {};
  const Owner owner = ownerOf(a, g);
  const std::size_t elements = a.indices.empty() ? valueCount(a) : a.indices.size();
  if (valueCount(a) == 0) return {};
  if (elements != owner.elements)
    return badInput("The attribute '" + a.name + "' of '" + shape.path + "' has " + std::to_string(elements) +
                    " values where " + std::to_string(owner.elements) + " are needed.");

  const bool is_uv = a.name == "uv" && isWidth(a, 2), is_normal = a.name == "N" && isWidth(a, 3);
  if ((is_uv || is_normal) && a.owner != AttributeOwner::detail && a.owner != AttributeOwner::face) {
    const int sampling = rigid ? 0 : kFrameSampling;
    for (PropertyNode* node : addConstant(tree, *shape.geom, a.name, prepared(a, g, is_uv ? 2 : 3),
                                          owner.scope, is_uv ? "vector" : "normal", sampling))
      shape.constant.push_back(node);
    return {};
  }
  const std::string name = safeName(a.name);
  if (!shape.parameters) shape.parameters = shape.geom->add(".arbGeomParams", PropertyType::compound);
  for (const auto& other : shape.parameters->children)
    if (other->name == name) return {};  // of another owner: the format has one name space for all
  addConstant(tree, *shape.parameters, name, prepared(a, g, a.width), owner.scope, a.interpretation, 0);
  return {};
}

// The mesh has one sample for good; the Xform above it gets a matrix by frame.
void makeRigid(AbcTree& tree, AbcShape& shape, const Geometry& geometry, double scale) {
  constexpr char kMatrixOp = 0x30;
  std::vector<Vec3f> scaled = geometry.points;
  Bounds box;
  for (Vec3f& p : scaled) box.add(p = p * static_cast<float>(scale));
  tree.addSample(*shape.bounds, boundsPayload(box));
  tree.addSample(*shape.moving, bytesOf(scaled));
  PropertyNode* ops = shape.xform->add(".ops", PropertyType::scalar, Pod::u8, 1);
  tree.addSample(*ops, std::string(1, kMatrixOp));
  shape.constant = {shape.xform->children.front().get(), ops};
  shape.moving = shape.xform->add(".vals", PropertyType::scalar, Pod::f64, 16, kFrameSampling);
  shape.moving->shared = false;
  shape.bounds = nullptr;
}

}  // namespace

Status checkTopology(const std::string& name, const Geometry& g) {
  const auto wrong = [&name](const std::string& what) {
    return badInput("The mesh '" + name + "' cannot be written: " + what + ".");
  };
  std::size_t corners = 0;
  for (const std::int32_t count : g.face_counts) {
    if (count < 0) return wrong("a face has " + std::to_string(count) + " corners");
    corners += static_cast<std::size_t>(count);
  }
  if (corners != g.face_indices.size())
    return wrong("its faces have " + std::to_string(corners) + " corners but there are " +
                 std::to_string(g.face_indices.size()) + " indices");
  for (const std::int32_t index : g.face_indices)
    if (index < 0 || static_cast<std::size_t>(index) >= g.points.size())
      return wrong("a face uses point " + std::to_string(index) + " of " + std::to_string(g.points.size()));
  return {};
}

PropertyNode* AbcShape::parameter(const std::string& name, Pod pod, int extent, int sampling,
                                  const char* scope, const std::string& interpretation) {
  if (!parameters) parameters = geom->add(".arbGeomParams", PropertyType::compound);
  auto& all = parameters->children;
  const auto same = [&name](const auto& child) { return child->name == name; };
  all.erase(std::remove_if(all.begin(), all.end(), same), all.end());
  return parameters->add(name, PropertyType::array, pod, extent, sampling,
                         geomParamMetadata(scope, pod, extent, interpretation));
}

PropertyNode* addVelocities(PropertyNode& geom) {
  PropertyNode* velocities = geom.add(".velocities", PropertyType::array, Pod::f32, 3, kFrameSampling,
                                      joinMetadata({{"interpretation", "vector"}}));
  velocities->shared = false;
  return velocities;
}

std::string boundsPayload(const Bounds& bounds) {
  std::vector<double> box(6, 0);
  if (!bounds.empty())
    for (int k = 0; k < 3; ++k) box[k] = bounds.lo[k], box[k + 3] = bounds.hi[k];
  return bytesOf(box);
}

Result<AbcShape> addMeshShape(AbcTree& tree, const std::string& name, const Geometry& geometry, double scale,
                              ShapeKind kind) {
  const bool rigid = kind == ShapeKind::rigid;
  if (Status s = checkTopology(name, geometry); !s.ok()) return s;
  AbcShape shape = addShape(tree, name, kMeshSchema, kind);
  shape.points = geometry.points.size();
  const int sampling = rigid ? 0 : kFrameSampling;
  shape.bounds = addBounds(*shape.geom, sampling);
  shape.moving = addPositions(*shape.geom, sampling, "vtx");
  PropertyNode* indices = shape.geom->add(".faceIndices", PropertyType::array, Pod::i32, 1, sampling);
  PropertyNode* counts = shape.geom->add(".faceCounts", PropertyType::array, Pod::i32, 1, sampling);
  std::vector<std::int32_t> clockwise = geometry.face_indices;
  reverseCorners(geometry.face_counts, 1, clockwise);
  const bool tears = kind == ShapeKind::tearing_mesh;
  if (tears) {
    shape.face_indices = indices, shape.corners = geometry.face_counts;
  } else {
    tree.addSample(*indices, bytesOf(clockwise));
    shape.constant.push_back(indices);
  }
  tree.addSample(*counts, bytesOf(geometry.face_counts));
  shape.constant.push_back(counts);
  for (const Attribute& a : geometry.attributes)
    if (Status s = addAttribute(tree, shape, tears ? atCorners(a, geometry) : a, geometry); !s.ok()) return s;
  if (rigid) makeRigid(tree, shape, geometry, scale);
  return shape;
}

AbcShape addChangingMeshShape(AbcTree& tree, const std::string& name) {
  AbcShape shape = addShape(tree, name, kMeshSchema, ShapeKind::changing_mesh);
  shape.bounds = addBounds(*shape.geom, kFrameSampling);
  shape.moving = addPositions(*shape.geom, kFrameSampling, "vtx");
  shape.face_indices = shape.geom->add(".faceIndices", PropertyType::array, Pod::i32, 1, kFrameSampling);
  shape.face_counts = shape.geom->add(".faceCounts", PropertyType::array, Pod::i32, 1, kFrameSampling);
  return shape;
}

Result<AbcShape> addCurvesShape(AbcTree& tree, const std::string& name,
                                const std::vector<std::int32_t>& counts) {
  if (std::any_of(counts.begin(), counts.end(), [](std::int32_t n) { return n < 0; }))
    return badInput("The curves '" + name + "' cannot be written: a curve has a negative number of points.");
  AbcShape shape = addShape(tree, name, kCurvesSchema, ShapeKind::curves);
  shape.points = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  shape.bounds = addBounds(*shape.geom, kFrameSampling);
  shape.moving = addPositions(*shape.geom, kFrameSampling, "vtx");
  PropertyNode* vertices = shape.geom->add("nVertices", PropertyType::array, Pod::i32, 1, kFrameSampling);
  PropertyNode* basis =
      shape.geom->add("curveBasisAndType", PropertyType::scalar, Pod::u8, 4, kFrameSampling);
  tree.addSample(*vertices, bytesOf(counts));
  tree.addSample(*basis, std::string{1, 0, 0, 0});  // linear, open, no basis
  shape.constant = {vertices, basis};
  return shape;
}

AbcShape addPointsShape(AbcTree& tree, const std::string& name, PointWidths widths) {
  AbcShape shape = addShape(tree, name, kPointsSchema, ShapeKind::points);
  shape.bounds = addBounds(*shape.geom, kFrameSampling);
  shape.moving = addPositions(*shape.geom, kFrameSampling, "var");
  shape.ids = shape.geom->add(".pointIds", PropertyType::array, Pod::u64, 1, kFrameSampling,
                              joinMetadata({{"geoScope", "var"}}));
  if (widths != PointWidths::none)
    shape.widths =
        shape.geom->add(".widths", PropertyType::array, Pod::f32, 1, kFrameSampling,
                        geomParamMetadata(widths == PointWidths::constant ? "con" : "vtx", Pod::f32, 1, ""));
  return shape;
}

}  // namespace repose
