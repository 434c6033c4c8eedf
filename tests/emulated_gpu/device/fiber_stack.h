// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace emulated_gpu {

/// Memory of a fiber; what lies below it ends the process that touches it.
class FiberStack {
 public:
  /// Throws std::bad_alloc.
  explicit FiberStack(std::size_t bytes);
  ~FiberStack();
  FiberStack(const FiberStack&) = delete;
  FiberStack& operator=(const FiberStack&) = delete;

  std::byte* begin() const { return memory_ + guard_; }
  std::byte* end() const { return memory_ + whole_; }

 private:
  std::size_t guard_;
  std::size_t whole_;
  std::byte* memory_;
};

}  // namespace emulated_gpu
