// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/device/device.h"
#include "engine/device/peer_access.h"

namespace slipstream::test {

/// Another device, whose recordings it counts, and how often they are launched; and what memory it is asked for.
class CountingDevice final : public Device {
 public:
  explicit CountingDevice(Device& device) : device_(device) {}

  int recordings() const { return recordings_; }
  int launches() const { return launches_; }
  /// Bytes of each buffer, in the order of asking.
  const std::vector<std::size_t>& allocations() const { return allocations_; }

  std::unique_ptr<RecordedWork> record(const std::function<void()>& work) override {
    auto recorded = std::make_unique<Counted>(device_.record(work), launches_);
    ++recordings_;
    return recorded;
  }
  bool gainsFromRecording() const override { return device_.gainsFromRecording(); }

  const DeviceKind& kind() const override { return device_.kind(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) override {
    allocations_.push_back(bytes);
    return device_.allocate(bytes, category);
  }
  void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) override {
    device_.copyIn(deviceBytes, hostBytes);
  }
  void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) override {
    device_.copyOut(hostBytes, deviceBytes);
  }
  void copyWithin(std::span<std::byte> to, std::span<const std::byte> from) override { device_.copyWithin(to, from); }
  void synchronize() override { device_.synchronize(); }
  MemoryMeter& memory() override { return device_.memory(); }
  DeviceQueue& queue() override { return device_.queue(); }
  bool holds(const void* address) const override { return device_.holds(address); }
  bool usesHostMemory() const override { return device_.usesHostMemory(); }
  std::unique_ptr<Buffer> allocateStaging(std::size_t bytes) override { return device_.allocateStaging(bytes); }
  std::unique_ptr<DevicePoint> point() override { return device_.point(); }
  std::unique_ptr<StartedCopy> startCopyOut(std::span<std::byte> staging, std::span<const std::byte> deviceBytes,
                                            const DevicePoint* after) override {
    return device_.startCopyOut(staging, deviceBytes, after);
  }
  std::unique_ptr<StartedCopy> startCopyIn(std::span<std::byte> deviceBytes,
                                           std::span<const std::byte> staging) override {
    return device_.startCopyIn(deviceBytes, staging);
  }
  std::unique_ptr<PeerAccess> peerAccess() override { return device_.peerAccess(); }

 private:
  class Counted final : public RecordedWork {
   public:
    Counted(std::unique_ptr<RecordedWork> work, int& launches) : work_(std::move(work)), launches_(launches) {}
    void launch() override {
      work_->launch();
      ++launches_;
    }

   private:
    std::unique_ptr<RecordedWork> work_;
    int& launches_;
  };

  Device& device_;
  int recordings_ = 0, launches_ = 0;
  std::vector<std::size_t> allocations_;
};

}  // namespace slipstream::test
