// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// What the library slipstream_npu_kernels_on_host holds: every kernel, executed by the twin on the thread that calls.
/// `arguments` are `count` NpuArgument. Without blocks nothing is executed. Returns 0, or another number where there is
/// no such kernel, or it has other arguments. A kernel that breaks a law of the hardware ends the program.
extern "C" int slipstream_run_npu_kernel(const char* name, unsigned blocks, const void* arguments, unsigned count);
