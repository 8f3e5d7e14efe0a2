// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/read_rigid.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "scene/mesh_check.h"
#include "scene/mesh_pieces.h"
#include "scene/read_abc.h"
#include "scene/read_params.h"
#include "scene/read_transform.h"
#include "scene/rigid_assembly.h"
#include "scene/rigid_copies.h"
#include "scene/rigid_shape.h"
#include "scene/shapes.h"
#include "scene/tally.h"
#include "scene/volume.h"

namespace repose {

namespace {

enum class Cutting { whole, object, connected, name };
const std::vector<std::string> kCuttings = {"whole", "object", "connected", "name"};

constexpr std::size_t kMostPieces = 1000000;

// Letters, digits and underscores, as caches name objects.
std::string plainName(std::string name) {
  for (char& c : name)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9')) c = '_';
  return name;
}

// Adds pieces under names of their own.
class PieceNames {
 public:
  std::string unique(const std::string& name) {
    std::string free = name;
    for (int k = 2; !taken_.insert(free).second; ++k) free = fmt::format("{}_{}", name, k);
    return free;
  }

 private:
  std::set<std::string> taken_;
};

// What cutting relies on; the message goes on from the name of the mesh.
Status checkFaces(const Geometry& geometry) {
  if (geometry.face_counts.empty()) return badInput("has no faces");
  for (const std::int32_t count : geometry.face_counts)
    if (count < 3) return badInput("has a face with fewer than 3 points");
  return {};
}

Vec3f middleOf(const std::vector<Vec3f>& points) {
  Bounds bounds;
  for (const Vec3f p : points) bounds.add(p);
  return (bounds.lo + bounds.hi) * 0.5f;
}

// The motion of a source in the order of the points of its pieces, one piece after another.
class PieceMotion : public Motion {
 public:
  explicit PieceMotion(std::shared_ptr<Motion> source) : source_(std::move(source)) {}

  void add(const RigidShape& shape, const RigidPiece& piece, const MeshPiece& mesh) {
    points_.insert(points_.end(), mesh.points.begin(), mesh.points.end());
    from_.insert(from_.end(), mesh.geometry.points.begin(), mesh.geometry.points.end());
    for (const Vec3f p : shape.geometry.points) shown_.push_back(piece.place.world(p));
  }
  Status positionsAt(double frame, std::vector<Vec3f>& points) override {
    Status read = source_->positionsAt(frame, now_);
    points.clear();
    for (std::size_t k = 0; k < points_.size() && read.ok(); ++k) {
      const Vec3f p = now_[static_cast<std::size_t>(points_[k])];
      points.push_back(p == from_[k] ? shown_[k] : p);  // a piece that rests keeps its bits
    }
    return read;
  }

 private:
  std::shared_ptr<Motion> source_;
  std::vector<std::int32_t> points_;  // of the source
  std::vector<Vec3f> from_, shown_;   // at the start: of the source, and of the pieces
  std::vector<Vec3f> now_;
};

class RigidReader {
 public:
  RigidReader(ObjectReader& object, Body& body, std::vector<Joint>& joints, const SceneContext& context)
      : object_(object), body_(body), joints_(joints), context_(context), problems_(context.problems) {}

  void read() {
    readParams(object_, body_.rigid, problems_);
    if (const JsonNode* placing = object_.find("transform")) transform_ = readTransform(*placing, problems_);
    scale_ = Placement(transform_).scale;
    place_ = poseOf(transform_);
    object_.vector("velocity", body_.velocity);
    if (const JsonNode* spin = object_.find("spin")) spin_ = readSpin(*spin, problems_);
    if (const JsonNode* keys = object_.find("translate"))
      readVectorKeys(*keys, "translate", body_.translate, problems_);
    if (const JsonNode* keys = object_.find("rotate"))
      readVectorKeys(*keys, "rotate", body_.rotate, problems_);
    copies_ = object_.find("copies"), places_ = object_.find("places");
    if (copies_ && places_)
      problems_.error(places_->place, "a body has either \"copies\" or \"places\", not both");
    const JsonNode* source = object_.require("source");
    if (source && source->type == JsonNode::Type::object &&
        ObjectReader(*source, "", problems_).has("assembly"))
      readAssembled(*source);
    else
      readMeshes(source);
  }

