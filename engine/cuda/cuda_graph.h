// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "engine/cuda/cuda_queue.h"

namespace slipstream {

/// Device::record on a GPU: a graph of what `work` gives the queue, which outlives it. What `work` throws ends the
/// writing. Throws Error with the runtime's words where a call of the work, or the graph as a whole, is refused.
std::unique_ptr<RecordedWork> captureCudaGraph(CudaQueue& queue, const std::function<void()>& work);

}  // namespace slipstream
