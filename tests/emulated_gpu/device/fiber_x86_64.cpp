// SPDX-License-Identifier: GPL-3.0-or-later
// A switch of stacks in a dozen instructions: swapcontext() asks the kernel for the signal mask each time, and a grid
// switches millions of times.
#include <cstdint>

#include "tests/emulated_gpu/device/fiber.h"
#include "tests/emulated_gpu/device/fiber_stack.h"

extern "C" {
/// Leaves the registers that a callee preserves on the stack in use, notes in `left` where, and goes on from what
/// `entered` was noted as.
void emulatedGpuSwitchStack(void** left, void* entered);
}
asm(R"(
  .text
  .globl emulatedGpuSwitchStack
  .type emulatedGpuSwitchStack, @function
emulatedGpuSwitchStack:
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret
  .size emulatedGpuSwitchStack, . - emulatedGpuSwitchStack
)");

namespace emulated_gpu {

struct Fiber::State {
  FiberStack stack{stackBytes};
  void* inside = nullptr;   ///< where the work pauses
  void* outside = nullptr;  ///< where resume() does
};

Fiber::Fiber() : state_(std::make_unique<State>()) {}
Fiber::~Fiber() = default;
Fiber::Fiber(Fiber&&) noexcept = default;

/// The first switch pops six registers and returns into the work, with the stack as it is behind a call. Above lies a
/// return address of zero, where unwinding ends.
void Fiber::begin(void (*work)()) {
  auto** top = reinterpret_cast<void**>(state_->stack.end()) - 4;
  top[0] = reinterpret_cast<void*>(work);
  top[1] = nullptr;
  state_->inside = top - 6;
}

void Fiber::resume() {
  emulatedGpuSwitchStack(&state_->outside, state_->inside);
}

void Fiber::pause() {
  emulatedGpuSwitchStack(&state_->inside, state_->outside);
}

}  // namespace emulated_gpu
