// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/device_mirrors.h"

#include <algorithm>

#include "base/hash.h"

namespace repose {

namespace {

std::uint64_t digestOf(const ArrayPlace& array) { return quickHash(array.begin, array.bytes); }

}  // namespace

DeviceMirrors::~DeviceMirrors() {
  for (const auto& [host, mirror] : mirrors_)
    if (mirror.device) api_.clSVMFree(context_, mirror.device);
}

void DeviceMirrors::expect(const Backend::CountArrays& count) {
  count_ = count;
  for (auto at = mirrors_.begin(); at != mirrors_.end();) {
    if (std::exchange(at->second.asked, false)) {
      ++at;
      continue;
    }
    if (at->second.device) api_.clSVMFree(context_, at->second.device);
    at = mirrors_.erase(at);
  }
}

// The array that has this place, its end included: lists of nothing lie there.
const ArrayPlace* DeviceMirrors::arrayAt(const char* host) {
  const auto lower = [](const ArrayPlace& a, const ArrayPlace& b) { return a.begin < b.begin; };
  if (arrays_.empty() && count_) {
    const ArrayCensus census(arrays_);
    count_();
    std::sort(arrays_.begin(), arrays_.end(), lower);
  }
  const auto next = std::upper_bound(arrays_.begin(), arrays_.end(), ArrayPlace{host, 0}, lower);
  if (next == arrays_.begin()) return nullptr;
  const ArrayPlace& array = *std::prev(next);
  return host <= array.begin + array.bytes ? &array : nullptr;
}

DeviceMirrors::Place DeviceMirrors::placeOf(const void* host, bool writes) {
  const auto* at = static_cast<const char*>(host);
  const ArrayPlace* array = arrayAt(at);
  if (!array) return {};
  Mirror& mirror = mirrors_[array->begin];
  mirror.asked = true;
  if (!mirror.there) {
    if (mirror.room < array->bytes) {
      if (mirror.device) api_.clSVMFree(context_, mirror.device);
      mirror.device = static_cast<char*>(api_.clSVMAlloc(context_, CL_MEM_READ_WRITE, array->bytes, 0));
      mirror.room = mirror.device ? array->bytes : 0;
      mirror.of = {};
      if (!mirror.device) return {nullptr, CL_MEM_OBJECT_ALLOCATION_FAILURE};
    }
    const std::uint64_t digest = digestOf(*array);
    if (mirror.of.bytes != array->bytes || mirror.digest != digest) {
      mirror.of = *array, mirror.digest = digest;
      if (const cl_int sent = send(mirror); sent != CL_SUCCESS) return {nullptr, sent};
    }
    mirror.there = true;
    there_.push_back(&mirror);
  }
  mirror.written |= writes;
  return {mirror.device + (at - array->begin)};
}

cl_int DeviceMirrors::send(const Mirror& mirror) {
  return api_.clEnqueueSVMMemcpy(queue_, CL_FALSE, mirror.device, mirror.of.begin, mirror.of.bytes, 0,
                                 nullptr, nullptr);
}

cl_int DeviceMirrors::sendAgain(const void* array) {
  for (Mirror* mirror : there_)
    if (mirror->of.begin == array) {
      mirror->digest = digestOf(mirror->of);
      return send(*mirror);
    }
  return CL_SUCCESS;
}

cl_int DeviceMirrors::bringBack(const void* array) {
  cl_int error = CL_SUCCESS;
  for (const Mirror* mirror : there_)
    if (mirror->written && (!array || array == mirror->of.begin))
      error |= api_.clEnqueueSVMMemcpy(queue_, CL_FALSE, const_cast<char*>(mirror->of.begin), mirror->device,
                                       mirror->of.bytes, 0, nullptr, nullptr);
  return error;
}

void DeviceMirrors::forget() {
  for (Mirror* mirror : there_) {
    if (mirror->written) mirror->digest = digestOf(mirror->of);
    mirror->there = mirror->written = false;
  }
  there_.clear(), arrays_.clear();
}

}  // namespace repose
