// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <cuda_runtime.h>

#include "tests/emulated_gpu/device/fiber.h"

namespace emulated_gpu {

inline constexpr unsigned lanesOfWarp = 32;

/// A copy to shared memory that was begun and has not happened.
struct OpenCopy {
  void* to;
  const void* from;
  std::size_t bytes;
  std::size_t commit;  ///< number of the commit that it belongs to
};

/// One thread of the block that runs.
struct BlockThread {
  enum class State { running, atBarrier, atExchange, ended };

  Fiber fiber;
  unsigned index = 0;
  State state = State::ended;
  Site site{};                          ///< where it waits
  unsigned lanes = 0;                   ///< with which it exchanges
  std::array<std::byte, 16> offered{};  ///< at this exchange and at the one before, which others may not have read yet
  unsigned exchanges = 0;
  std::vector<OpenCopy> copies;
  std::size_t commits = 0;
};

/// The one that runs now.
BlockThread& currentThread();
bool isThreadRunning();
/// Another one of the same block.
BlockThread& threadOfBlock(unsigned index);
/// Whether all of it is memory that the block shares.
bool isShared(const void* memory, std::size_t bytes);
/// Prints what the current thread did and aborts.
[[noreturn]] void refuse(const std::string& what);
/// Until something lets the thread go on.
void pauseAs(BlockThread::State state, const Site& site);

}  // namespace emulated_gpu
