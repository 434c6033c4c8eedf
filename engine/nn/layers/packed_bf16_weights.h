// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include <dnnl.hpp>

#include "engine/base/number_type.h"

namespace slipstream {

/// Where weights of a convolution are in bf16 as oneDNN wants them where the processor multiplies pairs. Strides are
/// in values.
struct PackedBf16Weights {
  std::int64_t outputs;
  std::int64_t inputs;
  std::int64_t kernel;
  bool pairsInputs;           ///< two input channels side by side, as forward wants them, or two output channels
  std::int64_t blockOutputs;  ///< output channels that are together; at the end of the last there may be zeros
  std::int64_t blockStride;
  std::int64_t inputStride;  ///< between pairs of input channels, or between blocks of 16
  std::int64_t rowStride;
  std::int64_t columnStride;
};

/// Where `description`, of weights, is of this kind, and this processor can pack them.
std::optional<PackedBf16Weights> pairedWeights(const dnnl::memory::desc& description);

/// From weights as they are stored (OHWI); the same bits as oneDNN 2.6's reorder, which puts down value by value.
void packPairs(const PackedBf16Weights& format, const float* stored, Bfloat16* packed);

}  // namespace slipstream
