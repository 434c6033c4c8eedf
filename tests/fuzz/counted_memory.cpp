// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/counted_memory.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace slipstream::test {
namespace {

std::atomic<std::size_t> largest{0};

}  // namespace

std::size_t largestPiece() {
  return largest;
}

void forgetMemory() {
  largest = 0;
}

}  // namespace slipstream::test

// The sanitizer has an operator new of its own, and refuses what no machine has.
#ifndef __SANITIZE_ADDRESS__
void* operator new(std::size_t bytes) {
  slipstream::test::largest = std::max<std::size_t>(slipstream::test::largest, bytes);
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif
