// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/device.h"

#include <algorithm>
#include <new>
#include <string>

#include "engine/base/error.h"
#include "engine/device/peer_access.h"

namespace slipstream {
namespace {

/// Nobody counts it.
class StagingBuffer final : public Buffer {
 public:
  explicit StagingBuffer(std::size_t bytes) : size_(bytes), data_(new (alignment) std::byte[bytes]()) {}
  ~StagingBuffer() override { operator delete[](data_, alignment); }
  StagingBuffer(const StagingBuffer&) = delete;
  StagingBuffer& operator=(const StagingBuffer&) = delete;

  std::span<std::byte> bytes() override { return {data_, size_}; }

 private:
  static constexpr std::align_val_t alignment{64};
  std::size_t size_;
  std::byte* data_;
};

class EndedCopy final : public StartedCopy {
 public:
  bool done() override { return true; }
  void wait() override {}
};

}  // namespace

DeviceQueue& hostQueue() {
  static DeviceQueue queue;
  return queue;
}

void MemoryMeter::add(MemoryCategory category, std::int64_t bytes) {
  const auto index = static_cast<std::size_t>(category);
  const std::scoped_lock lock(mutex_);
  held_[index] += bytes;
  peak_[index] = std::max(peak_[index], held_[index]);
}

MemoryMeter::Bytes MemoryMeter::peak() const {
  const std::scoped_lock lock(mutex_);
  return peak_;
}

std::unique_ptr<PeerAccess> Device::peerAccess() {
  return nullptr;
}

std::unique_ptr<RecordedWork> Device::record(const std::function<void()>&) {
  throw Error("the device " + kind().name + " does not record work");
}

bool Device::holds(const void*) const {
  return false;
}

std::unique_ptr<Buffer> Device::allocateStaging(std::size_t bytes) {
  refuseWhileRecording("pin memory of the host");
  return std::make_unique<StagingBuffer>(bytes);
}

std::unique_ptr<DevicePoint> Device::point() {
  return nullptr;
}

std::unique_ptr<StartedCopy> Device::startCopyOut(std::span<std::byte> staging, std::span<const std::byte> deviceBytes,
                                                  const DevicePoint*) {
  copyOut(staging, deviceBytes);
  return std::make_unique<EndedCopy>();
}

std::unique_ptr<StartedCopy> Device::startCopyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> staging) {
  copyIn(deviceBytes, staging);
  return std::make_unique<EndedCopy>();
}

}  // namespace slipstream
