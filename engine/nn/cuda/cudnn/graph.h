// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/convolution_shape.h"
#include "engine/nn/cuda/cudnn/descriptor.h"

namespace slipstream {

/// A tensor that a plan finds in memory.
struct TensorBytes {
  PlanTensor tensor;
  std::int64_t bytes;
};

/// The operations of the request as cuDNN's operation graph, and what it refers to. Throws Error where cuDNN refuses a
/// tensor or an operation.
class CudnnGraph {
 public:
  explicit CudnnGraph(const PlanRequest& request);
  const CudnnDescriptor& descriptor() const { return graph_; }
  /// All that PlanMemory has to name.
  const std::vector<TensorBytes>& tensors() const { return tensors_; }

 private:
  std::vector<CudnnDescriptor> parts_;  ///< tensors and operators, which operations refer to
  std::vector<CudnnDescriptor> operations_;
  std::vector<TensorBytes> tensors_;
  CudnnDescriptor graph_;
};

}  // namespace slipstream
