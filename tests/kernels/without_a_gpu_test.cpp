// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include <unistd.h>

#include "engine/base/error.h"
#include "engine/cuda/cuda_queue.h"
#include "tests/kernels/kernels_fixture.h"

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

/// The call that failed, in the runtime's words.
TEST(WithoutAGpu, AQueueSaysWhatFailed) {
  MemoryMeter meter;
  if (openDevice(cudaKind(), 0, meter)) GTEST_SKIP() << "here is a GPU";
  try {
    const CudaQueue queue(meter, [] {});
    FAIL() << "it was made";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("CUDA: make a")) << error.what();
  }
}

}  // namespace
}  // namespace slipstream
