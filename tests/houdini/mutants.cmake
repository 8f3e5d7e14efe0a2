# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
# Seeded bugs in the glue, each a place and what stands there instead. All of them are compiled into one copy of the
# glue, which is healthy until REPOSE_MUTANT names a bug; mutants_test sees to it that every one makes a test fail.
set(mutant_count 0)
set(mutant_names "")

# mutant(FILE "what goes wrong" "text" "text instead"): both are statements. The text stands once in the file.
function(mutant file what old new)
  math(EXPR number "${mutant_count} + 1")
  set(path ${CMAKE_CURRENT_BINARY_DIR}/mutants/${file})
  if(NOT EXISTS ${path} OR NOT file IN_LIST mutant_files)
    file(READ ${PROJECT_SOURCE_DIR}/${file} text)
    list(APPEND mutant_files ${file})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
  else()
    file(READ ${path} text)
  endif()
  string(FIND "${text}" "${old}" first)
  string(FIND "${text}" "${old}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "mutant ${number} (${what}): its text stands not once in ${file}")
  endif()
  string(REPLACE "${old}" "if (standin::mutant(${number})) { ${new} } else { ${old} }" text "${text}")
  file(WRITE ${path} "${text}")
  set(mutant_files ${mutant_files} PARENT_SCOPE)
  set(mutant_count ${number} PARENT_SCOPE)
  set(mutant_names "${mutant_names}    \"${what}\",\n" PARENT_SCOPE)
endfunction()

mutant(houdini_sop/write_detail.cpp "P is written and not bumped" "detail.getP()->bumpDataId();" "")
mutant(houdini_sop/write_detail.cpp "an array is written and not bumped"
       "handle.set(GA_Offset(0), numbers);\n  attribute->bumpDataId();" "handle.set(GA_Offset(0), numbers);")
mutant(houdini_sop/write_detail.cpp "new points and primitives are not bumped"
       "detail.bumpDataIdsForAddOrRemove(true, true, true);" "")
mutant(houdini_sop/elements.h "an index is taken for the offset of an element"
       "return owner == Owner::point ? detail.pointOffset(index) : detail.primitiveOffset(index);" "return index;")
mutant(houdini_sop/read_detail.cpp "polygons are not turned round"
       "primitives.push_back(read);" "primitives.push_back(read);
    if (turn) std::reverse(corners.end() - count, corners.end());")
mutant(houdini_sop/read_detail.cpp "the numbers of an array are not read" "array.get(GA_Offset(0), numbers);" "")
mutant(houdini_sop/read_detail.cpp "numbers such as v are not read"
       "read.values = readNumbers<float>(attribute);" "return false;")
mutant(houdini_sop/read_detail.cpp "primitives of any kind are taken for polygons"
       "if (type == GA_PRIMTETRAHEDRON) read.kind = PrimitiveKind::tetrahedron;" "read.kind = PrimitiveKind::polygon;")
mutant(houdini_sop/write_detail.cpp "an attribute of another kind is passed over in silence"
       "problem = \"the attribute \" + a.name + \" is of a kind that cannot be written\";
        return false;" "")
mutant(houdini_sop/read_detail.cpp "packed pieces are left where they were packed"
       "packed.transform.rows[i][j] = transform(i, j);" "")
mutant(houdini_sop/read_detail.cpp "packed pieces are not read"
       "readPacked(static_cast<const GU_PrimPacked&>(*primitive), static_cast<int>(k), known, geometry);" "")
mutant(houdini_sop/write_detail.cpp "packed pieces are not turned"
       "if (geometry.packedWritten()) writePacked(geometry, detail);" "")
mutant(houdini_sop/write_detail.cpp "packed pieces are turned and not bumped"
       "detail.getPrimitiveList().bumpDataId();" "")
mutant(houdini_sop/detail_reader.cpp "faces are kept though the topology has another data id"
       "return isSame(now[0], before[0]) && isSame(now[1], before[1]) && now == before;"
       "return before[0] != GA_INVALID_DATAID;")
mutant(houdini_sop/detail_reader.cpp "attributes are kept though their data ids are others"
       "if (isSame(attribute.getDataId(), k.id) && k.read.owner == owner &&
        k.read.name == attribute.getName().c_str())
      return &k.read;"
       "if (k.read.owner == owner && k.read.name == attribute.getName().c_str()) return &k.read;")
mutant(houdini_sop/detail_reader.cpp "any state is taken for the one that was left"
       "*left = {isSame(state, state_), isSame(places, places_) && isSame(velocities, velocities_)};"
       "*left = {state != GA_INVALID_DATAID, isSame(places, places_) && isSame(velocities, velocities_)};")
mutant(houdini_sop/detail_reader.cpp "points that somebody has moved are taken for untouched"
       "readGroups(detail, groups, geometry);"
       "readGroups(detail, groups, geometry); if (left) left->points = true;")
mutant(houdini_sop/table_sop.cpp "a node goes on from a step that could not be written"
       "cache->memory.reset();" "")
mutant(houdini_sop/host_control.cpp "the interrupt of the host is not asked"
       "return boss_.wasInterrupted(static_cast<int>(100 * share));" "return false;")
mutant(houdini_sop/table_sop.cpp "an interrupted cook is shown as if it were done"
       "if (result.interrupted) cookparms.sopAddError(SOP_MESSAGE, \"interrupted\");" "")
mutant(houdini_sop/table_sop.cpp "warnings are lost"
       "cookparms.sopAddWarning(SOP_MESSAGE, warning.c_str());" "")
mutant(houdini_sop/table_sop.cpp "errors are lost" "cookparms.sopAddError(SOP_MESSAGE, error.c_str());" "")
mutant(houdini_sop/table_sop.cpp "the frame is not handed on" "input.frame = parms.number(\"frame\");" "")
mutant(houdini_sop/table_sop.cpp "groups are not read"
       "groups.push_back(parms.text(own.name));" "")
mutant(houdini_sop/table_parms.cpp "only one component of a vector is taken"
       "to_.setNumbers(name, v.x(), v.y(), v.z());" "to_.setNumbers(name, v.x());")
mutant(houdini_sop/table_parms.cpp "parameters of the groups are not evaluated" "evaluator.take(row);" "")
mutant(houdini_sop/ROP_Repose.cpp "a job has the parameters of its first frame at all frames"
       "if (!report(writer_->add(frame_, parmsAt(time), *geometry, constraints.get(), colliders.get())))
    return ROP_ABORT_RENDER;"
       "if (!report(writer_->add(frame_, parmsAt(0), *geometry, constraints.get(), colliders.get())))
    return ROP_ABORT_RENDER;")
mutant(houdini_dop/SIM_ReposeState.cpp "a copy of the state shares nothing and has nothing"
       "if (const auto* other = SIM_DATA_CASTCONST(source, SIM_ReposeState)) bytes = other->bytes;" "")
mutant(houdini_dop/SIM_ReposeState.cpp "a truncated file is taken for whole"
       "if (is.bread(loaded.data() + at, count) != count) return false;" "is.bread(loaded.data() + at, count);")
mutant(houdini_dop/SIM_ReposeState.cpp "a loaded state is thrown away" "bytes = std::move(loaded);" "")
mutant(houdini_dop/object_data.cpp "gravity of the forces is not taken"
       "parms.setNumbers(\"gravity\", sum[0], sum[1], sum[2]);" "")
mutant(houdini_dop/object_data.cpp "only the last of several gravities is taken"
       "sum[0] += gravity.x(), sum[1] += gravity.y(), sum[2] += gravity.z();"
       "sum[0] = gravity.x(), sum[1] = gravity.y(), sum[2] = gravity.z();")
mutant(houdini_dop/object_data.cpp "forces other than gravity are left out"
       "return nodes::HostLoad{plain(push), plain(torque)};" "return nodes::HostLoad{};")
mutant(houdini_dop/object_data.cpp "torques of forces are left out"
       "return nodes::HostLoad{plain(push), plain(torque)};" "return nodes::HostLoad{plain(push), {}};")
mutant(houdini_dop/object_data.cpp "gravity is taken twice: as gravity and as a force"
       "if (!force || SIM_DATA_CASTCONST(all(k), SIM_ForceGravity)) continue;" "")
mutant(houdini_dop/object_data.cpp "forces are asked at the origin, of something that stands still"
       "force->getForce(object, host(place), host(velocity), host(spin), mass, push, torque);"
       "force->getForce(object, host({}), host({}), host({}), 1, push, torque);")
mutant(houdini_dop/object_data.cpp "a transform is taken for column vectors"
       "at.rows[i][j] = transform(i, j);" "at.rows[j][i] = transform(i, j);")
mutant(houdini_dop/SIM_ReposeSolver.cpp "the guide is drawn at the origin"
       "if (xform) geometry->getTransform(*xform);" "")
mutant(houdini_dop/SIM_ReposeSolver.cpp "guides know nothing of the parameters"
       "writeDetail(nodes::guideOf(readDetail(*SIM_GeometryAutoReadLock(geometry).getGdp()), parms),
              *GU_DetailHandleAutoWriteLock(gdh).getGdp(), problem);"
       "writeDetail(nodes::guideOf(readDetail(*SIM_GeometryAutoReadLock(geometry).getGdp()),
                                   nodes::Parms(*nodes::findNode(\"repose_solver\"))),
              *GU_DetailHandleAutoWriteLock(gdh).getGdp(), problem);")
mutant(houdini_dop/SIM_ReposeSolver.cpp "a guide is drawn where none is wanted"
       "if (gdh.isNull() || !geometry || !nodes::showsGuide(parms)) return;"
       "if (gdh.isNull() || !geometry) return;")
mutant(houdini_dop/SIM_ReposeSolver.cpp "colliders are forgotten" "addColliders(objects, world);" "")
mutant(houdini_dop/SIM_ReposeSolver.cpp "a failed step counts as done"
       "if (!result.ok()) return SIM_SOLVER_FAIL;" "if (!result.ok()) return SIM_SOLVER_SUCCESS;")
