// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/spec/experiment.h"

namespace slipstream {

struct LossResult {
  double loss = 0;           ///< mean over the batch
  std::int64_t correct = 0;  ///< samples whose largest logit is their label
};

/// Softmax cross-entropy of logits [batch, classes] against labels [batch]; writes dLoss/dLogits (mean over the batch,
/// times `gradientScale`) where `gradient` is not empty. Smoothed: on = 1 - s, off = s / (classes - 1) (MindSpore's
/// CrossEntropySmooth).
LossResult crossEntropy(const LossSpec& spec, std::span<const float> logits, std::span<const std::int32_t> labels,
                        std::int64_t classes, std::span<float> gradient, double gradientScale);

/// The same with targets [batch, classes] that are distributions (sparse = false).
LossResult crossEntropyDense(std::span<const float> logits, std::span<const float> targets, std::int64_t classes,
                             std::span<float> gradient, double gradientScale);

}  // namespace slipstream
