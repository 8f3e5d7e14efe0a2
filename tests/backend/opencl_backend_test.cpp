// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What can go wrong with OpenCL: no driver, wrong names, kernels that do not compile, a device that fails,
// and a folder of compiled kernels that is damaged or cannot be written.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "backend/opencl_program.h"
#include "base/file.h"
#include "base/vectors.h"
#include "opencl_card.h"

namespace repose {

namespace {

namespace fs = std::filesystem;

struct OpenClFaults : testing::Test {
  OpenClFaults() : folder(fs::path(testing::TempDir()) / ("kernels" + std::to_string(getpid()))) {
    options.threads = 1;
    options.kernel_folder = folder.string();
    options.say = [this](const std::string& text) { said.push_back(text); };
  }
  ~OpenClFaults() override { fs::remove_all(folder); }

  // y = keep y + gain x on 64 numbers, which have to come out right whoever does it.
  void expectBlends(Backend& backend) {
    std::vector<float> y(64, 2), x(64, 3);
    blend_args a;
    a.y = y.data(), a.x = x.data(), a.keep = 0.5f, a.gain = 2;
    backend.launchLanes(64, a);
    EXPECT_EQ(y, std::vector<float>(64, 7));
  }
  std::unique_ptr<Backend> open(const OpenClApi& with) {
    Result<std::unique_ptr<Backend>> made = makeOpenClBackend(with, options);
    EXPECT_TRUE(made.ok()) << made.status().message();
    return std::move(*made);
  }
  // Files of compiled kernels.
  std::vector<fs::path> kept() const {
    std::vector<fs::path> paths;
    if (fs::exists(folder))
      for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
    return paths;
  }

  fs::path folder;
  OpenClApi api = *loadOpenCl();
  OpenClOptions options;
  std::vector<std::string> said;
};

}  // namespace

TEST_F(OpenClFaults, NoneWhereNothingIsWrong) {
  expectBlends(*open(api));
  expectBlends(*open(api));
  EXPECT_TRUE(said.empty());
  EXPECT_EQ(kept().size(), 1u);
}

TEST_F(OpenClFaults, NoDriver) {
  api.clGetPlatformIDs = [](cl_uint, cl_platform_id*, cl_uint* count) {
    *count = 0;
    return cl_int{-1001};
  };
  EXPECT_EQ(makeOpenClBackend(api, options).status().message(),
            "no OpenCL driver is installed; on a CPU Debian's pocl-opencl-icd is one");
}

TEST_F(OpenClFaults, DevicesAreFoundByNumberAndName) {
  std::vector<OpenClDevice> devices(2);
  devices[0].name = "Slow Card", devices[0].refused = "it has no shared virtual memory";
  devices[1].name = "Quick CPU";
  EXPECT_EQ(chooseOpenClDevice(devices, "")->name, "Quick CPU");
  EXPECT_EQ(chooseOpenClDevice(devices, "1")->name, "Quick CPU");
  EXPECT_EQ(chooseOpenClDevice(devices, "quick")->name, "Quick CPU");
  EXPECT_EQ(chooseOpenClDevice(devices, "card").status().message(),
            "the OpenCL device \"Slow Card\" cannot be used: it has no shared virtual memory");
  EXPECT_EQ(chooseOpenClDevice(devices, "2").status().message(),
            "there is no OpenCL device \"2\"; there is 0 \"Slow Card\", 1 \"Quick CPU\"");
  devices.pop_back();
  EXPECT_EQ(chooseOpenClDevice(devices, "").status().message(),
            "no OpenCL device can be used: of \"Slow Card\", it has no shared virtual memory");
}

// A device that does not say that it rounds exactly is tried.
TEST_F(OpenClFaults, ADeviceThatSaysTooLittleIsTried) {
  static const auto real_info = api.clGetDeviceInfo;
  api.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, std::size_t bytes, void* value,
                           std::size_t* filled) {
    const cl_int error = real_info(id, what, bytes, value, filled);
    if (what == CL_DEVICE_SINGLE_FP_CONFIG && value)
      *static_cast<cl_device_fp_config*>(value) &=
          ~static_cast<cl_device_fp_config>(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    return error;
  };
  EXPECT_TRUE(chooseOpenClDevice(*listOpenClDevices(api), "")->exact);
  // quotients that are off by half a unit in the last place
  api.clCreateProgramWithSource = [](cl_context context, cl_uint, const char** text, const std::size_t*,
                                     cl_int* error) {
    static const auto real = loadOpenCl()->clCreateProgramWithSource;
    std::string rough = *text;
    for (std::size_t at = 0; (at = rough.find(" / ", at)) != rough.npos; at += 16)
      rough.replace(at, 3, " * 1.0000001f / ");
    const char* changed = rough.c_str();
    return real(context, 1, &changed, nullptr, error);
  };
  const Status refused = chooseOpenClDevice(*listOpenClDevices(api), "").status();
  EXPECT_NE(refused.message().find("its divide and square root are not exact"), std::string::npos)
      << refused.message();
}

TEST_F(OpenClFaults, AKernelThatDoesNotCompileRunsOnTheHost) {
  api.clBuildProgram = [](cl_program, cl_uint, const cl_device_id*, const char*,
                          void(CL_CALLBACK*)(cl_program, void*),
                          void*) { return cl_int{CL_BUILD_PROGRAM_FAILURE}; };
  const auto backend = open(api);
  for (int time = 0; time < 3; ++time) expectBlends(*backend);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("the kernel blend does not compile"), std::string::npos) << said[0];
  EXPECT_TRUE(kept().empty());
}

