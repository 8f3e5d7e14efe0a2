// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// a = b + s c, the limit of whatever moves bytes.
#pragma once
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <vector>

namespace repose {

// Three arrays that together have so many bytes.
class Triad {
 public:
  explicit Triad(double bytes)
      : size_(static_cast<std::size_t>(bytes / 12)), a_(size_), b_(size_, 1), c_(size_, 2) {}
  double bytes() const { return 12.0 * static_cast<double>(size_); }
  // On so many threads, none of which may be kept by a backend.
  void run(int threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
    tbb::task_arena(threads).execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, size_, 4096),
          [&](const tbb::blocked_range<std::size_t>& range) {
            for (std::size_t i = range.begin(); i < range.end(); ++i) a_[i] = b_[i] + 3 * c_[i];
          },
          tbb::static_partitioner{});
    });
  }

 private:
  std::size_t size_;
  std::vector<float> a_, b_, c_;
};

}  // namespace repose
