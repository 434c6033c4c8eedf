// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "engine/cuda/cuda_queue.h"
#include "engine/nn/cuda/convolution_shape.h"

namespace slipstream {

/// Sets *differs, which is on the GPU as both others are, where they are not alike. `bytes` is a multiple of 16, and so
/// are both addresses. Throws Error with the runtime's words.
void noteDifference(const void* one, const void* other, std::size_t bytes, int* differs, cudaStream_t stream);

/// Single elements of a request's result, spread over it, in double by the definition of a convolution.
class ResultCheck {
 public:
  /// Computes them of what `memory` holds. The queue outlives the check. Throws Error where the GPU has no memory left.
  ResultCheck(CudaQueue& queue, const PlanRequest& request, const PlanMemory& memory);
  /// How far the result that is in memory now is from them, by their norm.
  double distance(const PlanMemory& memory) const;

 private:
  CudaQueue& queue_;
  PlanRequest request_;
  std::size_t samples_;
  CudaMemory memory_;  ///< of sums, then of samples
  std::vector<double> sums_;
};

}  // namespace slipstream