TEST_F(OpenClFaults, ADeviceThatTakesNoWorkIsLeft) {
  const auto backend = open(api);
  expectBlends(*backend);
  api.clEnqueueNDRangeKernel = [](cl_command_queue, cl_kernel, cl_uint, const std::size_t*,
                                  const std::size_t*, const std::size_t*, cl_uint, const cl_event*,
                                  cl_event*) { return cl_int{CL_OUT_OF_RESOURCES}; };
  const auto failing = open(api);
  for (int time = 0; time < 3; ++time) expectBlends(*failing);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("CL_OUT_OF_RESOURCES"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("goes on with TBB"), std::string::npos) << said[0];
}

// A compiler beside the run that makes nothing: the host works until it has ended, then kernels are compiled
// here.
TEST_F(OpenClFaults, KernelsThatNobodyElseCompilesAreCompiledHere) {
  for (const char* compiler : {"false", "there is no such program"}) {
    options.compiler = compiler;
    static const auto build = api.clBuildProgram;
    static int built = 0;
    built = 0;
    OpenClApi counting = api;
    counting.clBuildProgram = [](cl_program program, cl_uint count, const cl_device_id* devices,
                                 const char* how, void(CL_CALLBACK * done)(cl_program, void*),
                                 void* of) { return ++built, build(program, count, devices, how, done, of); };
    const auto backend = open(counting);
    for (int time = 0; time < 1000000 && !built; ++time) expectBlends(*backend);
    EXPECT_EQ(built, 1) << compiler;
    expectBlends(*backend);
    fs::remove_all(folder);
  }
  ASSERT_EQ(said.size(), 1u);  // where there was nothing to wait for, nothing is said
  EXPECT_NE(said[0].find("kernels are being compiled"), std::string::npos) << said[0];
}

// A compiler that would take a minute.
TEST_F(OpenClFaults, ARunThatIsToStopWaitsForNoCompiler) {
  fs::create_directories(folder);
  const fs::path compiler = folder / "compiler";
  std::ofstream(compiler) << "#!/bin/sh\nexec sleep 60\n";
  fs::permissions(compiler, fs::perms::owner_all);
  std::atomic<bool> stop = false;
  options.compiler = compiler.string(), options.stop = &stop;
  const auto begin = std::chrono::steady_clock::now();
  {
    const auto backend = open(api);
    expectBlends(*backend);
    stop = true;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("kernels are being compiled"), std::string::npos) << said[0];
}

