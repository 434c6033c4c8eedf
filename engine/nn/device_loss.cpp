// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/device_loss.h"

#include <algorithm>
#include <vector>

#include "engine/base/error.h"
#include "engine/nn/device_networks.h"

namespace slipstream {
namespace {

/// The host's memory is the CPU's.
class CpuLoss final : public DeviceLoss {
 public:
  void take(std::span<const std::int32_t> labels, std::int64_t classes) override {
    const auto isNone = [&](std::int32_t label) { return label < 0 || label >= classes; };
    if (std::ranges::any_of(labels, isNone)) throw Error("a label is no class of the network");
    labels_.assign(labels.begin(), labels.end());
    classes_ = classes;
  }
  void start(const LossSpec& spec, std::span<const float> logits, std::span<float> gradient,
             double gradientScale) override {
    result_ = crossEntropy(spec, logits, labels_, classes_, gradient, gradientScale);
  }
  LossResult result() override { return result_; }

 private:
  std::vector<std::int32_t> labels_;
  std::int64_t classes_ = 0;
  LossResult result_;
};

}  // namespace

std::unique_ptr<DeviceLoss> makeCpuLoss() {
  return std::make_unique<CpuLoss>();
}

std::unique_ptr<DeviceLoss> makeDeviceLoss(Device& device) {
  return networksOf(device.kind()).makeLoss(device);
}

}  // namespace slipstream
