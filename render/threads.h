// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tbb/task_arena.h>

#include <algorithm>

namespace repose {

// Calls work() so that TBB inside it uses at most that many threads; 0 = all. More than the machine has would
// only make TBB complain.
template <class Work>
auto onThreads(int threads, const Work& work) {
  const int all = tbb::this_task_arena::max_concurrency();
  return tbb::task_arena(threads > 0 ? std::min(threads, all) : all).execute(work);
}

}  // namespace repose
