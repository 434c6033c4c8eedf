// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/device/device.h"
#include "engine/device/memory_pool.h"

namespace slipstream::test {

/// Memory that nobody may touch but its copies and who unlocks it: code of the host that reads or writes it otherwise
/// ends the process, like the memory of a GPU. `room`: bytes that there are.
class ProtectedMemory final : public RawMemory {
 public:
  explicit ProtectedMemory(std::size_t room);
  ~ProtectedMemory() override;
  ProtectedMemory(const ProtectedMemory&) = delete;
  ProtectedMemory& operator=(const ProtectedMemory&) = delete;

  std::byte* take(std::size_t bytes) override;
  void giveBack(std::byte* memory) override;
  void clear(std::span<std::byte> memory) override;
  Capacity capacity() override { return {room_ - taken(), room_}; }

  /// All of it, until protected as often; from one thread.
  void unlock();
  void lock();
  /// Blocks taken so far.
  int takes() const { return takes_; }

 private:
  struct Block {
    std::byte* memory;
    std::size_t bytes;
  };
  std::size_t taken() const;
  void protect(int protection);

  std::size_t room_;
  std::byte* mapped_;
  std::byte* pages_;      ///< of all blocks, one behind the other: one call locks them
  std::size_t used_ = 0;  ///< bytes of them; what was given back is not used again
  int takes_ = 0;
  int unlocked_ = 0;
  std::vector<Block> blocks_;
};

class LateCopy;

/// A kind that no program has.
const DeviceKind& protectedKind();

/// A device without kernels whose memory is protected: what finds code of the host that takes a device's memory for its
/// own. Started copies end late, when they are asked for the third time, in the order of starting; inward ones before
/// the next kernel. What is given while it records is written down, as closures that hold what a kernel's arguments
/// would; anything else is refused then, as a GPU refuses it. Of the kind that is given.
class ProtectedDevice final : public Device {
 public:
  explicit ProtectedDevice(MemoryMeter& meter, const DeviceKind& kind = protectedKind(),
                           std::size_t room = std::size_t{1} << 30);

  const DeviceKind& kind() const override { return kind_; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) override {
    return pool_.allocate(bytes, category);
  }
  void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) override;
  void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) override;
  void synchronize() override { settle(); }
  void copyWithin(std::span<std::byte> to, std::span<const std::byte> from) override;
  MemoryMeter& memory() override { return meter_; }
  bool holds(const void* address) const override { return pool_.holds(address); }
  std::unique_ptr<DevicePoint> point() override;
  std::unique_ptr<StartedCopy> startCopyOut(std::span<std::byte> staging, std::span<const std::byte> deviceBytes,
                                            const DevicePoint* after) override;
  /// Of the copies outward that were started behind a point, how many kernels (Unprotected) ran between the point and
  /// the start, together: what such a copy does not wait for.
  std::int64_t kernelsNotWaitedFor() const { return notWaitedFor_; }
  void countKernel() { ++kernels_; }
  /// Runs a kernel, which may touch the memory, or writes it down.
  void give(std::function<void()> kernel);

  bool gainsFromRecording() const override { return records_; }
  std::unique_ptr<RecordedWork> record(const std::function<void()>& work) override;
  /// As a device that gains nothing.
  void neverRecord() { records_ = false; }
  int recordings() const { return recordings_; }
  /// Of all recordings together.
  int launches() const { return launches_; }
  std::unique_ptr<StartedCopy> startCopyIn(std::span<std::byte> deviceBytes,
                                           std::span<const std::byte> staging) override;

  ProtectedMemory& raw() { return *raw_; }
  /// Started copies that have not happened yet happen now, in order.
  void settle();
  /// The same as far as the last of those that copy into the device: outward ones may stay under way.
  void settleInward();

 private:
  const DeviceKind& kind_;
  MemoryMeter& meter_;
  ProtectedMemory* raw_;
  MemoryPool pool_;
  std::shared_ptr<std::deque<LateCopy*>> underWay_;  ///< in the order of starting
  std::int64_t kernels_ = 0, notWaitedFor_ = 0;
  bool records_ = true;
  std::vector<std::function<void()>>* recording_ = nullptr;  ///< where kernels are written down; null: they run
  int recordings_ = 0, launches_ = 0;
};

/// While it lives, this thread may touch the memory: what a kernel does.
class Unprotected {
 public:
  explicit Unprotected(ProtectedDevice& device) : memory_(device.raw()) {
    refuseWhileRecording("run a kernel");
    device.settleInward();
    device.countKernel();
    memory_.unlock();
  }
  ~Unprotected() { memory_.lock(); }
  Unprotected(const Unprotected&) = delete;
  Unprotected& operator=(const Unprotected&) = delete;

 private:
  ProtectedMemory& memory_;
};

}  // namespace slipstream::test
