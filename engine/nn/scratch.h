// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/device/device.h"

namespace slipstream {

/// Hands out parts of one block of memory, each at a multiple of `alignment`. Without a block it only counts, and every
/// part is null.
template <std::size_t alignment>
class AlignedParts {
 public:
  AlignedParts() = default;
  explicit AlignedParts(std::span<std::byte> memory) : memory_(memory.data()) {}

  template <class T>
  T* take(std::int64_t count) {
    std::byte* part = memory_ == nullptr ? nullptr : memory_ + bytes_;
    bytes_ += (static_cast<std::size_t>(count) * sizeof(T) + alignment - 1) / alignment * alignment;
    return reinterpret_cast<T*>(part);
  }
  /// That the parts so far take.
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Of layers that compute on the CPU.
using CpuParts = AlignedParts<64>;

/// Memory that the layers of a network share, each for the length of one call. Grows to the largest request. What a
/// call takes is listed once, by a function `list(parts)` that takes its parts one after the other: reserve() counts
/// them, place() gives them memory.
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
  /// What `list` returns of parts that are in this memory; valid until the next call.
  template <class Parts, class List>
  auto place(const List& list) {
    Parts parts(take(bytesOf<Parts>(list)));
    return list(parts);
  }

  /// Notes what later calls will take; nothing is taken for it yet.
  void reserve(std::size_t bytes) { reserved_ = std::max(reserved_, bytes); }
  template <class Parts, class List>
  void reserve(const List& list) {
    reserve(bytesOf<Parts>(list));
  }
  /// The largest that was noted.
  std::size_t reserved() const { return reserved_; }
  /// Takes it, so that calls that were noted find their memory.
  void takeReserved() {
    if (reserved_ > size()) take(reserved_);
  }

  std::size_t size() const { return buffer_ ? buffer_->bytes().size() : 0; }
  /// How often it grew, or tried to: addresses of before are no longer right.
  std::uint64_t moves() const { return moves_; }

 private:
  template <class Parts, class List>
  static std::size_t bytesOf(const List& list) {
    Parts counted;
    list(counted);
    return counted.bytes();
  }

  Device& device_;
  std::unique_ptr<Buffer> buffer_;
  std::size_t reserved_ = 0;
  std::uint64_t moves_ = 0;
};

}  // namespace slipstream
