// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Simulation data of the stand-in: objects with named data, solvers, copies as the cache makes them, streams.
#pragma once
#include <functional>
#include <ostream>
#include <set>

#include "standin/nodes.h"

class SIM_Data;
class SIM_Engine;
class SIM_Object;
class SIM_Options;
class SIM_RootData;
using SIM_Time = fpreal;
using SIM_ObjectArray = UT_Array<SIM_Object*>;
using SIM_ConstDataArray = UT_Array<const SIM_Data*>;

#define SIM_GEOMETRY_DATANAME "Geometry"
#define SIM_FORCES_DATANAME   "Forces"
constexpr int SIM_MESSAGE = 0;
enum { SIM_DATA_RETURN_EXISTING = 1, SIM_DATA_ADOPT_EXISTING_ON_DELETE = 2 };

class SIM_DopDescription {
 public:
  SIM_DopDescription(bool makes_dop, const char* name, const char* label, const char* data, const char* type,
                     const PRM_Template* rows)
      : create(makes_dop), dopname(name), english(label), dataname(data), datatype(type), templates(rows) {}
  void setDefaultUniqueDataName(int) {}
  bool create;
  std::string dopname, english, dataname, datatype;
  const PRM_Template* templates;
};

class SIM_DataFactory {
 public:
  std::string type, super;
  std::function<SIM_Data*(const SIM_DataFactory*)> make;
  const SIM_DopDescription* dop = nullptr;
  static std::map<std::string, SIM_DataFactory>& all();
};

// What shows the guide of a datum; the host asks for its geometry when it draws.
class SIM_Guide {
 public:
  explicit SIM_Guide(const SIM_Data* owner) : owner_(owner) {}
  virtual ~SIM_Guide() = default;
  const SIM_Data* owner() const { return owner_; }

 private:
  const SIM_Data* owner_;
};
class SIM_GuidePerObject : public SIM_Guide {
 public:
  using SIM_Guide::SIM_Guide;
};

class SIM_Data {
 public:
  explicit SIM_Data(const SIM_DataFactory* factory) : factory_(factory) {}
  virtual ~SIM_Data() = default;
  const SIM_DataFactory* getFactory() const { return factory_; }
  void addError(const SIM_Data*, int, const char* text, UT_ErrorSeverity) const { errors.push_back(text); }

  // ---- of the stand-in alone: what the engine does with data ----
  void makeEqual(const SIM_Data* source) { makeEqualSubclass(source); }
  void initialize() { initializeSubclass(); }
  void save(std::ostream& out) const { saveSubclass(out); }
  bool load(UT_IStream& in) { return loadSubclass(in); }
  std::unique_ptr<SIM_Guide> standinGuide() const {
    return std::unique_ptr<SIM_Guide>(createGuideObjectSubclass());
  }
  void standinDraw(const SIM_RootData& root, const SIM_Options& options, const GU_DetailHandle& gdh,
                   UT_DMatrix4* xform) const {
    buildGuideGeometrySubclass(root, options, gdh, xform, 0);
  }
  mutable std::vector<std::string> errors;
  std::map<std::string, std::shared_ptr<SIM_Data>> named;

 protected:
  virtual void initializeSubclass() {}
  virtual void makeEqualSubclass(const SIM_Data*) {}
  virtual void saveSubclass(std::ostream& out) const { out << "SIM_Data "; }
  virtual bool loadSubclass(UT_IStream& in) {
    char head[9];
    return in.bread(head, 9) == 9;
  }
  virtual int64 getMemorySizeSubclass() const { return 0; }
  virtual SIM_Guide* createGuideObjectSubclass() const { return nullptr; }
  virtual void buildGuideGeometrySubclass(const SIM_RootData&, const SIM_Options&, const GU_DetailHandle&,
                                          UT_DMatrix4*, const SIM_Time&) const {}

 private:
  const SIM_DataFactory* factory_;
};

class SIM_RootData : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
};

class SIM_Object : public SIM_RootData {
 public:
  explicit SIM_Object(int id = 0) : SIM_RootData(nullptr), id_(id) {}
  int getObjectId() const { return id_; }
  void getAffectors(SIM_ObjectArray& objects, const char* relationship) const {
    if (std::string(relationship) == "SIM_RelationshipCollide")
      for (SIM_Object* object : colliders) objects.append(object);
  }
  void filterConstSubData(SIM_ConstDataArray& found, const SIM_Data*, const class SIM_DataFilter& filter,
                          const char* where, const class SIM_DataFilter&) const;
  std::vector<SIM_Object*> colliders;

 private:
  int id_;
};

