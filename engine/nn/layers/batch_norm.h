// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta, by channel over batch, height and width (Ioffe and Szegedy
/// 2015). Training uses the batch's statistics and moves the running ones: running = momentum * running +
/// (1 - momentum) * batch, with the unbiased variance; evaluation uses the running ones. States: NAME.moving_mean and
/// NAME.moving_variance.
std::unique_ptr<Layer> makeBatchNorm(const LayerConfig& parts);

}  // namespace slipstream