// The memory of a device is what its driver says: here two megabytes.
TEST_F(OpenClFaults, ADeviceWithTooLittleMemoryIsLeftBeforeItIsAsked) {
  api = watched::device();
  static const auto real_info = api.clGetDeviceInfo;
  api.clGetDeviceInfo = [](cl_device_id id, cl_device_info what, std::size_t bytes, void* value,
                           std::size_t* filled) {
    const cl_int error = real_info(id, what, bytes, value, filled);
    if (what == CL_DEVICE_GLOBAL_MEM_SIZE && value) *static_cast<cl_ulong*>(value) = 2 << 20;
    return error;
  };
  const auto backend = open(api);
  backend->expect([] { return std::size_t{2 << 20}; });
  expectBlends(*backend);
  EXPECT_TRUE(said.empty());
  EXPECT_EQ(watched::counts.launches, 1);
  for (int time = 0; time < 2; ++time) backend->expect([] { return std::size_t{3 << 20}; });
  expectBlends(*backend);
  EXPECT_EQ(watched::counts.launches, 1);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("has 2.0 MiB of memory, and the scene takes 3.0; the run goes on with TBB"),
            std::string::npos)
      << said[0];
}

namespace {

// y = y/2 + 2 x so often, from y = 0 and x = 1: 4 (1 - 2^-times), exact in floats.
struct ManyBlends {
  std::vector<float> y = std::vector<float>(64, 0), x = std::vector<float>(64, 1);
  void launch(Backend& backend, int times) {
    blend_args a;
    a.y = y.data(), a.x = x.data(), a.keep = 0.5f, a.gain = 2;
    for (int time = 0; time < times; ++time) backend.launchLanes(64, a);
  }
  void expect(int times) const { EXPECT_EQ(y, std::vector<float>(64, 4 * (1 - std::ldexp(1.0f, -times)))); }
  Backend::CountArrays count() const {
    return [this] { return bytesOf(y, x); };
  }
};

}  // namespace

TEST_F(OpenClFaults, ACardWithoutArraysLeavesTheWorkToTheHost) {
  const auto backend = open(watched::card());
  expectBlends(*backend);
  EXPECT_EQ(watched::counts.launches, 0);
  EXPECT_TRUE(said.empty());
}

TEST_F(OpenClFaults, ArraysStayOnACardWhileLaunchesFollowEachOther) {
  const auto backend = open(watched::card());
  ManyBlends blends;
  backend->expect(blends.count());
  backend->inOrder([&] {
    blends.launch(*backend, 5);
    EXPECT_EQ(watched::counts.copies, 2);
    backend->look(blends.y.data());
    blends.expect(5);
    EXPECT_EQ(watched::counts.copies, 3);
    blends.launch(*backend, 5);
    EXPECT_EQ(watched::counts.copies, 3);
  });
  blends.expect(10);
  EXPECT_EQ(watched::counts.copies, 4);
  blends.launch(*backend, 1);
  blends.expect(11);
  EXPECT_EQ(watched::counts.copies, 5);  // both were there
  blends.y.assign(64, 0);                // the host does what it likes
  blends.launch(*backend, 1);
  blends.expect(1);
  EXPECT_EQ(watched::counts.copies, 7);  // what it left alone was still there
  EXPECT_EQ(watched::counts.launches, 12);
  EXPECT_EQ(watched::counts.strangers, 0);
}

TEST_F(OpenClFaults, WhatTheHostSaysItChangedIsSentAgain) {
  const auto backend = open(watched::card());
  ManyBlends blends;
  backend->expect(blends.count());
  backend->inOrder([&] {
    blends.launch(*backend, 1);
    backend->look(blends.y.data());
    blends.y.assign(64, 0);
    backend->changed(blends.y.data());
    blends.launch(*backend, 3);
  });
  blends.expect(3);
  const int copies = watched::counts.copies;
  backend->inOrder([&] {
    blends.launch(*backend, 2);
    blends.x.assign(64, 3);
    backend->changed(blends.x.data());
  });
  blends.expect(5);
  blends.x.assign(64, 1);  // as it was before what it said
  blends.launch(*backend, 1);
  blends.expect(6);
  EXPECT_EQ(watched::counts.copies, copies + 4);
}

