// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/device/device_queue.h"
#include "engine/device/tensor_segments.h"
#include "engine/nn/step_arithmetic.h"

namespace slipstream {

/// How the new weights are written a second time, for a network that computes with less.
enum class WeightCopy { none, float16, bfloat16 };

/// How many elements further on a segment begins in the other vectors than among the weights: a shard has another
/// offset in gradients that are kept whole.
struct SegmentShift {
  std::ptrdiff_t gradients = 0;
  std::ptrdiff_t velocity = 0;  ///< of everything that is kept beside the weights
};

/// One step of several tensors that are in the same flat vectors. Pointers are the device's.
struct FlatStep {
  StepForm form;
  float* weights;
  const float* gradients;
  float* velocity;                       ///< the first vector of state; null for the plain form
  std::span<const StepNumbers> numbers;  ///< of the host, by TensorSegment::tensor
  WeightCopy copyType = WeightCopy::none;
  std::uint16_t* copy = nullptr;  ///< bits, rounded to the nearest (the even one of two); as long as the weights
  std::span<const SegmentShift> shifts = {};  ///< of the host, by TensorSegment::tensor; empty: vectors begin alike
  float* secondMoment = nullptr;              ///< of forms that keep two vectors

  SegmentShift shiftOf(const TensorSegment& segment) const {
    return shifts.empty() ? SegmentShift{} : shifts[segment.tensor];
  }
};

/// The optimizers' arithmetic on one device.
struct OptimizerKernels {
  /// What step() works on; each call of step() with the same plan touches the same elements.
  std::unique_ptr<SegmentPlan> (*plan)(DeviceQueue& queue, std::span<const TensorSegment> segments);
  /// Steps every segment in one pass. Of a segment with rows the mean of each row is first taken out of its gradient
  /// (mean in double, in a fixed order), which itself stays as it is.
  void (*step)(DeviceQueue& queue, const SegmentPlan& plan, const FlatStep& step);
};

const OptimizerKernels& cpuOptimizerKernels();

/// One launch a step; the same bits as the CPU's, but for the last bit of a row's mean. Returns before the GPU is done.
/// Defined where the program is built with CUDA (backends/cuda.cpp asks for it).
const OptimizerKernels& cudaOptimizerKernels();

/// One launch a step. The same bits as the CPU's (given roots and quotients that are rounded as IEEE 754 says, which an
/// NPU may miss by a unit of the last place), but for a row's mean, which is a sum in two floats divided once: at
/// most two units of its last place from the CPU's. Returns before the NPU is done. Rows shorter than some hundred
/// elements are slow.
const OptimizerKernels& npuOptimizerKernels();

}  // namespace slipstream
