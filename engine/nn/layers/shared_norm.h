// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace slipstream {

/// What a batch norm whose output is deferred tells the convolution that applies it in its place: a value a channel
/// each, fp32 unless said otherwise, in memory of the device that the batch norm takes and names when it is made.
/// Written in forward, of running statistics in evaluation: (x - mean) scale + beta.
struct SharedNorm {
  float* mean = nullptr;
  float* scale = nullptr;
  float* beta = nullptr;
  std::byte* lineScale = nullptr;  ///< the same as lineScale x + lineBias, of the type of images
  std::byte* lineBias = nullptr;
};

}  // namespace slipstream
