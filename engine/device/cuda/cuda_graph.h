#pragma once

#include <functional>
#include <memory>

#include "engine/device/cuda/cuda_device.h"

namespace slipstream {

/// Work that was written down once and starts again as a whole, without its calls: a small batch of a deep network
/// otherwise waits for hundreds of launches.
class CudaGraph {
 public:
  virtual ~CudaGraph() = default;
  /// On the stream that it was written down on.
  virtual void launch() = 0;
};

/// Writes down what `work` puts on `stream`, which does not run yet. The work must not wait, copy to or from the host's
/// pageable memory, or allocate: let it run once before. Everything it refers to keeps its place until the graph has
/// run for the last time. What `work` throws ends the writing. Throws Error where the program was built without CUDA.
std::unique_ptr<CudaGraph> captureCudaGraph(CudaStream& stream, const std::function<void()>& work);

}  // namespace slipstream
