// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

/// The dictionary has its switch alone: how it scales is in precision.loss_scale.
struct LossScaleGroupOptions {
  static constexpr const char* algorithm = "loss_scale_group";
};

struct LossScaleAlgorithm {
  static AlgorithmSpec spec();
  static void fillSlots(StepSlots& slots, const UpdateParts& parts);
  static void addCpuKernels(KernelTables& tables);
  static void addCudaKernels(KernelTables& tables);
};

/// Flags with which a loss scale remembers overflows, a float each: one for every group that could own a tensor.
std::int64_t lossScaleFlags(const LossScaleSpec& spec, const OptimizerSpec& optimizer);

}  // namespace slipstream
