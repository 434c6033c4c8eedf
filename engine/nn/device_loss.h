#pragma once

#include <memory>

#include "engine/device/memory.h"
#include "engine/nn/loss.h"

namespace slipstream {

/// The loss of logits that stand in a device's memory.
class DeviceLoss {
 public:
  virtual ~DeviceLoss() = default;
  /// As crossEntropy(), with `logits` and `gradient` on the device and `labels` on the host; waits for the result.
  virtual LossResult crossEntropy(const LossSpec& spec, std::span<const float> logits,
                                  std::span<const std::int32_t> labels, std::int64_t classes, std::span<float> gradient,
                                  double gradientScale) = 0;
};

/// Throws Error where the program was built without this kind of device.
std::unique_ptr<DeviceLoss> makeDeviceLoss(Device& device);

}  // namespace slipstream
