// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <cstdint>

#include "engine/base/processor_clones.h"
#include "engine/boost/kernel_tables.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/loss_scale/spec.h"

namespace slipstream {
namespace {

constexpr std::uint32_t withoutSign = 0x7fffffffU;

/// Returns the largest magnitude, as bits: floats without sign are ordered like their bits, infinity above every number
/// and NaN above infinity.
SLIPSTREAM_PROCESSOR_CLONES std::uint32_t unscaleAndFindLargest(float* gradient, std::size_t count, float inverse) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    gradient[i] *= inverse;
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(gradient[i]) & withoutSign;
    largest = magnitude > largest ? magnitude : largest;
  }
  return largest;
}

void unscale(DeviceQueue&, float* gradient, std::size_t count, double scale, float limit, float* overflowed) {
  // The inverse of a larger one would be no normal number, and be flushed to zero.
  constexpr double largest = 0x1p100;
  for (; scale > largest; scale /= largest) {
    unscaleAndFindLargest(gradient, count, static_cast<float>(1.0 / largest));
  }
  const auto magnitude = unscaleAndFindLargest(gradient, count, static_cast<float>(1.0 / scale));
  if (magnitude > std::bit_cast<std::uint32_t>(limit)) *overflowed = 1;
}

}  // namespace

const LossScaleKernels& cpuLossScaleKernels() {
  static constexpr LossScaleKernels kernels{unscale};
  return kernels;
}

void LossScaleAlgorithm::addCpuKernels(KernelTables& tables) {
  tables.add(cpuLossScaleKernels());
}

}  // namespace slipstream
