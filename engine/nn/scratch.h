#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/device/memory.h"

namespace slipstream {

/// Memory that the layers of a network share, each for the length of one call. Grows to the largest request.
class Scratch {
 public:
  explicit Scratch(Device& device) : device_(device) {}

  /// At least `bytes` bytes with any content; valid until the next call.
  std::span<std::byte> take(std::size_t bytes) {
    if (!buffer_ || buffer_->bytes().size() < bytes) {
      ++moves_;  // also where there is no room for more: what it had is gone then
      buffer_.reset();
      buffer_ = device_.allocate(bytes, MemoryCategory::activations);
    }
    return buffer_->bytes();
  }

  std::size_t size() const { return buffer_ ? buffer_->bytes().size() : 0; }
  /// How often it grew, or tried to: addresses of before are no longer right.
  std::uint64_t moves() const { return moves_; }

 private:
  Device& device_;
  std::unique_ptr<Buffer> buffer_;
  std::uint64_t moves_ = 0;
};

}  // namespace slipstream