// Arrays that grow and move within a frame are found again, and the room of those that went is given back.
TEST_F(OpenClFaults, ACardFollowsArraysThatMove) {
  const auto backend = open(watched::card());
  ManyBlends blends;
  for (int frame = 0; frame < 20; ++frame) {
    backend->expect(blends.count());
    blends.y.assign(64 + 1024 * frame, 0), blends.x.assign(blends.y.size(), 1);
    blends.launch(*backend, 2);
    EXPECT_EQ(blends.y[63], 3);
    EXPECT_LE(watched::rooms.size(), 4u);
  }
  EXPECT_EQ(watched::counts.launches, 40);
}

TEST_F(OpenClFaults, ACardWithoutRoomIsLeft) {
  OpenClApi full = watched::card();
  full.clSVMAlloc = [](cl_context, cl_svm_mem_flags, std::size_t, cl_uint) -> void* { return nullptr; };
  const auto backend = open(full);
  ManyBlends blends;
  backend->expect(blends.count());
  blends.launch(*backend, 4);
  blends.expect(4);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("failed (CL_MEM_OBJECT_ALLOCATION_FAILURE"), std::string::npos) << said[0];
}

TEST_F(OpenClFaults, ACopyThatIsLostEndsTheStep) {
  OpenClApi failing = watched::card();
  failing.clEnqueueSVMMemcpy = [](cl_command_queue queue, cl_bool wait, void* to, const void* from,
                                  std::size_t bytes, cl_uint count, const cl_event* after, cl_event* done) {
    if (++watched::counts.copies > 2) return cl_int{CL_OUT_OF_RESOURCES};
    return watched::real.clEnqueueSVMMemcpy(queue, wait, to, from, bytes, count, after, done);
  };
  const auto backend = open(failing);
  ManyBlends blends;
  backend->expect(blends.count());
  EXPECT_THROW(blends.launch(*backend, 1), DeviceLost);
}

TEST_F(OpenClFaults, ALaunchThatIsLostEndsTheStep) {
  static const auto finish = api.clFinish;  // else it would write to memory that is gone
  api.clFinish = [](cl_command_queue queue) {
    finish(queue);
    return cl_int{CL_DEVICE_NOT_AVAILABLE};
  };
  const auto backend = open(api);
  std::vector<float> y(64), x(64);
  blend_args a;
  a.y = y.data(), a.x = x.data();
  EXPECT_THROW(backend->launchLanes(64, a), DeviceLost);
}

TEST_F(OpenClFaults, OfLaunchesInOrderOnlyTheEndIsWaitedFor) {
  static const auto finish = api.clFinish;
  static int waits = 0;
  api.clFinish = [](cl_command_queue queue) {
    ++waits;
    return finish(queue);
  };
  const auto backend = open(api);
  expectBlends(*backend);  // compiles
  ManyBlends blends;
  waits = 0;
  backend->inOrder([&] {
    blends.launch(*backend, 5);
    backend->inOrder([&] { blends.launch(*backend, 5); });
    EXPECT_EQ(waits, 0);
  });
  EXPECT_EQ(waits, 1);
  blends.expect(10);
  backend->inOrder([&] {
    blends.launch(*backend, 1);
    backend->wait();
    blends.expect(11);
    blends.launch(*backend, 1);
    // work of the host that a backend hands out comes after what was launched
    backend->forChunks(1, [&](int) { blends.expect(12); });
  });
  EXPECT_EQ(waits, 3);
  EXPECT_THROW(backend->inOrder([&] {
    blends.launch(*backend, 1);
    throw std::runtime_error("of the host");
  }),
               std::runtime_error);
  EXPECT_EQ(waits, 4);
  blends.launch(*backend, 1);
  EXPECT_EQ(waits, 5);
}

TEST_F(OpenClFaults, ADeviceThatIsLeftWithinARowOfLaunchesEndsWhatItBegan) {
  api = watched::device();
  api.clEnqueueNDRangeKernel = [](cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const std::size_t* first, const std::size_t* items,
                                  const std::size_t* group, cl_uint count, const cl_event* after,
                                  cl_event* done) {
    return ++watched::counts.launches > 3
               ? cl_int{CL_OUT_OF_RESOURCES}
               : watched::real.clEnqueueNDRangeKernel(queue, kernel, dimensions, first, items, group, count,
                                                      after, done);
  };
  const auto backend = open(api);
  ManyBlends blends;
  backend->inOrder([&] { blends.launch(*backend, 10); });
  blends.expect(10);
  EXPECT_EQ(watched::counts.launches, 4);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("goes on with TBB"), std::string::npos) << said[0];
}

