// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/cuda_queue.h"
#include "engine/nn/cuda/cudnn/plan.h"

namespace slipstream {

/// Runs plans in the queue, whose stream the handle has, on memory that it takes and gives back. Both must outlive what
/// is returned. Nothing is tried where the GPU has not that memory, or the thread records. `runs` of each plan are
/// compared with its first, bit by bit, and that with sums in double.
TryPlans tryPlansIn(CudaQueue& queue, cudnnHandle_t handle, int runs = 8);

}  // namespace slipstream
