// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

/// It fills no slot: every update takes the means out of what its exchange made of the gradients.
struct GradCentralizationAlgorithm {
  static AlgorithmSpec spec();
  static void addCpuKernels(KernelTables& tables);
  static void addCudaKernels(KernelTables& tables);
  static void addNpuKernels(KernelTables& tables);
  static void checkKernels(KernelCheck& check);
};

/// Whether the gradient of the tensor is centralised: it has two dimensions or more, is no normalised head, and its
/// group, the optimizer or less_bn's gc_flag says so (gc_flag spares names with beta, gamma and bias).
bool centralizes(const Experiment& experiment, const TensorSpec& tensor);

/// Rows of all tensors whose gradients are centralised: grad_centralization keeps a sum in double for each.
std::int64_t centralizedRows(const Experiment& experiment, const std::vector<TensorSpec>& tensors);

}  // namespace slipstream