TEST_F(OpenClFaults, ARowOfLaunchesThatIsLostEndsTheStep) {
  static const auto finish = api.clFinish;
  api.clFinish = [](cl_command_queue queue) {
    finish(queue);
    return cl_int{CL_DEVICE_NOT_AVAILABLE};
  };
  const auto backend = open(api);
  ManyBlends blends;
  bool all = false;
  const auto launches = [&] {
    blends.launch(*backend, 3);
    all = true;
  };
  EXPECT_THROW(backend->inOrder(launches), DeviceLost);
  EXPECT_TRUE(all);
}

// PoCL looks at the device of a launch after the launch is over; to release it there has ended programs.
TEST_F(OpenClFaults, APartOfADeviceOutlivesItsBackend) {
  static const auto real_parts = api.clCreateSubDevices;
  static int parts = 0;
  parts = 0;
  api.clCreateSubDevices = [](cl_device_id device, const cl_device_partition_property* how, cl_uint count,
                              cl_device_id* made, cl_uint* possible) {
    ++parts;
    return real_parts(device, how, count, made, possible);
  };
  for (int time = 0; time < 20; ++time) expectBlends(*open(api));
  EXPECT_LE(parts, 1);
}

TEST_F(OpenClFaults, DamagedKernelsAreCompiledAgain) {
  expectBlends(*open(api));
  ASSERT_EQ(kept().size(), 1u);
  const std::string path = kept()[0].string(), good = *readWholeFile(path);
  for (const std::string& bad :
       {std::string(), good.substr(0, 20), good.substr(0, good.size() / 2), good + "x",
        good.substr(0, 1000) + static_cast<char>(good[1000] ^ 4) + good.substr(1001),
        std::string(5000, '\0')}) {
    std::ofstream(path, std::ios::binary) << bad;
    EXPECT_FALSE(KernelCache(folder.string()).find(kept()[0].stem().string()).has_value());
    expectBlends(*open(api));
    EXPECT_TRUE(KernelCache(folder.string()).find(kept()[0].stem().string()).has_value());
  }
  EXPECT_TRUE(said.empty());
}

TEST_F(OpenClFaults, AFolderThatCannotBeWrittenIsSaidOnce) {
  std::ofstream(folder) << "a file is in the way";
  const auto backend = open(api);
  expectBlends(*backend);
  const std::vector<float> numbers(64, 1);
  std::vector<float> sums(64);
  dot_args a;
  a.a = a.b = numbers.data(), a.weight = numbers.data(), a.result = sums.data(), a.count = 64;
  backend->launch(1, a);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("cannot be kept"), std::string::npos) << said[0];
}

TEST_F(OpenClFaults, TwoProcessesMayKeepTheSameKernel) {
  const KernelCache cache(folder.string());
  const auto binary = [](int of) { return std::string(10000 + 5000 * of, static_cast<char>('a' + of)); };
  pid_t children[2];
  for (int of = 0; of < 2; ++of)
    if ((children[of] = fork()) == 0) {
      bool kept_all = true;
      for (int time = 0; time < 40; ++time) kept_all = cache.keep("kernel", binary(of)) && kept_all;
      _exit(kept_all ? 0 : 1);
    }
  int found = 0;
  for (int ended = 0; ended < 2;) {
    if (const auto whole = cache.find("kernel")) {
      ++found;
      EXPECT_TRUE(*whole == binary(0) || *whole == binary(1));
    }
    int status = 0;
    if (waitpid(-1, &status, WNOHANG) <= 0) continue;
    ++ended;
    EXPECT_EQ(status, 0);
  }
  EXPECT_GT(found, 0);
  EXPECT_EQ(kept().size(), 1u);
}

}  // namespace repose
