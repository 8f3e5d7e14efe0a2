// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "standin/nodes.h"

#include <cstdlib>
#include <sstream>

namespace {

// The next word of a dialog script: a name, a brace or a text in quotes, whose quotes go.
bool nextWord(std::istream& in, std::string& word, bool& quoted) {
  char c;
  word.clear(), quoted = false;
  if (!(in >> c)) return false;
  if (c == '{' || c == '}') return word = c, true;
  if (c != '"') {
    in.unget();
    while (in.get(c) && !std::isspace(static_cast<unsigned char>(c)) && c != '{' && c != '}' && c != '"')
      word += c;
    if (in) in.unget();
    return true;
  }
  quoted = true;
  while (in.get(c) && c != '"') {
    if (c == '\\') in.get(c);
    word += c;
  }
  return true;
}

constexpr fpreal kFps = 24;

}  // namespace

PRM_TemplateBuilder::PRM_TemplateBuilder(const UT_StringHolder&, const char* dstext) {
  if (!dstext) throw std::runtime_error("a node without a dialog script");
  std::istringstream in(dstext);
  std::string word, last;
  std::vector<std::string> blocks;  // names of those that are open
  bool quoted;
  while (nextWord(in, word, quoted)) {
    const std::string block = blocks.empty() ? "" : blocks.back();
    if (!quoted && word == "{") {
      blocks.push_back(last);
      if (last == "parm") templates_.emplace_back();
    } else if (!quoted && word == "}") {
      if (blocks.empty()) throw std::runtime_error("braces of a dialog script");
      blocks.pop_back();
    } else if (block == "default") {
      templates_.back().values.push_back(word);
    } else if (block == "parm" && last == "name") {
      templates_.back().name = word;
    } else if (block == "parm" && last == "type") {
      templates_.back().type = word;
    }
    last = quoted ? "" : word;
  }
  if (!blocks.empty()) throw std::runtime_error("braces of a dialog script");
  templates_.emplace_back();
}

std::string OP_Node::raw(const std::string& name, fpreal time, int component) const {
  const PRM_Template& parm = find(name);
  const auto set = values.find(name);
  std::string value;
  if (set != values.end() && parm.type == "vector") {
    std::istringstream words(set->second);
    for (int k = 0; k <= component; ++k) words >> value;
  } else if (set != values.end()) {
    value = set->second;
  } else {
    value = parm.values.at(static_cast<std::size_t>(component));
  }
  if (value == "$FF") return std::to_string(time * kFps + 1);
  if (value == "$FPS") return "24";
  if (value == "$FSTART") return "1";
  if (value == "$FEND") return "240";
  return value;
}

void SOP_GraphProxy::evalOpParm(int64& v, exint, const char* name, fpreal time, DEP_MicroNode*) const {
  v = static_cast<int64>(std::atof(node_->raw(name, time).c_str()));
}
void SOP_GraphProxy::evalOpParm(fpreal64& v, exint, const char* name, fpreal time, DEP_MicroNode*) const {
  v = std::strtod(node_->raw(name, time).c_str(), nullptr);
}
void SOP_GraphProxy::evalOpParm(UT_StringHolder& v, exint, const char* name, fpreal time,
                                DEP_MicroNode*) const {
  v = node_->raw(name, time);
}
void SOP_GraphProxy::evalOpParm(UT_Vector3D& v, exint, const char* name, fpreal time, DEP_MicroNode*) const {
  for (int k = 0; k < 3; ++k) v(k) = std::strtod(node_->raw(name, time, k).c_str(), nullptr);
}

OP_ERROR SOP_Node::cookMyselfAsVerb(OP_Context& context) {
  const SOP_NodeVerb* verb = cookVerb();
  std::unique_ptr<SOP_NodeParms> parms(verb->allocParms()), copy(verb->allocParms());
  const SOP_GraphProxy graph(this);
  parms->loadFromOp(SOP_NodeParms::LoadParms(&graph, context));
  copy->copyFrom(parms.get());  // a verb gets a copy
  if (!cache_) cache_.reset(verb->allocCache());
  errors.clear(), warnings.clear();
  output.allocateAndSet(!inputs.empty() && inputs[0] &&
                                verb->cookMode(copy.get()) == SOP_NodeVerb::COOK_DUPLICATE
                            ? new GU_Detail(*inputs[0])
                            : new GU_Detail());
  SOP_NodeVerb::CookParms cook;
  cook.out = &output, cook.inputs = inputs, cook.node_parms = copy.get(), cook.node_cache = cache_.get();
  cook.time = context.getTime(), cook.errors = &errors, cook.warnings = &warnings;
  verb->cook(cook);
  if (!errors.empty()) return UT_ERROR_ABORT;
  if (const std::string names = output.gdp()->unbumped(); !names.empty() && mySopFlags.manages) {
    errors.push_back("not bumped: " + names);
    return UT_ERROR_FATAL;
  }
  return warnings.empty() ? UT_ERROR_NONE : UT_ERROR_WARNING;
}
