// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "houdini_nodes/node_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "params/text.h"

namespace repose::nodes {

namespace {

constexpr double kFar = 1e9;

OwnParameter toggle(const char* name, const char* label, bool value, const char* help) {
  return {name, label, help, OwnType::toggle, value ? "1" : "0", 0, 1};
}
OwnParameter integer(const char* name, const char* label, const char* value, double least, double greatest,
                     const char* help) {
  return {name, label, help, OwnType::integer, value, least, greatest};
}
OwnParameter real(const char* name, const char* label, const char* value, double least, double greatest,
                  const char* help) {
  return {name, label, help, OwnType::real, value, least, greatest};
}
OwnParameter choice(const char* name, const char* label, const char* choices, const char* help) {
  const std::vector<std::string> names = splitText(choices, '|');
  return {name, label, help, OwnType::choice, names[0], 0, 0, names};
}
OwnParameter text(const char* name, const char* label, const char* value, const char* help) {
  return {name, label, help, OwnType::text, value};
}
OwnParameter file(const char* name, const char* label, const char* value, const char* help) {
  return {name, label, help, OwnType::file, value};
}
OwnParameter node(const char* name, const char* label, const char* help) {
  return {name, label, help, OwnType::node, ""};
}
OwnParameter hidden(OwnParameter parameter) {
  parameter.hidden = true;
  return parameter;
}

using Own = std::vector<OwnParameter>;
using Slots = std::vector<NodeSlot>;

Own operator+(Own a, const Own& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// ---- rows that several nodes share ----

const Own kTime = {
    integer("startframe", "Start Frame", "1", -kFar, kFar, "Frame at which the geometry is as it comes in."),
    integer("stepsperframe", "Steps Per Frame", "1", 1, 1000,
            "How often the node cooks for a frame, as the substeps of the Solver SOP around it; the substeps "
            "of the "
            "world must be a multiple of it."),
    hidden(real("frame", "Frame", "$FF", -kFar, kFar, "Makes the node cook at each frame."))};
const Own kGround = {toggle("useground", "Ground Plane", false, "An endless floor."),
                     real("groundpos", "Ground Position", "0", -1e6, 1e6, "Height of the floor [m]."),
                     real("groundfriction", "Ground Friction", "0.25", 0, 100, "Friction of the floor.")};
const Own kPins = {
    text("pingroup", "Pin Group", "",
         "Point group that is held; beside it points with stopped, pintoanimation or a "
         "mass of 0 are."),
    choice("pintype", "Pin Type", "permanent|animated",
           "permanent: held where they are; animated: they follow the animated source of the solver.")};
const Slots kGeometry = {{"geometry", "Geometry", "", true}};
const Slots kWorldInputs = {
    {"geometry", "Geometry", "Configured geometry; of the solver that of the previous frame.", true},
    {"constraints", "Constraints", "Primitives of repose::constraints, or of Vellum and RBD.", false},
    {"colliders", "Colliders", "Geometry that cannot be moved; of repose::collider where it has parameters.",
     false},
    {"source", "Animated Source",
     "The configured geometry at the current frame, which animated pins and pieces follow, and whose "
     "parameters with keyframes count.",
     false}};

Own named(const char* name) {
  return {text("name", "Name", name, "Of the body: letters, digits and underscores; no other has it.")};
}

// Where the frames of a range are written.
Own range(const char* written, const char* value) {
  return {file("file", "File", value, written),
          integer("f1", "Start", "$FSTART", -kFar, kFar, "First frame."),
          integer("f2", "End", "$FEND", -kFar, kFar, "Last frame.")};
}
const Own kWrite = {
    toggle("write", "Write", false, "Writes when the node cooks; off, it only passes geometry on.")};

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<NodeRow> makeTable() {
  return {
      {NodeContext::sop,
       "repose::solver",
       "Repose Solver",
       "Advances sand, cloth, soft and rigid bodies by one step: the node to put inside a Solver SOP. All "
       "that it "
       "remembers is in attributes of its output.",
       kWorldInputs,
       kGeometry,
       {"world", "solver"},
       kTime + kGround},
      {NodeContext::sop,
       "repose::configure_cloth",
       "Repose Configure Cloth",
       "Makes a polygon mesh a cloth.",
       kGeometry,
       kGeometry,
       {"cloth"},
       named("cloth") + kPins},
      {NodeContext::sop,
       "repose::configure_grain",
       "Repose Configure Grain",
       "Makes points grains, with pscale as their radius, or fills a closed mesh with grains.",
       kGeometry,
       kGeometry,
       {"grain"},
       named("grain") +
           Own{toggle("createpoints", "Create Points", false,
                      "Fills the closed mesh of the input with grains."),
               choice("packing", "Packing", "hexagonal|lattice|random",
                      "hexagonal is the densest, random the only one that looks like no crystal."),
               real("jitter", "Jitter", "0", 0, 10, "Share of the radius by which grains leave their place."),
               integer("seed", "Seed", "0", 0, 4294967295.0, "Another number, another arrangement.")}},
      {NodeContext::sop,
       "repose::configure_soft",
       "Repose Configure Soft",
       "Makes a closed mesh, or tetrahedra, a soft body.",
       kGeometry,
       kGeometry,
       {"soft"},
       named("soft") +
           Own{real("edge", "Edge Length", "0", 0, 1e6,
                    "Mean edge of the tetrahedra that fill a closed mesh [m]; 0 chooses."),
               choice("boundary", "Boundary", "conforming|embedded",
                      "conforming: tetrahedra end at the surface; embedded: they reach over it.")} +
           kPins},
      {NodeContext::sop,
       "repose::configure_rigid",
       "Repose Configure Rigid",
       "Makes a mesh one rigid body or many.",
       kGeometry,
       kGeometry,
       {"rigid"},
       named("rigid") +
           Own{choice("pieces", "Pieces", "whole|connected|name",
                      "whole: one piece; connected: what hangs together; name: by the attribute name of "
                      "points or "
                      "primitives."),
               choice("collision", "Collision", "auto|hull|box|sphere|parts|concave",
                      "What a piece touches with. auto is the hull; concave the closed mesh as it is."),
               real("voxel", "Voxel", "0", 0, 1e6, "Cells of the field of a concave piece [m]; 0 chooses.")}},
      {NodeContext::sop,
       "repose::constraints",
       "Repose Constraints",
       "Makes stitches between cloths, pins, or joints between rigid pieces, as primitives with Vellum's "
       "attributes.",
       kGeometry,
       {{"constraints", "Constraints", "", true}},
       {"joint"},
       Own{choice("type", "Type", "stitch|pin|joint",
                  "stitch: threads between points; pin: points that are held; joint: between named pieces."),
           text("groupa", "Group A", "", "Points at one end; empty: all."),
           text("groupb", "Group B", "", "Points at the other end; empty: all of other bodies or pieces."),
           real("maxdistance", "Max Distance", "0.1", 0, 1e6, "Ends are at most so far apart [m]."),
           real("stiffness", "Stiffness", "1e10", 0, 1e12, "Of each thread [N/m]."),
           choice("jointkind", "Joint Kind", "fixed|spherical|hinge|slider|distance|spring",
                  "What a joint leaves free."),
           toggle("slide", "Slide", false,
                  "Pins slide along the axis, as a curtain on its rod; needs the method interleaved."),
           OwnParameter{"axis", "Axis", "Of hinges and sliders, and of pins that slide.", OwnType::vec3,
                        "0 1 0", -1, 1}}},
      {NodeContext::sop,
       "repose::collider",
       "Repose Collider",
       "Gives a mesh the parameters of a collider, still or moving.",
       kGeometry,
       kGeometry,
       {"collider"},
       named("collider") +
           Own{toggle("inside", "Inside", false, "Bodies are kept inside: a container."),
               toggle("moves", "Moves", false, "Its points move; the surface carries bodies with it."),
               real("voxel", "Voxel", "0", 0, 1e6,
                    "Turns a closed still mesh into a field with cells of so many metres; 0 keeps the "
                    "mesh.")}},
      {NodeContext::sop,
       "repose::export_job",
       "Repose Export Job",
       "Writes a scene and its geometry, which the command line runs without a licence and with the same "
       "bits. Inputs "
       "are those of the solver at the start frame; what moves is exported by the ROP.",
       kWorldInputs,
       kGeometry,
       {"world", "solver"},
       range("The scene to write; geometry goes into a file beside it.", "$HIP/repose/$OS.json") + kWrite +
           kTime + kGround},
      {NodeContext::sop,
       "repose::cache",
       "Repose Cache",
       "Appends the geometry of each frame to one Alembic file, which is complete after every frame.",
       kGeometry,
       kGeometry,
       {},
       range("The Alembic file to write.", "$HIP/geo/$OS.abc") + kWrite +
           Own{real("fps", "Frames Per Second", "$FPS", 1, 1000, "Of the file."),
               hidden(real("frame", "Frame", "$FF", -kFar, kFar, "Makes the node cook at each frame."))}},
      {NodeContext::dop,
       "repose_solver",
       "Repose Solver",
       "Solves all objects that affect each other in one world.",
       {{"objects", "Objects", "Objects with configured geometry.", true}},
       {{"objects", "Objects", "", true}},
       {"world", "solver"},
       Own{integer("startframe", "Start Frame", "1", -kFar, kFar, "Frame of the simulation's time 0."),
           toggle("usegravity", "Gravity From Forces", true,
                  "Gravity is that of the forces of the objects where they have one."),
           toggle("showthickness", "Show Thickness", false,
                  "Draws about each point how far it reaches: pscale of grains, thickness of cloth."),
           toggle("showcontacts", "Show Contacts", false,
                  "Draws a line at each contact, along what it pushes with, as long as the force."),
           real("contactscale", "Contact Scale", "0.01", 0, 1000,
                "Length of the line for a force of 1 N [m].")} +
           kGround},
      {NodeContext::rop,
       "repose_rop",
       "Repose",
       "Cooks a range of frames in order, and writes a job for the command line or an Alembic cache.",
       {},
       {},
       {"world", "solver"},
       Own{choice("trange", "Valid Frame Range", "off|normal|on",
                  "off: the current frame; normal: from start to end; on: only these, also when others are "
                  "asked "
                  "for."),
           integer("f1", "Start", "$FSTART", -kFar, kFar, "First frame."),
           integer("f2", "End", "$FEND", -kFar, kFar, "Last frame."),
           integer("f3", "Inc", "1", 1, 1000, "From one frame to the next."),
           toggle("initsim", "Initialize Simulation OPs", true,
                  "Simulations begin anew. Farms read it as: one machine, frames in order."),
           toggle("alfprogress", "Alfred Style Progress", false, "Prints ALF_PROGRESS lines for farms."),
           choice("mode", "Mode", "job|cache", "job: a scene for the command line; cache: an Alembic file."),
           file("file", "File", "$HIP/repose/$OS.json", "The scene, or the Alembic file, to write."),
           node("soppath", "SOP Path", "Configured geometry; of a cache what is written."),
           node("constraintpath", "Constraint Path", "Constraints of a job."),
           node("colliderpath", "Collider Path", "Colliders of a job.")} +
           kGround},
  };
}

nlohmann::ordered_json slotsJson(const std::vector<NodeSlot>& slots) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const NodeSlot& slot : slots)
    list.push_back(
        {{"name", slot.name}, {"label", slot.label}, {"help", slot.help}, {"required", slot.required}});
  return list;
}

nlohmann::ordered_json ownJson(const OwnParameter& own) {
  static constexpr const char* kTypes[] = {"toggle", "integer", "real", "vec3",
                                           "choice", "text",    "file", "node"};
  nlohmann::ordered_json entry = {{"name", own.name}, {"type", kTypes[static_cast<int>(own.type)]}};
  entry["default"] = own.value;
  if (own.type == OwnType::choice) entry["choices"] = own.choices;
  if (own.type == OwnType::integer || own.type == OwnType::real || own.type == OwnType::vec3)
    entry["range"] = {own.least, own.greatest};
  entry["label"] = own.label;
  entry["help"] = own.help;
  entry["hidden"] = own.hidden;
  return entry;
}

}  // namespace

const std::vector<NodeRow>& nodeTable() {
  static const std::vector<NodeRow> table = makeTable();
  return table;
}

const NodeRow* findNode(std::string_view type) {
  const std::vector<NodeRow>& table = nodeTable();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const NodeRow& row) { return row.type == type; });
  return found == table.end() ? nullptr : &*found;
}

std::string nodesJson() {
  static constexpr const char* kContexts[] = {"sop", "dop", "rop"};
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  for (const NodeRow& row : nodeTable()) {
    nlohmann::ordered_json entry = {{"context", kContexts[static_cast<int>(row.context)]},
                                    {"type", row.type},
                                    {"label", row.label},
                                    {"help", row.help},
                                    {"inputs", slotsJson(row.inputs)},
                                    {"outputs", slotsJson(row.outputs)},
                                    {"groups", row.groups}};
    entry["own"] = nlohmann::ordered_json::array();
    for (const OwnParameter& own : row.own) entry["own"].push_back(ownJson(own));
    table.push_back(std::move(entry));
  }
  const nlohmann::ordered_json all = {{"nodes", table},
                                      {"parameters", nlohmann::ordered_json::parse(paramsJson())}};
  return all.dump(2) + "\n";
}

}  // namespace repose::nodes
