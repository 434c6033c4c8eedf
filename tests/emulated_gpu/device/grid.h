// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include "tests/emulated_gpu/device/symbols.h"

namespace emulated_gpu {

/// A kernel of the program, found by the address of its function.
struct Kernel {
  std::string name;
  SharedArrays sharedArrays;  ///< all that its threads may share
};

/// Reads the program's symbols at the first call. The reference stays valid.
const Kernel& kernelAt(const void* function);

struct Grid {
  const Kernel* kernel;
  unsigned blocks;
  unsigned threads;              ///< of a block
  std::function<void()> thread;  ///< what each of them runs
};

/// Runs the blocks in any order, one after the other, and the threads of each in any order between the points where
/// they meet. Prints the kernel, the block and the thread and aborts where a point is not reached by all that must. To
/// be called by the host thread that holds the GPU.
void runGrid(const Grid& grid);

}  // namespace emulated_gpu