class SIM_DataFilter {
 public:
  virtual ~SIM_DataFilter() = default;
  virtual bool accepts(const SIM_Data& data) const = 0;
};
class SIM_DataFilterByType : public SIM_DataFilter {
 public:
  explicit SIM_DataFilterByType(const char* type) : type_(type) {}
  // also what is derived from it
  bool accepts(const SIM_Data& data) const override {
    const auto& all = SIM_DataFactory::all();
    std::string type = data.getFactory() ? data.getFactory()->type : "";
    while (!type.empty() && type != type_) {
      const auto known = all.find(type);
      type = known == all.end() ? "" : known->second.super;
    }
    return !type.empty();
  }

 private:
  std::string type_;
};
class SIM_DataFilterNone : public SIM_DataFilter {
 public:
  bool accepts(const SIM_Data&) const override { return false; }
};

inline void SIM_Object::filterConstSubData(SIM_ConstDataArray& found, const SIM_Data*,
                                           const SIM_DataFilter& filter, const char* where,
                                           const SIM_DataFilter&) const {
  const auto at = named.find(where);
  if (at == named.end()) return;
  for (const auto& [name, data] : at->second->named)
    if (filter.accepts(*data)) found.append(data.get());
}

#define SIM_DATA_GET(parent, name, Class) (standin::get<Class>((parent), (name)))
#define SIM_DATA_GETCONST(parent, name, Class) \
  (const_cast<const Class*>(standin::get<Class>((parent), (name))))
#define SIM_DATA_CASTCONST(data, Class)             (dynamic_cast<const Class*>(data))
#define SIM_DATA_CREATE(parent, name, Class, flags) (standin::create<Class>((parent), (name), (flags)))

namespace standin {
template <class Class>
Class* get(const SIM_Data& parent, const std::string& name) {
  const auto at = parent.named.find(name);
  return at == parent.named.end() ? nullptr : dynamic_cast<Class*>(at->second.get());
}
inline std::shared_ptr<SIM_Data> makeData(const std::string& type) {
  const SIM_DataFactory& factory = SIM_DataFactory::all().at(type);
  std::shared_ptr<SIM_Data> data(factory.make(&factory));
  data->initialize();
  return data;
}
template <class Class>
Class* create(SIM_Data& parent, const std::string& name, int flags) {
  auto& slot = parent.named[name];
  if (!slot || !(flags & SIM_DATA_RETURN_EXISTING)) slot = makeData(Class::classname());
  return dynamic_cast<Class*>(slot.get());
}
// As the cache of a simulation copies an object: new data, made equal.
inline std::unique_ptr<SIM_Object> copyObject(const SIM_Object& from) {
  auto copy = std::make_unique<SIM_Object>(from.getObjectId());
  copy->colliders = from.colliders;
  for (const auto& [name, data] : from.named) {
    if (!data->getFactory()) {
      copy->named[name] = data;
      continue;
    }
    copy->named[name] = makeData(data->getFactory()->type);
    copy->named[name]->makeEqual(data.get());
  }
  return copy;
}
}  // namespace standin

