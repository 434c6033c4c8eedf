// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/cuda/protected_gpu.h"

#include "engine/nn/cuda/layers/image_input.h"
#include "engine/nn/cuda/layers/loss.h"

namespace slipstream::test {
namespace {

/// The layers of a GPU, in loops on the host that the device is given.
class ProtectedOps {
 public:
  explicit ProtectedOps(ProtectedDevice& device, const HostFusing& fusing = {})
      : device_(&device), convolutions_(std::make_shared<Convolutions>(device, fusing)) {}

  template <class Work>
  void each(std::int64_t count, const Work& work) const {
    device_->give([host = host_, count, work] { host.each(count, work); });
  }
  template <class Work>
  static void withType(NumberType type, const Work& work) {
    HostOps::withType(type, work);
  }
  void multiply(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns, std::int64_t inner,
                const Operands& of, float beta, float* c) const {
    device_->give([host = host_, transposeA, transposeB, rows, columns, inner, of, beta, c] {
      host.multiply(transposeA, transposeB, rows, columns, inner, of, beta, c);
    });
  }
  ConvolutionRunner& convolutions() const { return *convolutions_; }

 private:
  class Convolutions final : public ConvolutionRunner {
   public:
    Convolutions(ProtectedDevice& device, const HostFusing& fusing) : device_(device), host_(fusing) {}
    bool fuses() const override { return host_.fuses(); }
    bool has(const PlanRequest& request) override { return host_.has(request); }
    std::int64_t prepare(const PlanRequest& request) override { return host_.prepare(request); }
    void run(const PlanRequest& request, const PlanMemory& memory, void* scratch) override {
      device_.give([this, request, memory, scratch] { host_.run(request, memory, scratch); });
    }
    std::string nameOf(const PlanRequest& request) override { return host_.nameOf(request); }

   private:
    ProtectedDevice& device_;
    HostConvolutions host_;
  };

  ProtectedDevice* device_;
  HostOps host_;
  std::shared_ptr<Convolutions> convolutions_;
};

ProtectedDevice& protectedDevice(Device& device) {
  return dynamic_cast<ProtectedDevice&>(device);
}

std::unique_ptr<Network> makeGpuNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                        NumberType pictures, Device& device) {
  return makeNetwork(spec, input, maximumBatch, pictures, device, makeProtectedBackend(protectedDevice(device)));
}

std::unique_ptr<Network> makeGpuNetworkInFp16(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                              NumberType, Device& device) {
  return makeGpuNetwork(spec, input, maximumBatch, NumberType::float16, device);
}

std::unique_ptr<DeviceLoss> makeGpuLoss(Device& device) {
  return std::make_unique<LossOn<ProtectedOps>>(device, ProtectedOps(protectedDevice(device)));
}

std::unique_ptr<ImageInput> makeGpuPictureInput(Device& device, const ImageNormalization& normalization) {
  return std::make_unique<ImageInputOn<ProtectedOps>>(device, ProtectedOps(protectedDevice(device)), normalization);
}

}  // namespace

std::unique_ptr<NetworkBackend> makeProtectedBackend(ProtectedDevice& device, const HostFusing& fusing) {
  return std::make_unique<OpsBackend<ProtectedOps>>(ProtectedOps(device, fusing));
}

TrainingTools protectedGpuTools(ProtectedDevice& device) {
  TrainingTools tools = protectedTools(device);
  tools.makeNetwork = makeGpuNetwork;
  tools.makeLoss = makeGpuLoss;
  tools.makeImageInput = makeGpuPictureInput;
  return tools;
}

TrainingTools protectedGpuToolsInFp16(ProtectedDevice& device) {
  TrainingTools tools = protectedGpuTools(device);
  tools.makeNetwork = makeGpuNetworkInFp16;
  return tools;
}

}  // namespace slipstream::test
