// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "engine/device/device.h"

namespace slipstream {

/// Where a pool has its memory from: the driver of a device, or a test.
class RawMemory {
 public:
  /// Bytes that are left, and that there are.
  struct Capacity {
    std::size_t free = 0;
    std::size_t total = 0;
  };

  virtual ~RawMemory() = default;
  /// At least 64-byte aligned; null where there is not so much left.
  virtual std::byte* take(std::size_t bytes) = 0;
  /// Waits for the work that uses it. Never while work is recorded, but where the pool itself ends.
  virtual void giveBack(std::byte* memory) = 0;
  /// Zeroes, in order with everything that the device is given.
  virtual void clear(std::span<std::byte> memory) = 0;
  virtual Capacity capacity() = 0;
};

/// Gives out a device's memory as buffers, zeroed and counted by the meter, and keeps what comes back for the next: the
/// driver's own calls wait for the whole device. A block may go to its next owner while work of the former is still
/// under way, because a device does what it is given in order; work elsewhere (copies, messages) has to end first.
///
/// Blocks have few sizes, at most an eighth more than was asked for, so that they fit again. Where the driver has no
/// more, free blocks go back to it before anything fails. It also is the register of addresses that are the device's:
/// of an address alone only the driver could tell, and that could not be tested without the device.
///
/// Buffers may outlive the pool. One thread at a time.
class MemoryPool {
 public:
  /// `deviceName` names the device in failures. The meter must outlive the pool and its buffers.
  MemoryPool(std::unique_ptr<RawMemory> raw, MemoryMeter& meter, std::string deviceName);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// Throws Error where there is no room, saying for what, how much is left and what to do, or where work is recorded.
  std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category);

  /// The block of the driver that the address lies in, whole; empty where the pool has none such.
  std::span<const std::byte> blockOf(const void* address) const;
  bool holds(const void* address) const { return !blockOf(address).empty(); }
  /// The same, and the block never goes back to the driver while the pool lives: others reach into it.
  std::span<const std::byte> keepBlock(const void* address);

  /// Bytes taken from the driver now: in use, or kept for the next.
  std::size_t heldBytes() const;
  /// Gives the driver back what nobody uses. Throws Error where work is recorded.
  void trim();

 private:
  class Blocks;
  std::shared_ptr<Blocks> blocks_;
  MemoryMeter& meter_;
};

/// The size of the block that a request gets: a multiple of 512 bytes and of an eighth of the power of two below it.
std::size_t blockSize(std::size_t bytes);

}  // namespace slipstream
