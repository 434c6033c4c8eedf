// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/cuda/cuda_queue.h"
#include "engine/nn/cuda/cudnn/plan.h"

namespace slipstream {

/// Times plans in the queue, whose stream the handle has, on memory that it takes and gives back. Both must outlive
/// what is returned. Nothing is timed where the GPU has not that memory, or the thread records.
TimePlans timePlansIn(CudaQueue& queue, cudnnHandle_t handle);

}  // namespace slipstream
