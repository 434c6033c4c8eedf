// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace emulated_gpu {

/// Notes that the test that runs has started the kernel. When the program ends, each such pair is written as a line
/// `kernel<tab>test` to a file of its own in the folder SLIPSTREAM_KERNEL_RUNS, where that is set.
void noteKernelRun(const std::string& kernel);

}  // namespace emulated_gpu
