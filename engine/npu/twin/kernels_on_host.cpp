// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/twin/kernels_on_host.h"

#include "npu_kernels/all_kernels.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string_view>

#include "engine/npu/twin/twin_queue.h"

int slipstream_run_npu_kernel(const char* name, unsigned blocks, const void* arguments, unsigned count) {
  using namespace slipstream;
  const auto* kernel =
      std::ranges::find(allNpuKernels, std::string_view(name), [](const NpuKernel& of) { return of.name; });
  if (kernel == std::end(allNpuKernels)) return 1;
  if (blocks == 0) return 0;
  try {
    static thread_local TwinQueue queue;
    queue.launch(*kernel, blocks, {static_cast<const NpuArgument*>(arguments), count});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return 1;
  }
}
