// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "backend/backend_opencl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "backend/any_kernel.h"
#include "backend/device_mirrors.h"
#include "backend/kernel_signatures.h"
#include "backend/kernel_workshop.h"
#include "backend/opencl_program.h"

namespace repose {

namespace {

// Items of a launch that one thread does alone: sharing fewer costs a driver more than it gains.
constexpr int kGrain = 64;
// Work-items for each thread of larger launches, so that the last one to finish is not far behind.
constexpr int kShares = 8;
// Work-items side by side on a card, each with an item of its own.
constexpr std::size_t kGroup = 32;
constexpr double kMiB = 1 << 20;

// So many compute units of a device; all of it when it cannot be parted. Kept for the life of the process:
// PoCL's threads still look at the device of a launch after clFinish has returned.
cl_device_id partOfDevice(const OpenClApi& api, cl_device_id device, int units) {
  static std::mutex one_at_a_time;
  static std::map<std::pair<cl_device_id, int>, cl_device_id> parts;
  const std::lock_guard lock(one_at_a_time);
  const auto [known, is_new] = parts.try_emplace({device, units}, device);
  if (is_new) {
    const cl_device_partition_property by_count[] = {CL_DEVICE_PARTITION_BY_COUNTS, units,
                                                     CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_id part = nullptr;
    if (api.clCreateSubDevices(device, by_count, 1, &part, nullptr) == CL_SUCCESS) known->second = part;
  }
  return known->second;
}

// A work-item of a card has registers for no more than four lanes, and the host takes as many: both solve the
// same items.
std::unique_ptr<Backend> hostBeside(const OpenClDevice& device, int threads) {
  return device.isCard() ? makeTbbBackend(threads, Isa::sse2) : makeTbbBackend(threads);
}

class OpenClBackend final : public Backend {
 public:
  OpenClBackend(const OpenClApi& api, OpenClDevice device, const OpenClOptions& options)
      : api_(api),
        device_(std::move(device)),
        say_(options.say),
        host_(hostBeside(device_, options.threads)) {}
  ~OpenClBackend() override;

  // Queue and context, on as many compute units as there are to be threads.
  Status open(const OpenClOptions& options);

  int lanes() const override { return host_->lanes(); }
  int threads() const override { return host_->threads(); }
  // Each of them, one by one or by processes side by side; fails with what cannot be compiled or kept.
  Status compile(const std::vector<Kernel>& kernels);
  void wait() override;
  void look(const void* array) override;
  void changed(const void* array) override;
  void expect(const CountArrays& count) override;
  std::string describe() const override {
    return fmt::format("OpenCL, {}, {} thread{}, {} lanes{}", device_.name, threads(),
                       threads() == 1 ? "" : "s", lanes(), mirrors_ ? ", memory of its own" : "");
  }

 private:
  void run(Kernel kernel, int items, const void* args) override {
    runBeside(kernel, items, args, nullptr, nullptr);
  }
  void runBeside(Kernel kernel, int items, const void* args, HostWork work, const void* context) override;
  void runHost(int chunks, HostWork work, const void* context) override {
    wait();
    host_->forChunks(chunks, [&](int chunk) { work(chunk, context); });
  }
  cl_kernel kernelOf(Kernel kernel);
  bool isBeingCompiled(Kernel kernel);
  // Whether the device has what the arguments point to, which the host need not have told of.
  bool aim(cl_kernel built, Kernel kernel, const void* args, cl_int& error);
  cl_int enqueue(cl_kernel built, Kernel kernel, int items);
  void leaveDevice(const std::string& reason);
  void mustBeWell(cl_int error) const;
  void finish(cl_int brought_back);

  OpenClApi api_;
  OpenClDevice device_;
  std::function<void(const std::string&)> say_;
  std::unique_ptr<Backend> host_;  // what no kernel does, and all when the device fails
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::optional<DeviceMirrors> mirrors_;  // of a device that has a memory of its own
  std::unique_ptr<OpenClProgram> program_;
  std::optional<KernelWorkshop> workshop_;
  struct Built {
    OpenClKernel kernel;
    bool asked = false, tried = false;
  };
  std::array<Built, static_cast<std::size_t>(Kernel::count)> built_{};
  bool told_ = false;   // that kernels are being compiled
  bool left_ = false;   // the device; the host goes on
  bool begun_ = false;  // launches or copies that were not waited for
};

OpenClBackend::~OpenClBackend() {
  for (const Built& built : built_)
    if (built.kernel.kernel)
      api_.clReleaseKernel(built.kernel.kernel), api_.clReleaseProgram(built.kernel.program);
  mirrors_.reset();
  if (queue_) api_.clReleaseCommandQueue(queue_);
  if (context_) api_.clReleaseContext(context_);
}

Status OpenClBackend::open(const OpenClOptions& options) {
  const auto failed = [&](const char* what, cl_int error) {
    return badInput(
        fmt::format("the OpenCL device \"{}\" gives no {}: {}", device_.name, what, openClError(error)));
  };
  if (!device_.isCard() && threads() < device_.units) device_.id = partOfDevice(api_, device_.id, threads());
  cl_int error = CL_SUCCESS;
  context_ = api_.clCreateContext(nullptr, 1, &device_.id, nullptr, nullptr, &error);
  if (error != CL_SUCCESS) return failed("context", error);
  queue_ = api_.clCreateCommandQueueWithProperties(context_, device_.id, nullptr, &error);
  if (error != CL_SUCCESS) return failed("queue", error);
  if (device_.apart) mirrors_.emplace(api_, context_, queue_);
  program_ =
      std::make_unique<OpenClProgram>(api_, device_, context_, lanes(), KernelCache(options.kernel_folder));
  if (!options.compiler.empty() && KernelCache(options.kernel_folder).canKeep())
    workshop_.emplace(
        std::vector<std::string>{options.compiler, "devices", "--device", device_.name, "--compile"},
        threads(), options.stop);
  return {};
}

// While any kernel is, TBB does the work of all: the driver is left in peace, and nobody waits.
bool OpenClBackend::isBeingCompiled(Kernel kernel) {
  if (!workshop_) return false;
  Built& built = built_[static_cast<std::size_t>(kernel)];
  const char* name = signatureOf(kernel).name;
  if (!std::exchange(built.asked, true) && !program_->isKept(name))
    workshop_->ask(program_->keyOf(name), name);
  return workshop_->busy();
}

Status OpenClBackend::compile(const std::vector<Kernel>& kernels) {
  for (const Kernel kernel : kernels) isBeingCompiled(kernel);
  if (workshop_ && workshop_->busy())
    say_(fmt::format("kernels are being compiled for \"{}\", which may take a minute", device_.name));
  while (workshop_ && workshop_->busy()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  for (const Kernel kernel : kernels) {
    const Result<OpenClKernel> made = program_->build(signatureOf(kernel).name);
    if (!made) return made.status();
    built_[static_cast<std::size_t>(kernel)] = {*made, true, true};
    if (const std::string note = program_->takeNote(); !note.empty()) return {Code::io, note};
  }
  return {};
}

// Null while it is compiled elsewhere, and when it cannot be built, which is said once.
cl_kernel OpenClBackend::kernelOf(Kernel kernel) {
  if (isBeingCompiled(kernel)) {
    if (!std::exchange(told_, true))
      say_(fmt::format(
          "kernels are being compiled for \"{}\"; TBB does the work until they are ready, with the "
          "same result",
          device_.name));
    return nullptr;
  }
  Built& built = built_[static_cast<std::size_t>(kernel)];
  if (built.tried) return built.kernel.kernel;
  built.tried = true;
  const Result<OpenClKernel> made = program_->build(signatureOf(kernel).name);
  if (made) built.kernel = *made;
  if (!made) say_(fmt::format("{}; it runs on TBB instead, with the same result", made.status().message()));
  if (const std::string note = program_->takeNote(); !note.empty()) say_(note);
  return built.kernel.kernel;
}

bool OpenClBackend::aim(cl_kernel built, Kernel kernel, const void* args, cl_int& error) {
  const KernelSignature& signature = signatureOf(kernel);
  for (int k = 0; k < signature.count; ++k) {
    const KernelArgument& argument = signature.arguments[k];
    const void* value = static_cast<const char*>(args) + argument.offset;
    const auto place = static_cast<cl_uint>(2 + k);
    if (!argument.buffer) {
      error |= api_.clSetKernelArg(built, place, argument.bytes, value);
      continue;
    }
    const void* array = *static_cast<void* const*>(value);
    if (mirrors_ && array) {
      const DeviceMirrors::Place there =
          mirrors_->placeOf(array, std::strncmp(argument.type, "const ", 6) != 0);
      if (there.error != CL_SUCCESS) return error = there.error, true;
      if (!there.device) return false;
      array = there.device;
    }
    error |= api_.clSetKernelArgSVMPointer(built, place, array);
  }
  if (error != CL_SUCCESS) error = CL_INVALID_KERNEL_ARGS;
  return true;
}

cl_int OpenClBackend::enqueue(cl_kernel built, Kernel kernel, int items) {
  int shares = items;
  if (!device_.isCard())
    shares = items <= kGrain && !hasChunks(kernel) ? 1 : std::min(items, kShares * threads());
  const int share = (items + shares - 1) / shares;
  cl_int error = api_.clSetKernelArg(built, 0, sizeof items, &items);
  error |= api_.clSetKernelArg(built, 1, sizeof share, &share);
  if (error != CL_SUCCESS) return CL_INVALID_KERNEL_ARGS;
  // work-items behind the last item find nothing to do
  const std::size_t group = device_.isCard() ? kGroup : 1;
  const std::size_t work =
      (static_cast<std::size_t>((items + share - 1) / share) + group - 1) / group * group;
  return api_.clEnqueueNDRangeKernel(queue_, built, 1, nullptr, &work, &group, 0, nullptr, nullptr);
}

void OpenClBackend::leaveDevice(const std::string& reason) {
  left_ = true;
  say_(fmt::format("the OpenCL device \"{}\" {}; the run goes on with TBB, with the same result",
                   device_.name, reason));
}

void OpenClBackend::mustBeWell(cl_int error) const {
  if (error != CL_SUCCESS)
    throw DeviceLost(fmt::format("the OpenCL device \"{}\" was lost in the middle of a step: {}",
                                 device_.name, openClError(error)));
}

// brought_back: whether the device took the copies behind its launches.
void OpenClBackend::finish(cl_int brought_back) {
  mustBeWell(api_.clFinish(queue_));
  mustBeWell(brought_back);
}

void OpenClBackend::wait() {
  if (std::exchange(begun_, false)) finish(mirrors_ ? mirrors_->bringBack() : CL_SUCCESS);
  if (mirrors_) mirrors_->forget();
}

void OpenClBackend::look(const void* array) {
  if (!mirrors_ || !unwatched()) return wait();
  if (begun_) finish(mirrors_->bringBack(array));
}

void OpenClBackend::changed(const void* array) {
  if (mirrors_) mustBeWell(mirrors_->sendAgain(array));
}

void OpenClBackend::expect(const CountArrays& count) {
  if (left_) return;
  wait();
  if (const std::size_t bytes = count(); bytes > device_.memory_bytes)
    leaveDevice(fmt::format("has {:.1f} MiB of memory, and the scene takes {:.1f}",
                            static_cast<double>(device_.memory_bytes) / kMiB,
                            static_cast<double>(bytes) / kMiB));
  if (mirrors_) mirrors_->expect(count);
}

void OpenClBackend::runBeside(Kernel kernel, int items, const void* args, HostWork work,
                              const void* context) {
  const cl_kernel built = left_ || items <= 0 ? nullptr : kernelOf(kernel);
  cl_int begun = CL_SUCCESS;
  const bool aimed = built && aim(built, kernel, args, begun);
  if (aimed && begun == CL_SUCCESS) begun = enqueue(built, kernel, items);
  if (begun != CL_SUCCESS) leaveDevice(fmt::format("failed ({})", openClError(begun)));
  const bool on_device = aimed && !left_;
  begun_ = begun_ || on_device || (mirrors_ && built);  // arrays are on their way to the device
  if (work) {
    if (on_device) api_.clFlush(queue_);
    work(0, context);
  }
  if (on_device && unwatched() && !work) return;
  wait();
  if (!on_device && items > 0) launchAny(*host_, kernel, items, args);
}

}  // namespace

Result<std::unique_ptr<Backend>> makeOpenClBackend(const OpenClOptions& options) {
  const Result<OpenClApi> api = loadOpenCl();
  return api ? makeOpenClBackend(*api, options) : api.status();
}

namespace {

Result<std::unique_ptr<OpenClBackend>> openBackend(const OpenClApi& api, const OpenClOptions& options) {
  const Result<std::vector<OpenClDevice>> devices = listOpenClDevices(api);
  if (!devices) return devices.status();
  const Result<OpenClDevice> device = chooseOpenClDevice(*devices, options.device);
  if (!device) return device.status();
  auto backend = std::make_unique<OpenClBackend>(api, *device, options);
  if (Status opened = backend->open(options); !opened) return opened;
  return backend;
}

}  // namespace

Result<std::unique_ptr<Backend>> makeOpenClBackend(const OpenClApi& api, const OpenClOptions& options) {
  Result<std::unique_ptr<OpenClBackend>> opened = openBackend(api, options);
  if (!opened) return opened.status();
  return std::unique_ptr<Backend>(std::move(*opened));
}

Status compileKernels(const OpenClOptions& options, const std::vector<std::string>& names) {
  std::vector<Kernel> kernels;
  for (int k = 0; k < static_cast<int>(Kernel::count); ++k)
    if (names.empty() || std::count(names.begin(), names.end(), signatureOf(static_cast<Kernel>(k)).name))
      kernels.push_back(static_cast<Kernel>(k));
  for (const std::string& name : names) {
    const auto isThis = [&](Kernel kernel) { return signatureOf(kernel).name == name; };
    if (std::none_of(kernels.begin(), kernels.end(), isThis))
      return badInput(fmt::format("there is no kernel \"{}\"", name));
  }
  const Result<OpenClApi> api = loadOpenCl();
  if (!api) return api.status();
  const Result<std::unique_ptr<OpenClBackend>> backend = openBackend(*api, options);
  return backend ? (*backend)->compile(kernels) : backend.status();
}

}  // namespace repose
