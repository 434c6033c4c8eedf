// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include <unistd.h>

#include "engine/base/error.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/nn/optimizer_kernels.h"
#include "tests/cuda_kernels/kernels_fixture.h"

namespace slipstream {
namespace {

/// What this program needs wherever it is carried to.
TEST(ThisProgram, NeedsNeitherMpiNorQtNorOneDnn) {
  std::array<char, 4096> path{};
  ASSERT_GT(readlink("/proc/self/exe", path.data(), path.size() - 1), 0);
  FILE* pipe = popen(("ldd '" + std::string(path.data()) + "'").c_str(), "r");
  std::string libraries;
  for (std::array<char, 4096> part{}; std::fgets(part.data(), part.size(), pipe) != nullptr;) libraries += part.data();
  pclose(pipe);
  ASSERT_NE(libraries.find("libc.so"), std::string::npos) << libraries;
  for (const char* name :
       {"libcudart", "libmpi", "libopen-rte", "libQt", "libdnnl", "libcudnn", "libcublas", "libnccl"}) {
    EXPECT_EQ(libraries.find(name), std::string::npos) << libraries;
  }
}

/// What kernels say where no GPU can be used: the call that failed, in the runtime's words. None crashes.
TEST(WithoutAGpu, KernelsSayWhatFailed) {
  MemoryMeter meter;
  if (openDevice(cudaKind(), 0, meter)) GTEST_SKIP() << "here is a GPU";
  std::vector<float> values(8);
  const float* leaf = values.data();
  double sum = 0;
  const std::vector<TensorSegment> parts{{0, 8, 0}};
  const auto expectWords = [](const auto& call) {
    try {
      call();
      ADD_FAILURE() << "it worked";
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("CUDA: ")) << error.what();
    }
  };
  expectWords([&] { cudaVectorKernels().scale(values, 2.0F); });
  expectWords([&] { cudaVectorKernels().clear(values); });
  expectWords([&] { cudaAdasumKernels<float>().dots(&leaf, 1, 8, &sum); });
  expectWords([&] { cudaOptimizerKernels().plan(parts); });
}

}  // namespace
}  // namespace slipstream
