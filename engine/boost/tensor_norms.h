// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/boost/adasum/kernels.h"
#include "engine/boost/step_slots.h"

namespace slipstream {

/// What a rank has of one tensor.
struct NormPart {
  std::size_t tensor;
  std::span<const float> values;
};

/// Squared Euclidean norms of tensors, in double and in a fixed order, on the run's device.
class TensorNorms {
 public:
  explicit TensorNorms(const UpdateContext& parts)
      : kernels_(parts.kernels.of<AdasumKernels<float>>()), queue_(parts.device.queue()) {}

  /// Writes to squares[tensor] that of every part; waits for the device. The parts are in one memory, one a tensor.
  void measure(std::span<const NormPart> parts, std::span<double> squares);

 private:
  const AdasumKernels<float>& kernels_;  ///< a dot product of one vector is its square
  DeviceQueue& queue_;
  /// By where each part begins and ends, behind the first one: a run asks for few sets of parts, at every step.
  std::map<std::vector<std::ptrdiff_t>, std::unique_ptr<SegmentPlan>> plans_;
};

}  // namespace slipstream
