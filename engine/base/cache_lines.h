// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include <sys/mman.h>

namespace slipstream {

/// Gives memory that begins with a cache line: wide loads and stores that count from there never touch two. Large
/// pieces begin with a large page, and the system is asked for such pages: whoever goes through them from end to end
/// spares it the look-ups of many small ones.
template <class Value>
struct CacheLineAllocator {
  using value_type = Value;
  static constexpr std::size_t cacheLine = 64;
  static constexpr std::size_t largePage = std::size_t{1} << 21U;

  CacheLineAllocator() = default;
  template <class Other>
  explicit CacheLineAllocator(const CacheLineAllocator<Other>&) {}

  Value* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(Value);
    void* memory = ::operator new(bytes, alignmentOf(count));
    // Pages at the end that are not only ours stay as they are; where the system has no large ones, all do.
    if (bytes >= largePage) ::madvise(memory, bytes / largePage * largePage, MADV_HUGEPAGE);
    return static_cast<Value*>(memory);
  }
  void deallocate(Value* memory, std::size_t count) { ::operator delete(memory, alignmentOf(count)); }
  bool operator==(const CacheLineAllocator&) const = default;

 private:
  static std::align_val_t alignmentOf(std::size_t count) {
    return std::align_val_t{count * sizeof(Value) >= largePage ? largePage : cacheLine};
  }
};

using CacheLineFloats = std::vector<float, CacheLineAllocator<float>>;
using CacheLineBytes = std::vector<std::uint8_t, CacheLineAllocator<std::uint8_t>>;

}  // namespace slipstream
