// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

namespace metric {
inline constexpr const char* skippedUpdates = "skipped_updates";
inline constexpr const char* lossScale = "loss_scale";
inline constexpr const char* lossScaleOfGroup = "loss_scale/*";  ///< in place of lossScale, where each group has one
}  // namespace metric

inline constexpr std::array lossScaleMetrics{algorithmMetric(metric::skippedUpdates, "Skipped updates"),
                                             MetricInfo{.name = metric::lossScale,
                                                        .title = "Loss scale",
                                                        .by = ReportedBy::algorithm,
                                                        .varies = false,
                                                        .mayBeLogarithmic = true},
                                             MetricInfo{.name = metric::lossScaleOfGroup,
                                                        .title = "Loss scale of a group",
                                                        .by = ReportedBy::algorithm,
                                                        .varies = false,
                                                        .mayBeLogarithmic = true}};

/// The dictionary has its switch alone: how it scales is in precision.loss_scale.
struct LossScaleGroupOptions {
  static constexpr const char* algorithm = "loss_scale_group";
};

struct LossScaleAlgorithm {
  static AlgorithmSpec spec();
  static void fillSlots(StepSlots& slots, const UpdateContext& parts);
  static void addCpuKernels(KernelTables& tables);
  static void addCudaKernels(KernelTables& tables);
  static void addNpuKernels(KernelTables& tables);
  static void checkKernels(KernelCheck& check);
};

/// Flags with which a loss scale remembers overflows, a float each: one for every group that could own a tensor.
std::int64_t lossScaleFlags(const LossScaleSpec& spec, const OptimizerSpec& optimizer);

}  // namespace slipstream
