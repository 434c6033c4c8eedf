// SPDX-License-Identifier: GPL-3.0-or-later
// For processors other than x86-64.
#include <ucontext.h>

#include "tests/emulated_gpu/device/fiber.h"
#include "tests/emulated_gpu/device/fiber_stack.h"

namespace emulated_gpu {

struct Fiber::State {
  FiberStack stack{stackBytes};
  ucontext_t inside{};   ///< where the work pauses
  ucontext_t outside{};  ///< where resume() does
};

Fiber::Fiber() : state_(std::make_unique<State>()) {}
Fiber::~Fiber() = default;
Fiber::Fiber(Fiber&&) noexcept = default;

void Fiber::begin(void (*work)()) {
  ::getcontext(&state_->inside);
  state_->inside.uc_stack.ss_sp = state_->stack.begin();
  state_->inside.uc_stack.ss_size = stackBytes;
  state_->inside.uc_link = nullptr;
  ::makecontext(&state_->inside, work, 0);
}

void Fiber::resume() {
  ::swapcontext(&state_->outside, &state_->inside);
}

void Fiber::pause() {
  ::swapcontext(&state_->inside, &state_->outside);
}

}  // namespace emulated_gpu