#define DECLARE_STANDARD_GETCASTTOTYPE()
#define DECLARE_DATAFACTORY(Class, SuperClass, Description, DopDescription)            \
 public:                                                                               \
  static const char* classname() { return #Class; }                                    \
  static void standinRegister() {                                                      \
    SIM_DataFactory& factory = SIM_DataFactory::all()[#Class];                         \
    factory.type = #Class;                                                             \
    factory.super = #SuperClass;                                                       \
    factory.make = [](const SIM_DataFactory* f) -> SIM_Data* { return new Class(f); }; \
    factory.dop = DopDescription;                                                      \
  }                                                                                    \
                                                                                       \
 private:                                                                              \
  using standin_super = SuperClass
#define IMPLEMENT_DATAFACTORY(Class) Class::standinRegister()

// No conversion between types: asking for another one is an error, as there.
class SIM_Options {
 public:
  fpreal64 getOptionF(const UT_StringHolder& name) const { return at(name, 'F').numbers[0]; }
  int64 getOptionI(const UT_StringHolder& name) const { return static_cast<int64>(at(name, 'I').numbers[0]); }
  bool getOptionB(const UT_StringHolder& name) const { return at(name, 'B').numbers[0] != 0; }
  UT_StringHolder getOptionS(const UT_StringHolder& name) const { return at(name, 'S').text; }
  UT_Vector3D getOptionV3(const UT_StringHolder& name) const {
    const auto& v = at(name, 'V').numbers;
    return {v[0], v[1], v[2]};
  }
  struct Option {
    char type = 'F';
    double numbers[3] = {0, 0, 0};
    std::string text;
  };
  std::map<std::string, Option> options;

 private:
  const Option& at(const UT_StringHolder& name, char type) const {
    const Option& option = options.at(name.c_str());
    if (option.type != type) throw std::runtime_error(std::string("type of the option ") + name.c_str());
    return option;
  }
};

class SIM_OptionsUser {
 public:
  explicit SIM_OptionsUser(SIM_Data*) {}
  virtual ~SIM_OptionsUser() = default;
  const SIM_Options& getOptions() const { return options_; }
  // Of the stand-in alone: takes the defaults of the templates, as the node does, then those given.
  void standinSet(const PRM_Template* templates, const std::map<std::string, std::string>& values);

 private:
  SIM_Options options_;
};

class SIM_Engine {
 public:
  SIM_Time getSimulationTime() const { return time; }
  SIM_Time time = 0;
};

class SIM_Solver : public SIM_Data {
 public:
  enum SIM_Result { SIM_SOLVER_SUCCESS, SIM_SOLVER_REPEAT, SIM_SOLVER_SUBSTEP, SIM_SOLVER_FAIL };
  explicit SIM_Solver(const SIM_DataFactory* factory) : SIM_Data(factory) {}
  SIM_Result standinSolve(SIM_Engine& engine, SIM_ObjectArray& objects, SIM_ObjectArray& fresh,
                          const SIM_Time& step) {
    SIM_ObjectArray feedback;
    return solveObjectsSubclass(engine, objects, fresh, feedback, step);
  }

 protected:
  virtual SIM_Result solveObjectsSubclass(SIM_Engine&, SIM_ObjectArray&, SIM_ObjectArray&, SIM_ObjectArray&,
                                          const SIM_Time&) = 0;
};

class SIM_Geometry : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  void getTransform(UT_DMatrix4& transform) const { transform = place; }
  GU_Detail detail;
  UT_DMatrix4 place{1.0};
};
class SIM_GeometryCopy : public SIM_Geometry {
 public:
  using SIM_Geometry::SIM_Geometry;

 protected:
  void makeEqualSubclass(const SIM_Data* source) override {
    detail = static_cast<const SIM_GeometryCopy*>(source)->detail;
    place = static_cast<const SIM_GeometryCopy*>(source)->place;
  }
  DECLARE_DATAFACTORY(SIM_GeometryCopy, SIM_Geometry, "Geometry", nullptr);
};

class SIM_GeometryAutoReadLock {
 public:
  explicit SIM_GeometryAutoReadLock(const SIM_Geometry* geometry) : geometry_(geometry) {}
  const GU_Detail* getGdp() const { return &geometry_->detail; }

 private:
  const SIM_Geometry* geometry_;
};
enum SIM_DataIdStrategy { SIM_DATA_ID_BUMP, SIM_DATA_ID_PRESERVE };
class SIM_GeometryAutoWriteLock {
 public:
  explicit SIM_GeometryAutoWriteLock(SIM_GeometryCopy* geometry, SIM_DataIdStrategy = SIM_DATA_ID_BUMP)
      : geometry_(geometry) {}
  GU_Detail& getGdp() { return geometry_->detail; }

 private:
  SIM_GeometryCopy* geometry_;
};

class SIM_Force : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  void getForce(const SIM_Object& object, const UT_Vector3& position, const UT_Vector3& velocity,
                const UT_Vector3& angvel, const fpreal mass, UT_Vector3& force, UT_Vector3& torque) const {
    getForceSubclass(object, position, velocity, angvel, mass, force, torque);
  }

 protected:
  virtual void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3&, const UT_Vector3&,
                                const fpreal, UT_Vector3& force, UT_Vector3& torque) const {
    force = torque = UT_Vector3(0, 0, 0);
  }
};
class SIM_ForceGravity : public SIM_Force {
 public:
  using SIM_Force::SIM_Force;
  UT_Vector3 getGravity() const { return gravity; }
  UT_Vector3 gravity{0, -9.81f, 0};

 protected:
  void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3&, const UT_Vector3&,
                        const fpreal mass, UT_Vector3& force, UT_Vector3& torque) const override {
    const auto m = static_cast<float>(mass);
    force = UT_Vector3(m * gravity.x(), m * gravity.y(), m * gravity.z()), torque = UT_Vector3(0, 0, 0);
  }
  DECLARE_DATAFACTORY(SIM_ForceGravity, SIM_Force, "Gravity", nullptr);
};
class SIM_ForceUniform : public SIM_Force {
 public:
  using SIM_Force::SIM_Force;
  UT_Vector3 uniform{0, 0, 0};

 protected:
  void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3&, const UT_Vector3&,
                        const fpreal, UT_Vector3& force, UT_Vector3& torque) const override {
    force = uniform, torque = UT_Vector3(0, 0, 0);
  }
  DECLARE_DATAFACTORY(SIM_ForceUniform, SIM_Force, "Uniform Force", nullptr);
};

void initializeSIM(void*);
