// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Every call of Houdini's library that the glue relies on, one a line. It compiles on the stand-in in our
// tests. On a real HDK it is the first thing to compile (target hdk_contract): each error names one
// assumption that is wrong.
#include <GA/GA_AIFTuple.h>
#include <GA/GA_AttributeDict.h>
#include <GA/GA_Handle.h>
#include <GA/GA_PrimitiveTypes.h>
#include <GA/GA_Range.h>
#include <GEO/GEO_Face.h>
#include <GEO/GEO_PolyCounts.h>
#include <GEO/GEO_PrimPoly.h>
#include <GU/GU_Detail.h>
#include <GU/GU_DetailHandle.h>
#include <GU/GU_PrimPacked.h>
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <PRM/PRM_TemplateBuilder.h>
#include <ROP/ROP_Node.h>
#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_DataUtils.h>
#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_ForceGravity.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_GuidePerObject.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_Solver.h>
#include <SOP/SOP_Node.h>
#include <SOP/SOP_NodeVerb.h>
#include <UT/UT_IStream.h>
#include <UT/UT_Interrupt.h>
#include <UT/UT_Matrix3.h>
#include <UT/UT_Matrix4.h>
#include <UT/UT_StringHolder.h>
#include <UT/UT_Vector3.h>

#include <type_traits>
#include <utility>

namespace contract {

// The type of an expression can be turned into another one without loss of meaning.
template <class Wanted, class Given>
constexpr bool gives = std::is_convertible_v<Given, Wanted>;

#define GIVES(Wanted, expression) static_assert(gives<Wanted, decltype(expression)>, #expression)

const GU_Detail& read();
GU_Detail& write();
const GA_Attribute& attribute();
GA_Attribute& changed();
const GEO_Primitive& primitive();

// ---- geometry ----
GIVES(GA_Size, read().getNumPoints());
GIVES(GA_Size, read().getNumPrimitives());
GIVES(GA_Offset, read().pointOffset(GA_Index(0)));
GIVES(GA_Index, read().pointIndex(GA_Offset(0)));
GIVES(GA_Offset, read().primitiveOffset(GA_Index(0)));
GIVES(const GA_Attribute*, read().findAttribute(GA_ATTRIB_POINT, "P"));
GIVES(GA_Attribute*, write().getP());
GIVES(GA_Offset, write().appendPointBlock(GA_Size(1)));
GIVES(void, write().clearAndDestroy());
GIVES(void, write().bumpDataIdsForAddOrRemove(true, true, true));
GIVES(const GEO_Primitive*, read().getGEOPrimitiveByIndex(GA_Index(0)));
GIVES(const GA_PointGroup*, read().findPointGroup("name"));
GIVES(bool, read().findPointGroup("name")->contains(GA_Offset(0)));
GIVES(int, primitive().getTypeId().get());
GIVES(GA_Size, primitive().getVertexCount());
GIVES(GA_Offset, primitive().getPointOffset(0));
GIVES(bool, static_cast<const GEO_Face&>(primitive()).isClosed());
static_assert(std::is_base_of_v<GEO_Primitive, GEO_Face> && std::is_base_of_v<GEO_Face, GEO_PrimPoly>);
static_assert(int(GA_PRIMPOLY) != int(GA_PRIMTETRAHEDRON));
GIVES(GA_Offset, GEO_PrimPoly::buildBlock(&write(), GA_Offset(0), GA_Size(1), GEO_PolyCounts(),
                                          static_cast<const int*>(nullptr), false));
GIVES(void, std::declval<GEO_PolyCounts&>().append(2, 1));
GIVES(bool, GU_PrimPacked::isPackedPrimitive(primitive()));
GIVES(const GU_Detail*, std::declval<const GU_PrimPacked&>().getPackedDetail().gdp());
GIVES(void, std::declval<const GU_PrimPacked&>().getFullTransform4(std::declval<UT_Matrix4D&>()));
GIVES(void, std::declval<GU_PrimPacked&>().setLocalTransform(std::declval<const UT_Matrix3D&>()));
static_assert(std::is_base_of_v<GEO_Primitive, GU_PrimPacked>);
GIVES(GEO_Primitive*, write().getGEOPrimitiveByIndex(GA_Index(0)));
GIVES(void, write().getPrimitiveList().bumpDataId());
GIVES(GA_DataId, read().getPrimitiveList().getDataId());
GIVES(GA_DataId, read().getTopology().getDataId());
static_assert(std::is_integral_v<GA_DataId> && std::is_convertible_v<decltype(GA_INVALID_DATAID), GA_DataId>);

// ---- attributes ----
GIVES(bool, read().getAttributeDict(GA_ATTRIB_POINT).begin(GA_SCOPE_PUBLIC).atEnd());
GIVES(const GA_Attribute*, read().getAttributeDict(GA_ATTRIB_DETAIL).begin(GA_SCOPE_PUBLIC).attrib());
GIVES(const char*, attribute().getName().c_str());
GIVES(int, attribute().getTupleSize());
GIVES(void, changed().bumpDataId());
GIVES(GA_DataId, attribute().getDataId());
GIVES(GA_Attribute*, write().findAttribute(GA_ATTRIB_PRIMITIVE, "name"));
GIVES(GA_Attribute*, write().addFloatTuple(GA_ATTRIB_POINT, "name", 3));
GIVES(GA_Attribute*, write().addIntTuple(GA_ATTRIB_POINT, "name", 1));
GIVES(GA_Attribute*, write().addStringTuple(GA_ATTRIB_POINT, "name", 1));
GIVES(GA_Attribute*, write().addIntArray(GA_ATTRIB_DETAIL, "name"));
GIVES(bool, GA_ROHandleF(&attribute()).isValid());
GIVES(bool, GA_ROHandleID(&attribute()).isValid());
GIVES(GA_Size, GA_Range(attribute().getIndexMap()).getEntries());
GIVES(bool, attribute().getAIFTuple()->getRange(&attribute(), GA_Range(attribute().getIndexMap()),
                                                static_cast<float*>(nullptr)));
GIVES(bool, attribute().getAIFTuple()->getRange(&attribute(), GA_Range(attribute().getIndexMap()),
                                                static_cast<int64*>(nullptr)));
GIVES(bool, changed().getAIFTuple()->setRange(&changed(), GA_Range(attribute().getIndexMap()),
                                              static_cast<const float*>(nullptr)));
GIVES(bool, changed().getAIFTuple()->setRange(&changed(), GA_Range(attribute().getIndexMap()),
                                              static_cast<const int64*>(nullptr)));
GIVES(bool, changed().getAIFTuple()->setRange(&changed(), GA_Range(attribute().getIndexMap()),
                                              static_cast<const int32*>(nullptr)));
static_assert(std::is_same_v<int64, std::int64_t> && std::is_same_v<int32, std::int32_t>);
GIVES(const char*, GA_ROHandleS(&attribute()).get(GA_Offset(0), 0));
GIVES(bool, GA_ROHandleIA(&attribute()).isValid());
GIVES(void, GA_ROHandleIA(&attribute()).get(GA_Offset(0), std::declval<UT_Int32Array&>()));
GIVES(bool, std::declval<GA_RWHandleF&>().isValid());
GIVES(bool, std::declval<GA_RWHandleID&>().isValid());
GIVES(void, std::declval<GA_RWHandleS&>().set(GA_Offset(0), "text"));
GIVES(void, std::declval<GA_RWHandleIA&>().set(GA_Offset(0), std::declval<const UT_Int32Array&>()));
static_assert(std::is_constructible_v<GA_RWHandleF, GA_Attribute*> &&
              std::is_constructible_v<GA_RWHandleS, GA_Attribute*>);
GIVES(void, std::declval<UT_Int32Array&>().setSize(1));
GIVES(int32*, std::declval<UT_Int32Array&>().array());

// ---- SOPs ----
using Cook = SOP_NodeVerb::CookParms;
GIVES(GU_Detail*, std::declval<const Cook&>().gdh().gdpNC());
GIVES(const GU_Detail*, std::declval<const Cook&>().inputGeo(exint(0)));
GIVES(SOP_NodeCache*, std::declval<const Cook&>().cache());
GIVES(void, std::declval<const Cook&>().sopAddError(SOP_MESSAGE, "text"));
GIVES(void, std::declval<const Cook&>().sopAddWarning(SOP_MESSAGE, "text"));
using Load = SOP_NodeParms::LoadParms;
template <class T>
void evaluates(const Load& load, T& value) {
  load.graph()->evalOpParm(value, load.nodeIdx(), "name", load.context().getTime(), load.depnode());
}
[[maybe_unused]] void (*const kEvaluates[])(const Load&, fpreal64&) = {evaluates<fpreal64>};
[[maybe_unused]] void (*const kWholes[])(const Load&, int64&) = {evaluates<int64>};
[[maybe_unused]] void (*const kTexts[])(const Load&, UT_StringHolder&) = {evaluates<UT_StringHolder>};
[[maybe_unused]] void (*const kVectors[])(const Load&, UT_Vector3D&) = {evaluates<UT_Vector3D>};
GIVES(PRM_Template*, std::declval<PRM_TemplateBuilder&>().templates());
static_assert(std::is_constructible_v<PRM_TemplateBuilder, UT_StringHolder, const char*>);
static_assert(
    std::is_constructible_v<OP_Operator, const char*, const char*, OP_Constructor, PRM_Template*, unsigned,
                            unsigned, CH_LocalVariable*, unsigned, const char**, int, const char*>);
GIVES(bool, UT_AutoInterrupt("text").wasInterrupted(50));

// ---- ROP ----
GIVES(PRM_Template*, ROP_Node::getROPbaseTemplate());
static_assert(std::is_constructible_v<OP_TemplatePair, PRM_Template*, OP_TemplatePair*>);

// ---- DOPs ----
GIVES(int, std::declval<const SIM_Object&>().getObjectId());
GIVES(void, std::declval<const SIM_Object&>().getAffectors(std::declval<SIM_ObjectArray&>(),
                                                           "SIM_RelationshipCollide"));
GIVES(UT_Vector3, std::declval<const SIM_ForceGravity&>().getGravity());
GIVES(void, std::declval<const SIM_Force&>().getForce(
                std::declval<const SIM_Object&>(), std::declval<const UT_Vector3&>(),
                std::declval<const UT_Vector3&>(), std::declval<const UT_Vector3&>(), fpreal(1),
                std::declval<UT_Vector3&>(), std::declval<UT_Vector3&>()));
GIVES(fpreal64, std::declval<const SIM_Options&>().getOptionF("name"));
GIVES(int64, std::declval<const SIM_Options&>().getOptionI("name"));
GIVES(bool, std::declval<const SIM_Options&>().getOptionB("name"));
GIVES(UT_Vector3D, std::declval<const SIM_Options&>().getOptionV3("name"));
GIVES(const GU_Detail*, SIM_GeometryAutoReadLock(static_cast<const SIM_Geometry*>(nullptr)).getGdp());
GIVES(GU_Detail&,
      SIM_GeometryAutoWriteLock(static_cast<SIM_GeometryCopy*>(nullptr), SIM_DATA_ID_PRESERVE).getGdp());
GIVES(exint, std::declval<UT_IStream&>().bread(static_cast<char*>(nullptr), exint(1)));
GIVES(exint, std::declval<UT_IStream&>().bread(static_cast<int64*>(nullptr)));
GIVES(void, std::declval<const SIM_Geometry&>().getTransform(std::declval<UT_DMatrix4&>()));
GIVES(fpreal64, std::declval<const UT_DMatrix4&>()(0, 0));
GIVES(SIM_Guide*, new SIM_GuidePerObject(static_cast<const SIM_Data*>(nullptr)));
GIVES(GU_Detail*, GU_DetailHandleAutoWriteLock(std::declval<const GU_DetailHandle&>()).getGdp());
GIVES(bool, std::declval<const GU_DetailHandle&>().isNull());
static_assert(std::is_base_of_v<SIM_RootData, SIM_Object> && std::is_base_of_v<SIM_Force, SIM_ForceGravity>);
static_assert(std::is_constructible_v<SIM_DopDescription, bool, const char*, const char*, const char*,
                                      const char*, const PRM_Template*>);
static_assert(SIM_Solver::SIM_SOLVER_SUCCESS != SIM_Solver::SIM_SOLVER_FAIL);

}  // namespace contract
