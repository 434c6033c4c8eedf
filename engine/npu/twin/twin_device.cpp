// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/twin/twin_device.h"

#include "engine/device/cpu_device.h"
#include "engine/npu/twin/twin_queue.h"

namespace slipstream {
namespace {

/// The CPU's device, but for its kind and its kernels.
class TwinDevice final : public Device {
 public:
  explicit TwinDevice(MemoryMeter& meter) : host_(openCpuDevice(meter)) {}

  const DeviceKind& kind() const override { return npuTwinKind(); }
  DeviceQueue& queue() override { return queue_; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) override {
    return host_->allocate(bytes, category);
  }
  void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) override {
    host_->copyIn(deviceBytes, hostBytes);
  }
  void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) override {
    host_->copyOut(hostBytes, deviceBytes);
  }
  void copyWithin(std::span<std::byte> to, std::span<const std::byte> from) override { host_->copyWithin(to, from); }
  bool usesHostMemory() const override { return true; }
  void synchronize() override { host_->synchronize(); }
  MemoryMeter& memory() override { return host_->memory(); }

 private:
  std::unique_ptr<Device> host_;
  TwinQueue queue_;
};

}  // namespace

Result<std::unique_ptr<Device>> openTwinDevice(int, MemoryMeter& meter) {
  return std::make_unique<TwinDevice>(meter);
}

}  // namespace slipstream
