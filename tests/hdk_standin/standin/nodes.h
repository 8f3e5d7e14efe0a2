// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Nodes, verbs and parameters of the stand-in. A verb is also run without its node, and inputs may be
// missing.
#pragma once
#include <functional>

#include "standin/geometry.h"

class OP_Node;
class OP_Network;
class OP_Operator;
class SOP_Node;
class SOP_NodeVerb;
struct CH_LocalVariable;
class PRM_Template;

constexpr int SOP_MESSAGE = 0;

class OP_Context {
 public:
  explicit OP_Context(fpreal time = 0) : time_(time) {}
  fpreal getTime() const { return time_; }
  void setTime(fpreal time) { time_ = time; }

 private:
  fpreal time_;
};

enum PRM_Type { PRM_LIST_TERMINATOR, PRM_SOME_TYPE };
class PRM_Name {
 public:
  explicit PRM_Name(const char* token) : token_(token) {}
  const char* getToken() const { return token_; }

 private:
  const char* token_;
};

// A parameter: the stand-in only keeps its name, type and defaults.
class PRM_Template {
 public:
  PRM_Template() = default;
  PRM_Template(std::string n, std::string t, std::vector<std::string> v)
      : name(std::move(n)), type(std::move(t)), values(std::move(v)) {}
  PRM_Type getType() const { return name.empty() ? PRM_LIST_TERMINATOR : PRM_SOME_TYPE; }
  const PRM_Name* getNamePtr() const {
    name_ = std::make_shared<PRM_Name>(name.c_str());
    return name_.get();
  }
  std::string name, type;
  std::vector<std::string> values;

 private:
  mutable std::shared_ptr<PRM_Name> name_;
};

class PRM_TemplateBuilder {
 public:
  PRM_TemplateBuilder(const UT_StringHolder& name, const char* dstext);
  PRM_Template* templates() { return templates_.data(); }
  exint templateLength() const { return static_cast<exint>(templates_.size()); }

 private:
  std::vector<PRM_Template> templates_;  // ends with one without a name
};

using OP_Constructor = OP_Node* (*)(OP_Network*, const char*, OP_Operator*);

class OP_TemplatePair {
 public:
  explicit OP_TemplatePair(PRM_Template* templates, OP_TemplatePair* base = nullptr)
      : templates_(templates), base_(base) {}
  PRM_Template* templates_;
  OP_TemplatePair* base_;
};

class OP_VariablePair;

class OP_Operator {
 public:
  // Of output nodes: rows of several tables, none of them twice.
  OP_Operator(const char* op_name, const char* label, OP_Constructor maker, OP_TemplatePair* pair,
              unsigned least, unsigned most, OP_VariablePair*, unsigned = 0, const char** = nullptr,
              int maxoutputs = 1, const char* = nullptr)
      : name(op_name),
        english(label),
        construct(maker),
        min_sources(least),
        max_sources(most),
        outputs(maxoutputs) {
    std::map<std::string, int> seen;
    for (; pair; pair = pair->base_)
      for (const PRM_Template* t = pair->templates_; !t->name.empty(); ++t) {
        if (seen[t->name]++) throw std::runtime_error("a parameter twice: " + t->name);
        rows_.push_back(*t);
      }
    rows_.emplace_back();
    templates = rows_.data();
  }

  OP_Operator(const char* op_name, const char* label, OP_Constructor maker, PRM_Template* rows,
              unsigned least, unsigned most = 9999, CH_LocalVariable* = nullptr, unsigned = 0,
              const char** inputlabels = nullptr, int maxoutputs = 1, const char* = nullptr)
      : name(op_name),
        english(label),
        construct(maker),
        templates(rows),
        min_sources(least),
        max_sources(most),
        outputs(maxoutputs) {
    for (const char** text = inputlabels; text && *text; ++text) labels.push_back(*text);
  }
  std::string name, english;
  OP_Constructor construct;
  PRM_Template* templates = nullptr;
  unsigned min_sources, max_sources;
  int outputs;
  std::vector<std::string> labels;

 private:
  std::vector<PRM_Template> rows_;
};

class OP_OperatorTable {
 public:
  bool addOperator(OP_Operator* op) {
    operators.emplace_back(op);
    return true;
  }
  std::vector<std::unique_ptr<OP_Operator>> operators;
  OP_Operator* find(const std::string& name) const {
    for (const auto& op : operators)
      if (op->name == name) return op.get();
    return nullptr;
  }
};

// Evaluates parameters of a node at a time.
class SOP_GraphProxy {
 public:
  explicit SOP_GraphProxy(const OP_Node* node) : node_(node) {}
  void evalOpParm(int64& v, exint, const char* name, fpreal time, DEP_MicroNode*) const;
  void evalOpParm(fpreal64& v, exint, const char* name, fpreal time, DEP_MicroNode*) const;
  void evalOpParm(UT_StringHolder& v, exint, const char* name, fpreal time, DEP_MicroNode*) const;
  void evalOpParm(UT_Vector3D& v, exint, const char* name, fpreal time, DEP_MicroNode*) const;

 private:
  const OP_Node* node_;
};

