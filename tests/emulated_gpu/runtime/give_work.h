// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <cuda_runtime_api.h>

namespace emulated_gpu {

/// What a library would do on a GPU, done by the host: `work` runs in the stream's order, each time that it is replayed
/// where the stream is captured.
void giveWork(cudaStream_t stream, std::function<void()> work);

}  // namespace emulated_gpu