 private:
  struct Solid {
    std::string name;
    int shape;
    Pose place;
    std::size_t mesh;  // of all that the source was cut into
  };

  RigidLayout layout(Vec3f size) {
    if (copies_) return readCopies(*copies_, size, problems_);
    if (places_) return readPlaces(*places_, problems_);
    return {{RigidCopy{}}, false, 0};
  }
  bool single() const { return !copies_ && !places_; }

  // The name of copy k, from 0: its own, or a number after that of the body.
  std::string copyName(const RigidCopy& copy, std::size_t k) const {
    if (!copy.name.empty()) return plainName(copy.name);
    return single() ? body_.name : fmt::format("{}_{:04}", body_.name, k + 1);
  }

  // False after a report.
  bool isWithinReason(std::size_t copies, std::size_t pieces, const JsonNode& source) {
    if (copies * pieces <= kMostPieces) return true;
    problems_.error(source.place, fmt::format("body \"{}\" would have {} pieces, but at most {} are possible",
                                              body_.name, copies * pieces, kMostPieces));
    return false;
  }

  void addPiece(const std::string& name, int shape, const Pose& place, const RigidCopy& copy) {
    body_.pieces.push_back({names_.unique(name), shape, place, copy.velocity.value_or(body_.velocity),
                            copy.spin.value_or(spin_)});
  }

  void readAssembled(const JsonNode& source) {
    for (const char* key : {"collision", "voxel", "pieces"})
      if (const JsonNode* node = object_.find(key))
        problems_.error(node->place, fmt::format("an assembly has its own shapes, and takes no \"{}\"", key));
    if (scale_ != Vec3f{1, 1, 1})
      problems_.error(source.place, "an assembly is not scaled: give its sizes instead of a scale");
    Assembly assembly = readAssembly(source, problems_);
    Bounds bounds;
    for (const Assembly::Part& part : assembly.parts)
      for (const Vec3f p : assembly.shapes[part.shape].geometry.points) bounds.add(part.place.world(p));
    const RigidLayout all = layout(bounds.empty() ? Vec3f{} : bounds.hi - bounds.lo);
    if (all.of_boxes) return problems_.error(copies_->place, "this pattern needs a source of shape box");
    if (!isWithinReason(all.copies.size(), assembly.parts.size(), source)) return;
    body_.shapes = std::move(assembly.shapes);
    const auto body = static_cast<int>(context_.scene.bodies.size());
    for (std::size_t k = 0; k < all.copies.size(); ++k) {
      const RigidCopy& copy = all.copies[k];
      const std::string prefix = copyName(copy, k) + "_";
      const Pose stand = place_ * copy.place;
      const auto first = static_cast<int>(body_.pieces.size());
      for (const Assembly::Part& part : assembly.parts)
        addPiece(prefix + part.name, part.shape, stand * part.place, copy);
      const auto end = [&](int part) { return part < 0 ? JointEnd{} : JointEnd{body, first + part}; };
      for (const Assembly::Link& link : assembly.links)
        joints_.push_back({link.kind, prefix + link.name, end(link.a), end(link.b), stand * link.frame,
                           stand.world(link.frame.origin), link.params});
    }
  }

  void readMeshes(const JsonNode* source) {
    int collision = 0, cutting = 0;
    const std::vector<std::string> collisions(std::begin(kCollisionNames), std::end(kCollisionNames));
    if (const JsonNode* node = object_.find("collision"))
      collision = std::max(0, readName(*node, "collision", collisions, problems_));
    collision_ = static_cast<Collision>(collision);
    if (const JsonNode* node = object_.find("voxel")) {
      object_.number("voxel", 1e-6, 1e6, voxel_);
      if (collision_ != Collision::concave)
        problems_.error(node->place, "\"voxel\" is only for \"collision\": \"concave\"");
    }
    if (const JsonNode* node = object_.find("pieces"))
      cutting = std::max(0, readName(*node, "pieces", kCuttings, problems_));
    if (!source) return;
    const std::optional<std::vector<MeshPiece>> meshes = cutMeshes(*source, static_cast<Cutting>(cutting));
    if (!meshes) return;
    const std::vector<Solid> solids = makeSolids(*meshes, *source);
    Bounds bounds;
    for (const Solid& solid : solids)
      for (const Vec3f p : body_.shapes[solid.shape].geometry.points) bounds.add(solid.place.world(p));
    RigidLayout all = layout(bounds.empty() ? Vec3f{} : bounds.hi - bounds.lo);
    if (solids.empty() || !isWithinReason(all.copies.size(), solids.size(), *source)) return;
    if (all.of_boxes && !isBox())
      return problems_.error(copies_->place, "this pattern needs a source of shape box");
    const int half = all.half_length > 0 ? addHalfBrick(all.half_length) : -1;
    for (std::size_t k = 0; k < all.copies.size(); ++k) {
      const RigidCopy& copy = all.copies[k];
      const Pose stand = place_ * copy.place;
      for (const Solid& solid : solids) {
        std::string name = copyName(copy, k);
        if (!solid.name.empty()) name = single() ? solid.name : fmt::format("{}_{}", name, solid.name);
        addPiece(name, copy.half ? half : solid.shape, stand * solid.place, copy);
        if (motion_) motion_->add(body_.shapes[solid.shape], body_.pieces.back(), (*meshes)[solid.mesh]);
      }
    }
  }

