// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

namespace emulated_gpu {

/// A stack on which a function runs, with pauses. Neither it nor its work may be moved to another host thread between
/// begin() and the work's end. Work must not throw.
class Fiber {
 public:
  static constexpr unsigned long stackBytes = 128UL << 10U;

  Fiber();
  ~Fiber();
  Fiber(Fiber&&) noexcept;
  Fiber& operator=(Fiber&&) = delete;

  /// The next resume() calls `work`, which ends with a pause() that nobody resumes.
  void begin(void (*work)());
  /// Runs the work up to its next pause().
  void resume();
  /// Called by the work.
  void pause();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emulated_gpu
