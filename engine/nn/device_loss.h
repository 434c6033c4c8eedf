// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/device/device.h"
#include "engine/nn/loss.h"

namespace slipstream {

/// The loss of logits that are in a device's memory, without a wait between what makes them and what reads the
/// gradient:
///
///     loss->take(labels, 10);                                  // before the forward pass
///     loss->start(spec, logits, outputGradient, lossScale);    // backward may be given at once
///     const LossResult result = loss->result();                // waits
class DeviceLoss {
 public:
  virtual ~DeviceLoss() = default;
  /// Labels of the next batch, which lie on the host and may go when this returns. Throws Error where one is no class.
  virtual void take(std::span<const std::int32_t> labels, std::int64_t classes) = 0;
  /// crossEntropy() with the labels that were taken last; `logits` and `gradient` (empty: none is wanted) are on the
  /// device. Throws Error where their sizes do not fit.
  virtual void start(const LossSpec& spec, std::span<const float> logits, std::span<float> gradient,
                     double gradientScale) = 0;
  /// Of the last start; waits for it.
  virtual LossResult result() = 0;
};

std::unique_ptr<DeviceLoss> makeCpuLoss();
/// Throws Error where the program was built without this kind of device.
std::unique_ptr<DeviceLoss> makeDeviceLoss(Device& device);

}  // namespace slipstream
