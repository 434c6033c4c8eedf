// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_gpu/device/fiber_stack.h"

#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace emulated_gpu {

FiberStack::FiberStack(std::size_t bytes)
    : guard_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))), whole_(guard_ + bytes) {
  void* memory = ::mmap(nullptr, whole_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || ::mprotect(memory, guard_, PROT_NONE) != 0) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
}

FiberStack::~FiberStack() {
  ::munmap(memory_, whole_);
}

}  // namespace emulated_gpu