class OP_Node {
 public:
  OP_Node(OP_Network*, const char* name, OP_Operator* op) : op_(op), name_(name) {}
  virtual ~OP_Node() = default;
  OP_Operator* getOperator() const { return op_; }

  // ---- of the stand-in alone ----
  void setParm(const std::string& name, const std::string& value) {
    find(name);
    values[name] = value;
  }
  std::string raw(const std::string& name, fpreal time, int component = 0) const;  // an unknown name throws
  const PRM_Template& find(const std::string& name) const {
    for (const PRM_Template* t = op_->templates; !t->name.empty(); ++t)
      if (t->name == name) return *t;
    throw std::out_of_range("no parameter " + name + " on " + name_);
  }
  std::map<std::string, std::string> values;
  std::vector<std::string> errors, warnings;

 private:
  OP_Operator* op_;
  std::string name_;
};

class SOP_NodeCache {
 public:
  virtual ~SOP_NodeCache() = default;
};

class SOP_NodeParms {
 public:
  class LoadParms {
   public:
    LoadParms(const SOP_GraphProxy* graph, const OP_Context& context) : graph_(graph), context_(context) {}
    const SOP_GraphProxy* graph() const { return graph_; }
    exint nodeIdx() const { return 7; }
    const OP_Context& context() const { return context_; }
    DEP_MicroNode* depnode() const { return nullptr; }

   private:
    const SOP_GraphProxy* graph_;
    const OP_Context& context_;
  };
  virtual ~SOP_NodeParms() = default;
  void loadFromOp(const LoadParms& parms) { loadFromOpSubclass(parms); }
  virtual void copyFrom(const SOP_NodeParms* src) = 0;

 protected:
  virtual void loadFromOpSubclass(const LoadParms& loadparms) = 0;
};

class SOP_NodeVerb {
 public:
  enum CookMode {
    COOK_INPLACE,
    COOK_DUPLICATE,
    COOK_GENERATOR,
    COOK_INSTANCE,
    COOK_GENERIC,
    COOK_PASSTHROUGH
  };
  class CookParms {
   public:
    GU_DetailHandle& gdh() const { return *out; }
    exint nInputs() const { return static_cast<exint>(inputs.size()); }
    bool hasInput(exint k) const { return inputGeo(k) != nullptr; }
    const GU_Detail* inputGeo(exint k) const {
      return k < nInputs() ? inputs[static_cast<std::size_t>(k)] : nullptr;
    }
    template <class T>
    const T& parms() const {
      return static_cast<const T&>(*node_parms);
    }
    SOP_NodeCache* cache() const { return node_cache; }
    fpreal getCookTime() const { return time; }
    SOP_Node* getNode() const { return nullptr; }  // as in a compiled block
    void sopAddError(int, const char* message = nullptr, const UT_SourceLocation* = nullptr) const {
      errors->push_back(message);
    }
    void sopAddWarning(int, const char* message = nullptr, const UT_SourceLocation* = nullptr) const {
      warnings->push_back(message);
    }

    GU_DetailHandle* out = nullptr;
    std::vector<const GU_Detail*> inputs;
    SOP_NodeParms* node_parms = nullptr;
    SOP_NodeCache* node_cache = nullptr;
    fpreal time = 0;
    std::vector<std::string>*errors = nullptr, *warnings = nullptr;
  };
  template <class Verb>
  class Register {
   public:
    const Verb* get() const { return &verb_; }

   private:
    Verb verb_;
  };
  virtual ~SOP_NodeVerb() = default;
  virtual SOP_NodeParms* allocParms() const = 0;
  virtual SOP_NodeCache* allocCache() const { return nullptr; }
  virtual UT_StringHolder name() const = 0;
  virtual CookMode cookMode(const SOP_NodeParms*) const { return COOK_GENERIC; }
  virtual void cook(const CookParms& cookparms) const = 0;
};

class SOP_Flags {
 public:
  void setManagesDataIDs(bool on) { manages = on; }
  bool manages = false;
};

class SOP_Node : public OP_Node {
 public:
  SOP_Node(OP_Network* net, const char* name, OP_Operator* op) : OP_Node(net, name, op) {}
  virtual const SOP_NodeVerb* cookVerb() const { return nullptr; }
  OP_ERROR cookMyselfAsVerb(OP_Context& context);
  GU_DetailHandle getCookedGeoHandle(OP_Context& context, int = 0) {
    if (before_cook) before_cook(context.getTime());
    return cookMySop(context) < UT_ERROR_ABORT ? output : GU_DetailHandle();
  }

  // ---- of the stand-in alone ----
  OP_ERROR standinCook(fpreal time) {
    OP_Context context(time);
    return cookMySop(context);
  }
  void forget() { cache_.reset(); }  // as when a hip is loaded
  std::vector<const GU_Detail*> inputs;
  std::function<void(fpreal)> before_cook;  // changes the inputs for a time
  GU_DetailHandle output;

 protected:
  virtual OP_ERROR cookMySop(OP_Context& context) = 0;
  SOP_Flags mySopFlags;

 private:
  std::unique_ptr<SOP_NodeCache> cache_;
};

void newSopOperator(OP_OperatorTable* table);
void newDriverOperator(OP_OperatorTable* table);
