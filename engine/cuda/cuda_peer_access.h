// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/cuda/cuda_queue.h"
#include "engine/device/memory_pool.h"
#include "engine/device/peer_access.h"

namespace slipstream {

/// Between ranks of one host, whether they are threads of a process (plain pointers and events) or processes (CUDA's
/// interprocess handles), on one GPU or on several that reach each other. `queue` and `pool` are those of GPU `id`,
/// which is selected, and must outlive this.
std::unique_ptr<PeerAccess> makeCudaPeerAccess(int id, const CudaQueue& queue, MemoryPool& pool);

}  // namespace slipstream
