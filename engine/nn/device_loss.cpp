#include "engine/nn/device_loss.h"

#include "engine/base/error.h"
#include "engine/nn/cuda/cuda_backend.h"

namespace slipstream {
namespace {

/// The host's memory is the CPU's.
class CpuLoss final : public DeviceLoss {
 public:
  LossResult crossEntropy(const LossSpec& spec, std::span<const float> logits, std::span<const std::int32_t> labels,
                          std::int64_t classes, std::span<float> gradient, double gradientScale) override {
    return slipstream::crossEntropy(spec, logits, labels, classes, gradient, gradientScale);
  }
};

}  // namespace

std::unique_ptr<DeviceLoss> makeDeviceLoss(Device& device) {
  if (device.name() == "cpu") return std::make_unique<CpuLoss>();
  if (device.name() == "cuda") return makeCudaLoss(device);
  throw Error("no losses for the device " + std::string(device.name()));
}

}  // namespace slipstream
