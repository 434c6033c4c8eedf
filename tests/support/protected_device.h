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

/// Memory that ends the process when code of the host touches it, as a GPU's does. Copies of its device may touch it,
/// and so may code between unlock() and lock(). `room`: how many bytes of it can be taken at a time.
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

  /// Lets code of the host touch all of the memory until lock() has been called as often. Both belong to one thread.
  void unlock();
  void lock();
  /// How many blocks have been taken so far, those that were given back included.
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
  std::byte* pages_;      ///< holds all blocks, one behind the other, so that one call protects them
  std::size_t used_ = 0;  ///< bytes of `pages_` that were taken; what is given back is not taken again
  int takes_ = 0;
  int unlocked_ = 0;
  std::vector<Block> blocks_;
};

class LateCopy;

/// The kind of a protected device where a test gives it no other; deviceKinds() lacks it.
const DeviceKind& protectedKind();

/// A device whose memory is a ProtectedMemory, which finds code of the host that takes a device's memory for the
/// host's. Started copies happen in the order of their start and late: when they are asked for the third time or waited
/// for, and those into the device before the next kernel. While the device records, kernels are kept instead of run, as
/// closures that hold what the arguments of a GPU's kernels would, and what a GPU refuses while it records is refused.
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
  /// How many kernels ran between a point and the start of a copy out of the device that waits for that point only,
  /// summed over all such copies: what these copies did not wait for.
  std::int64_t kernelsNotWaitedFor() const { return notWaitedFor_; }
  void countKernel() { ++kernels_; }
  /// Runs a kernel, which may touch the memory; keeps it for launches of the recording while the device records.
  void give(std::function<void()> kernel);

  bool gainsFromRecording() const override { return records_; }
  std::unique_ptr<RecordedWork> record(const std::function<void()>& work) override;
  /// Makes this a device that gains nothing from recordings, so that networks record no passes on it.
  void neverRecord() { records_ = false; }
  int recordings() const { return recordings_; }
  /// How often recordings were launched.
  int launches() const { return launches_; }
  std::unique_ptr<StartedCopy> startCopyIn(std::span<std::byte> deviceBytes,
                                           std::span<const std::byte> staging) override;

  ProtectedMemory& raw() { return *raw_; }
  /// Lets all started copies happen now that have not happened yet, in order.
  void settle();
  /// Lets started copies happen, in order, up to the last one into the device; later ones out of it stay under way.
  void settleInward();

 private:
  const DeviceKind& kind_;
  MemoryMeter& meter_;
  ProtectedMemory* raw_;
  MemoryPool pool_;
  std::shared_ptr<std::deque<LateCopy*>> underWay_;  ///< copies, in the order of their start
  std::int64_t kernels_ = 0, notWaitedFor_ = 0;
  bool records_ = true;
  std::vector<std::function<void()>>* recording_ = nullptr;  ///< keeps kernels while the device records; else null
  int recordings_ = 0, launches_ = 0;
};

/// Stands for a kernel that runs for as long as this lives: the thread may touch the device's memory.
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
