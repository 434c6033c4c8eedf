// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <thread>

#include "tests/boost/withheld_memory.h"

namespace slipstream::test {

/// A communicator whose reductions of a few numbers take a while.
class ReferenceSums final : public WithheldMemory {
 public:
  static constexpr std::chrono::milliseconds pause{3};
  static constexpr double pauseSeconds = 0.003;

  using WithheldMemory::allReduceSum;
  using WithheldMemory::WithheldMemory;
  void allReduceSum(std::span<double> values) override {
    std::this_thread::sleep_for(pause);
    WithheldMemory::allReduceSum(values);
  }
  void allReduceMax(std::span<double> values) override {
    std::this_thread::sleep_for(pause);
    WithheldMemory::allReduceMax(values);
  }
};

}  // namespace slipstream::test
