// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

namespace metric {
inline constexpr const char* freezeIndex = "freeze_index";
}  // namespace metric

inline constexpr std::array gradFreezeMetrics{algorithmMetric(metric::freezeIndex, "First trained group")};

struct GradFreezeOptions {
  static constexpr const char* algorithm = "grad_freeze";
  int paramGroups = 10;
  int freezeType = 1;
  double freezeP = 0.7;
  std::int64_t totalSteps = 65536;

  static std::vector<BoostOption> keys() {
    using Options = GradFreezeOptions;
    return {option("param_groups", "Parameter groups", &Options::paramGroups, atLeast(1), "nested groups of layers"),
            option("freeze_type", "Kind of schedule", &Options::freezeType, between(0, 1),
                   "0: continuous, 1: interval schedule"),
            option("freeze_p", "Share of full steps", &Options::freezeP, strictlyBetween(0, 1),
                   "share of steps that train everything"),
            option("total_steps", "Schedule length", &Options::totalSteps, between(1, 1e9),
                   "length of the schedule in steps")};
  }
};

struct GradFreezeAlgorithm {
  static AlgorithmSpec spec();
  static void fillSlots(StepSlots& slots, const UpdateContext& parts);
};

/// Blocks of grad_freeze, as MindSpore's boost library makes them: the index of each block's first tensor. `names` are
/// those of the trainable tensors in forward order. A name with "bn" or "bias" joins the block before it; any other
/// starts the next block where the block at hand holds three tensors or more.
std::vector<int> freezeBlocks(const std::vector<std::string>& names);

/// The first tensor of each of `groups` nested groups: group i trains the tensors from there to the last one, group 0
/// all of them. Every group starts at the first tensor where there are more groups than blocks: then nothing is ever
/// frozen.
std::vector<int> freezeGroups(const std::vector<std::string>& names, int groups);

/// The layer that each group starts at; a group that starts inside a layer trains the whole of it. `tensors` are in
/// forward order.
std::vector<int> firstTrainedLayers(const std::vector<TensorSpec>& tensors, int groups);

/// Type 0: the steps that train everything before each run of one step a frozen group.
std::int64_t freezeFullSteps(double freezeP, int groups);

/// How many blocks the tensors form.
int freezeBlockCount(const std::vector<TensorSpec>& tensors);

}  // namespace slipstream