  bool isBox() const { return formula_ && formula_->row->name == "box"; }

  int addHalfBrick(float half_length) {
    Shape shape = formula_->shape;
    for (int k = 0; k < 3; ++k) shape.size[k] *= scale_[k];
    shape.size.x = half_length;
    const FormulaShape formula{formula_->row, shape};
    Result<RigidShape> brick = makeRigidShape(makeBox(shape), &formula, {1, 1, 1}, collision_, voxel_);
    if (!brick.ok()) return 0;  // the whole brick has had the same message
    body_.shapes.push_back(std::move(*brick));
    return static_cast<int>(body_.shapes.size()) - 1;
  }

  // The meshes of the source in the space of the body, scaled; nothing after a report.
  std::optional<std::vector<MeshPiece>> cutMeshes(const JsonNode& source, Cutting cutting) {
    const double scale[3] = {scale_.x, scale_.y, scale_.z};
    const Mat4d scaling = composeTransform({}, {}, scale);
    std::optional<std::vector<MeshPiece>> all =
        cutting == Cutting::object ? readAllObjects(source, scaling, context_) : std::nullopt;
    if (all) return all;
    std::optional<Source> mesh = readSource(source, scaling, context_);
    if (!mesh) return std::nullopt;
    if (mesh->motion && !follow(source, *mesh)) return std::nullopt;
    if (Status good = checkFaces(mesh->geometry); !good) {
      problems_.error(source.place, fmt::format("the source {}", good.message()));
      return std::nullopt;
    }
    if (cutting == Cutting::whole) {
      if (mesh->formula) formula_ = *mesh->formula;
      if (isBox() &&
          !ObjectReader(source, "", problems_).has("divisions")) {  // flat sides need no more faces
        formula_->shape.divisions = {1, 1, 1};
        mesh->geometry = makeBox(formula_->shape);
        for (Vec3f& p : mesh->geometry.points) p = transformPoint(scaling, p);
      }
      MeshPiece whole{"", std::move(mesh->geometry), {}};
      whole.points.resize(whole.geometry.points.size());
      std::iota(whole.points.begin(), whole.points.end(), 0);
      return std::vector<MeshPiece>{std::move(whole)};
    }
    Result<std::vector<MeshPiece>> pieces = cutting == Cutting::object ? groupPieces(mesh->geometry)
                                            : cutting == Cutting::name ? namedPieces(mesh->geometry)
                                                                       : connectedPieces(mesh->geometry);
    if (pieces.ok()) return std::move(*pieces);
    problems_.error(source.place, fmt::format("the source {}", pieces.status().message()));
    return std::nullopt;
  }

  // Pieces that go with the points of their source: these are read anew, where the body stands. False after a
  // report.
  bool follow(const JsonNode& source, Source& mesh) {
    const char* wrong =
        !body_.rigid.base.animated ? "an animated source moves a rigid body only with \"animated\": true"
        : !single()                ? "a rigid body with an animated source has no \"copies\" or \"places\""
        : !body_.translate.empty() || !body_.rotate.empty()
            ? "a rigid body has either \"translate\" and \"rotate\" keys or an animated source, not both"
            : nullptr;
    if (wrong) return problems_.error(source.place, wrong), false;
    std::optional<Source> placed = readSource(source, transform_, context_);
    if (!placed) return false;
    mesh = std::move(*placed);
    body_.motion = motion_ = std::make_shared<PieceMotion>(mesh.motion);
    place_ = {};
    return true;
  }

