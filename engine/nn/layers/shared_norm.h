// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace slipstream {

/// What a batch norm and the convolutions that work for it tell each other: a value a channel each, fp32 unless said
/// otherwise, in memory of the device that the batch norm takes and names when it is made.
struct SharedNorm {
  // Written by the convolution before it in forward, where `hasSums`.
  float* sums = nullptr;  ///< of what the batch norm reads
  float* squareSums = nullptr;
  // Written by the batch norm in forward: (x - mean) scale + beta, of running statistics in evaluation.
  float* mean = nullptr;
  float* inverseDeviation = nullptr;
  float* gamma = nullptr;
  float* beta = nullptr;
  float* scale = nullptr;          ///< inverse deviation times gamma
  std::byte* lineScale = nullptr;  ///< the same as lineScale x + lineBias, of the type of images
  std::byte* lineBias = nullptr;
  // Written by the convolution behind it in backward, where `hasGradients`; the gradient that it passes is then that of
  // the batch norm's output, cut by the ReLU.
  float* gammaGradient = nullptr;
  float* betaGradient = nullptr;

  bool hasSums = false;
  bool hasGradients = false;
};

/// Null where there is nothing to share.
struct LayerNorms {
  SharedNorm* ofInput = nullptr;   ///< a batch norm: its own; a convolution: the one that it applies to its input
  SharedNorm* ofOutput = nullptr;  ///< a convolution: the one that it sums its output for
};

}  // namespace slipstream
