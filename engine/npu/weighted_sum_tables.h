// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/npu/npu_tiles.h"

namespace slipstream {

/// One call of a kernel of kernels/weighted_sum.h.
struct NpuWeightedSum {
  const NpuKernel& kernel;
  std::span<const float* const> vectors;
  std::span<float* const> outputs;
  std::vector<float> coefficients;  ///< npuCoefficients of every segment
  std::span<const NpuTile> tiles;
  const NpuTile* tilesOnDevice = nullptr;  ///< null: they are uploaded
};

/// A coefficient of high + low as `parts` numbers and their halves, the largest first. Numbers beyond floats become
/// infinite.
void appendNpuCoefficient(std::vector<float>& coefficients, double high, double low, std::size_t parts);

/// Launches it; returns before the device is done.
void launchWeightedSum(NpuQueue& queue, const NpuWeightedSum& sum);

}  // namespace slipstream
