// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Every kernel on OpenCL: the same bits as on TBB on random input, and the arguments that the host passes.
#include <gtest/gtest.h>

#include "backend/kernel_check.h"
#include "backend/kernel_signatures.h"
#include "backend/opencl_program.h"
#include "opencl_card.h"

namespace repose {

class OpenClKernels : public testing::TestWithParam<int> {
 protected:
  const Kernel kernel = static_cast<Kernel>(GetParam());
  const KernelSignature& signature = signatureOf(kernel);
};

TEST_P(OpenClKernels, HaveTheBitsOfTheHost) {
  const auto host = makeTbbBackend(1), device = openClHere();
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const KernelCheck check = checkKernel(kernel, seed, *host, *device);
    EXPECT_EQ(check.difference, "") << signature.name << ", seed " << seed;
    EXPECT_TRUE(check.does_something) << signature.name << ", seed " << seed;
  }
}

// Four lanes an item, and arrays that have to be copied there and back.
TEST_P(OpenClKernels, HaveTheBitsOfTheHostOnACard) {
  const auto card = openClHere(watched::card()), host = hostWithLanes(card->lanes());
  const int trials = watched::counts.launches;  // of how the device rounds
  const KernelCheck check = checkKernel(kernel, 1, *host, *card);
  EXPECT_EQ(check.difference, "") << signature.name;
  EXPECT_EQ(watched::counts.launches, trials + 1);
  EXPECT_EQ(watched::counts.strangers, 0);
}

// The program has the arguments of the host's structs: names, order, constness and sizes.
TEST_P(OpenClKernels, TakeWhatTheHostPasses) {
  const OpenClApi api = *loadOpenCl();
  const OpenClDevice device = *chooseOpenClDevice(*listOpenClDevices(api), testedDevice());
  cl_context context = api.clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, nullptr);
  const auto build = [&](const std::string& kernel_folder) {
    return OpenClProgram(api, device, context, makeTbbBackend(1)->lanes(), KernelCache(kernel_folder))
        .build(signature.name);
  };
  Result<OpenClKernel> built = build(defaultKernelFolder());
  ASSERT_TRUE(built.ok()) << built.status().message();
  // drivers need not tell of kernels that they did not compile themselves
  if (api.clGetKernelArgInfo(built->kernel, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) ==
      CL_KERNEL_ARG_INFO_NOT_AVAILABLE) {
    api.clReleaseKernel(built->kernel), api.clReleaseProgram(built->program);
    built = build("");
    ASSERT_TRUE(built.ok()) << built.status().message();
  }
  const auto ask = [&](int place, cl_kernel_arg_info what) {
    char text[64] = "";
    api.clGetKernelArgInfo(built->kernel, static_cast<cl_uint>(place), what, sizeof text, text, nullptr);
    return std::string(text);
  };
  cl_uint count = 0;
  api.clGetKernelInfo(built->kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
  ASSERT_EQ(count, static_cast<cl_uint>(signature.count) + 2);
  EXPECT_EQ(ask(0, CL_KERNEL_ARG_NAME), "items");
  EXPECT_EQ(ask(1, CL_KERNEL_ARG_NAME), "share");
  for (int k = 0; k < signature.count; ++k) {
    const KernelArgument& argument = signature.arguments[k];
    std::string type = argument.type;
    const bool is_const = type.rfind("const ", 0) == 0;
    if (is_const) type.erase(0, 6);
    EXPECT_EQ(ask(2 + k, CL_KERNEL_ARG_NAME), argument.name);
    EXPECT_EQ(ask(2 + k, CL_KERNEL_ARG_TYPE_NAME), argument.buffer ? type + "*" : type) << argument.name;
    cl_kernel_arg_type_qualifier qualifier = 0;
    api.clGetKernelArgInfo(built->kernel, static_cast<cl_uint>(2 + k), CL_KERNEL_ARG_TYPE_QUALIFIER,
                           sizeof qualifier, &qualifier, nullptr);
    EXPECT_EQ((qualifier & CL_KERNEL_ARG_TYPE_CONST) != 0, is_const) << argument.name;
    EXPECT_EQ(argument.bytes, argument.buffer ? sizeof(void*) : sizeof(float)) << argument.name;
  }
  api.clReleaseKernel(built->kernel), api.clReleaseProgram(built->program), api.clReleaseContext(context);
}

INSTANTIATE_TEST_SUITE_P(Every, OpenClKernels, testing::Range(0, static_cast<int>(Kernel::count)),
                         [](const auto& test) { return signatureOf(static_cast<Kernel>(test.param)).name; });

}  // namespace repose
