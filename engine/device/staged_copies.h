// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/device/device.h"

namespace slipstream {

/// Carries bytes between a device and any memory of the host through a few chunks of staging memory, which exist from
/// the first use on: one chunk is filled or emptied while another travels.
class StagedCopies {
 public:
  StagedCopies(Device& device, std::size_t chunkBytes, std::size_t chunks)
      : device_(device), chunkBytes_(chunkBytes), chunks_(chunks) {}

  /// Returns when `hostBytes` may be changed; what the device is given later sees the new bytes. Both are equally long.
  void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes);
  /// Returns when all has arrived.
  void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes);

 private:
  struct Chunk {
    std::unique_ptr<Buffer> memory;
    std::unique_ptr<StartedCopy> copy;  ///< goes first
  };

  /// A chunk, free again: they take turns, so that a copy does not wait for the one before it.
  Chunk& freeChunk(std::size_t index);
  template <class Byte>
  std::span<Byte> part(std::span<Byte> bytes, std::size_t index) const;
  std::size_t partsOf(std::size_t bytes) const { return (bytes + chunkBytes_ - 1) / chunkBytes_; }

  Device& device_;
  std::size_t chunkBytes_;
  std::vector<Chunk> chunks_;
  std::size_t next_ = 0;
};

}  // namespace slipstream