  // All meshes of an Alembic file; nothing for other sources.
  static std::optional<std::vector<MeshPiece>> readAllObjects(const JsonNode& source, const Mat4d& scaling,
                                                              const SceneContext& context) {
    ObjectReader object(source, "a source", context.problems);
    const JsonNode* file = object.find("file");
    if (!file || std::filesystem::path(file->text).extension() != ".abc" || object.has("object"))
      return std::nullopt;
    object.rejectUnknown();
    AbcSourceOptions options;
    options.first_frame = context.scene.first_frame;
    options.fps = context.scene.world.base.fps;
    Result<std::vector<MeshPiece>> meshes = readAbcMeshes(context.resolve(file->text), options);
    if (!meshes.ok()) {
      context.problems.error(file->place, meshes.status().message());
      return std::vector<MeshPiece>();
    }
    for (MeshPiece& mesh : *meshes) {
      if (Status good = checkFaces(mesh.geometry); !good)
        context.problems.error(file->place, fmt::format("the mesh \"{}\" {}", mesh.name, good.message()));
      for (Vec3f& p : mesh.geometry.points) p = transformPoint(scaling, p);
    }
    return std::move(*meshes);
  }

  // Pieces that make no solid are left out and named, as long as others remain.
  std::vector<Solid> makeSolids(const std::vector<MeshPiece>& meshes, const JsonNode& source) {
    std::vector<Solid> solids;
    Tally lost;
    for (std::size_t k = 0; k < meshes.size(); ++k) {
      const bool alone = meshes.size() == 1;
      Geometry geometry = meshes[k].geometry;
      Pose place;
      if (!alone) {  // each about its own middle, where floats are finest
        place.origin = middleOf(geometry.points);
        for (Vec3f& p : geometry.points) p = p - place.origin;
      }
      const std::string name = meshes[k].name.empty()
                                   ? (alone ? "" : fmt::format("{}_{:04}", body_.name, k + 1))
                                   : plainName(meshes[k].name);
      const bool open = !isClosed(fanTriangles(geometry));
      Result<RigidShape> shape =
          makeRigidShape(std::move(geometry), formula_ ? &*formula_ : nullptr, scale_, collision_, voxel_);
      const std::string what = alone ? "the source" : fmt::format("the piece \"{}\"", name);
      if (!shape.ok()) {
        lost.add(fmt::format("{} {}", what, shape.status().message()));
      } else if (open && collision_ == Collision::concave) {
        lost.add(fmt::format("{} is open, but a concave body needs a closed mesh", what));
      } else {
        if (open && collision_ != Collision::box && collision_ != Collision::sphere)
          open_.add(fmt::format("{} is open; it touches as the hull around it", what));
        solids.push_back({name, static_cast<int>(body_.shapes.size()), place, k});
        body_.shapes.push_back(std::move(*shape));
      }
    }
    if (!lost.empty() && solids.empty())
      problems_.error(source.place, fmt::format("body \"{}\": {}", body_.name, lost.sentence()));
    else if (!lost.empty())
      problems_.warn(source.place,
                     fmt::format("body \"{}\": {}, and is left out", body_.name, lost.sentence()));
    if (!open_.empty())
      problems_.warn(source.place, fmt::format("body \"{}\": {}", body_.name, open_.sentence()));
    return solids;
  }

  ObjectReader& object_;
  Body& body_;
  std::vector<Joint>& joints_;
  const SceneContext& context_;
  Problems& problems_;
  Mat4d transform_;
  std::shared_ptr<PieceMotion> motion_;  // null: pieces go by keys, or not at all
  Vec3f scale_{1, 1, 1}, spin_;
  Pose place_;
  const JsonNode *copies_ = nullptr, *places_ = nullptr;
  Collision collision_ = Collision::automatic;
  float voxel_ = 0;
  std::optional<FormulaShape> formula_;  // of a source that is one piece
  PieceNames names_;
  Tally open_;
};

}  // namespace

void readRigidBody(ObjectReader& object, Body& body, std::vector<Joint>& joints,
                   const SceneContext& context) {
  RigidReader(object, body, joints, context).read();
}

}  // namespace repose
