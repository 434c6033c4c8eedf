// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

#include "engine/device/device_queue.h"

namespace slipstream {

/// Plain arithmetic on one device's vectors, element by element. All spans and the pointers in `parts` and `results`
/// are of that device; spans of one call are equally long.
struct VectorKernels {
  /// Writes scale * (sums of `parts`, added in their order) to every one of `results`, which may be `parts`. `add`: to
  /// what the first of `results` holds.
  void (*sum)(DeviceQueue& queue, std::span<const float* const> parts, std::span<float* const> results,
              std::size_t elements, float scale, bool add);
  /// values *= factor.
  void (*scale)(DeviceQueue& queue, std::span<float> values, float factor);
  /// values -= other.
  void (*subtract)(DeviceQueue& queue, std::span<float> values, std::span<const float> other);
  /// result = left - right; `result` may be one of them.
  void (*difference)(DeviceQueue& queue, std::span<const float> left, std::span<const float> right,
                     std::span<float> result);
  /// to = from, which do not overlap.
  void (*copy)(DeviceQueue& queue, std::span<const float> from, std::span<float> to);
  /// values = 0.
  void (*clear)(DeviceQueue& queue, std::span<float> values);
};

const VectorKernels& cpuVectorKernels();

/// Of at most 64 parts and results at a time; the same bits as the CPU's. Returns before the GPU is done. Defined where
/// the program is built with CUDA (backends/cuda.cpp asks for it).
const VectorKernels& cudaVectorKernels();

/// Of at most 64 parts and results at a time. The same bits as the CPU's, NaN apart, which stay NaN: a vector unit
/// rounds every addition and multiplication by itself, as IEEE 754 says. Returns before the NPU is done.
const VectorKernels& npuVectorKernels();

}  // namespace slipstream
