// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/boost/step_slots.h"

namespace slipstream {

/// The exponential average of the weights that a rank keeps: average = decay * average + (1 - decay) * weights behind
/// each update.
class WeightAverage {
 public:
  /// Of the weights of `store`, which outlives this, with the kernels of `device`.
  WeightAverage(double decay, ParameterStore& store, Communicator& communicator, Device& device,
                const KernelTables& kernels);

  /// The average is the weights as they are now.
  void begin();
  /// The weights were updated.
  void add();
  /// Runs `use` while the average is where the weights are, and the weights where the average is. Must be called by all
  /// ranks, and blocks until all have finished reading what they read.
  void withAverage(const std::function<void()>& use);

 private:
  void exchange();

  ParameterStore& store_;
  Communicator& communicator_;
  DeviceQueue& queue_;
  const VectorKernels& vectors_;
  const OptimizerKernels& kernels_;
  float step_;
  std::vector<PinnedRange> kept_;
  std::vector<std::span<float>> averages_;  ///< one a kept range
  std::unique_ptr<Buffer> average_;
  std::unique_ptr<Buffer> staging_;
  std::vector<std::unique_ptr<SegmentPlan>> plans_;  ///< one a kept range
};

}  // namespace slipstream
