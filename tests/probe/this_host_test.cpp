// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/this_host.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

TEST(RunningOnHost, CountsWhatComputesOrWaitsForACore) {
  constexpr int threads = 4;
  std::atomic<bool> ended = false;
  std::atomic<int> begun = 0;
  std::vector<std::jthread> busy;
  for (int i = 0; i < threads; ++i) {
    busy.emplace_back([&] {
      ++begun;
      while (!ended) {
      }
    });
  }
  while (begun < threads) std::this_thread::yield();
  EXPECT_GE(runningOnHost(), threads - 0.5) << "a thread that waits for its core is counted, too";
  ended = true;
}

TEST(RunningOnHost, IsNotNegative) {
  EXPECT_GE(runningOnHost(), 0);
}

}  // namespace
}  // namespace slipstream
