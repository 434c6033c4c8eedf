// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/convolution_shape.h"
#include "engine/nn/cuda/cudnn/descriptor.h"

namespace slipstream {

/// The operations of the request as cuDNN's operation graph, and what it refers to. Throws Error where cuDNN refuses a
/// tensor or an operation.
class CudnnGraph {
 public:
  explicit CudnnGraph(const PlanRequest& request);
  const CudnnDescriptor& descriptor() const { return graph_; }

 private:
  std::vector<CudnnDescriptor> parts_;  ///< tensors and operators, which operations refer to
  std::vector<CudnnDescriptor> operations_;
  CudnnDescriptor graph_;
};

}  // namespace slipstream
