// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Where kernels run. Solvers know only launch(): the argument struct names the kernel, the items are
// independent.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/kernel_args.h"

namespace repose {

// The instruction sets that the host kernels are compiled for; they give the same bits.
enum class Isa { sse2, avx2, avx512 };
std::vector<Isa> supportedIsas();  // of this machine, best last
const char* isaName(Isa isa);

class Backend {
 public:
  virtual ~Backend() = default;
  virtual int lanes() const = 0;  // entries an item of the lane kernels handles; divides 16
  virtual int threads() const = 0;
  virtual std::string describe() const = 0;

  // Runs items [0, items) of a kernel and waits for them, but within inOrder.
  template <class Args>
  void launch(int items, const Args& args) {
    run(Args::kernel, items, &args);
  }
  // The same for kernels that handle lanes() entries an item; entries is a multiple of 16.
  template <class Args>
  void launchLanes(int entries, const Args& args) {
    run(Args::kernel, entries / lanes(), &args);
  }
  // The same, and `work` on the host meanwhile: it touches nothing that the kernel writes, and launches
  // nothing.
  template <class Args, class Work>
  void launchBeside(int items, const Args& args, const Work& work) {
    runBeside(
        Args::kernel, items, &args, [](int, const void* context) { (*static_cast<const Work*>(context))(); },
        &work);
  }

  // Launch after launch, each after the one before, but the host waits only at the end: `work` looks at
  // nothing that they write, unless it calls wait().
  template <class Work>
  void inOrder(const Work& work) {
    ++unwatched_;
    try {
      work();
    } catch (...) {
      if (--unwatched_ == 0) wait();
      throw;
    }
    if (--unwatched_ == 0) wait();
  }
  // For launches so far.
  virtual void wait() {}
  // The same, where the host looks at this array alone, and writes to none but those that it then says it has
  // changed: what else is on a device stays there.
  virtual void look(const void* /*array*/) { wait(); }
  virtual void changed(const void* /*array*/) {}

  // Kernels are about to work on arrays that `count` counts by bytesOf(), whenever it is asked: a device that
  // has less memory hands the run on, one with a memory of its own has to know where they lie.
  using CountArrays = std::function<std::size_t()>;
  virtual void expect(const CountArrays& /*count*/) {}

  // Calls visit(chunk) for each of [0, chunks) on the host and waits: work that no kernel does, such as
  // walks through trees. Chunks must not depend on the number of threads where they shape a result.
  template <class Visit>
  void forChunks(int chunks, const Visit& visit) {
    runHost(
        chunks, [](int chunk, const void* context) { (*static_cast<const Visit*>(context))(chunk); }, &visit);
  }

 protected:
  using HostWork = void (*)(int chunk, const void* context);
  bool unwatched() const { return unwatched_ > 0; }

 private:
  virtual void run(Kernel kernel, int items, const void* args) = 0;
  virtual void runBeside(Kernel kernel, int items, const void* args, HostWork work, const void* context) {
    work(0, context);
    run(kernel, items, args);
  }
  virtual void runHost(int chunks, HostWork work, const void* context) {
    for (int chunk = 0; chunk < chunks; ++chunk) work(chunk, context);
  }

  int unwatched_ = 0;  // calls of inOrder that have not returned
};

// Host kernels on oneTBB. threads 0: as many as the process may use.
std::unique_ptr<Backend> makeTbbBackend(int threads);
std::unique_ptr<Backend> makeTbbBackend(int threads, Isa isa);

}  // namespace repose
