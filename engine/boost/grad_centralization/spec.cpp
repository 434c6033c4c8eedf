// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_centralization/spec.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/boost/less_bn/spec.h"

namespace slipstream {
namespace {

bool isSpared(const std::string& name) {
  constexpr std::array<const char*, 3> words{"beta", "gamma", "bias"};
  return std::ranges::any_of(words, [&](const char* word) { return name.find(word) != std::string::npos; });
}

bool isNormalizedHead(const NetworkSpec& network, const TensorSpec& tensor) {
  const auto layer = static_cast<std::size_t>(tensor.layer);
  return layer < network.layers.size() && network.layers[layer].kind == LayerKind::normalizedDense;
}

bool isAskedByLessBn(const BoostConfig& boost) {
  return boost.isOn<LessBnOptions>() && boost.of<LessBnOptions>().gcFlag;
}

Status describe(RunPlan& plan, const NetworkShape&) {
  const OptimizerSpec& optimizer = plan.experiment.optimizer;
  const bool byGroup =
      std::ranges::any_of(optimizer.groups, [](const auto& group) { return group.gradCentralization == true; });
  const bool byLessBn = isAskedByLessBn(plan.experiment.boost);
  if (!optimizer.gradCentralization && !byGroup && !byLessBn) return {};
  const Text asked = optimizer.gradCentralization ? Text("optimizer.grad_centralization")
                     : byLessBn                   ? Text("less_bn.gc_flag")
                                                  : phrase("a group's grad_centralization");
  decide(plan,
         switchedOn("grad_centralization", Reason::written,
                    phrase("{}: gradients of tensors of two dimensions and more lose the mean of each row", {asked})));
  return {};
}

void addMemory(const RunPlan& plan, const NetworkShape& shape, MemoryForecast& forecast) {
  constexpr std::int64_t sumBytes = 8;
  forecast["boost"] += sumBytes * centralizedRows(plan.experiment, shape.tensors);
}

}  // namespace

AlgorithmSpec GradCentralizationAlgorithm::spec() {
  return {.key = "grad_centralization",
          .title = "Gradient centralisation",
          .summary = "takes the mean out of each row of the gradient that the optimizer steps along",
          .slot = "inside every update",
          .resolveShape = describe,
          .addMemory = addMemory};
}

bool centralizes(const Experiment& experiment, const TensorSpec& tensor) {
  if (tensor.shape.size() < 2 || isNormalizedHead(experiment.network, tensor)) return false;
  const ParameterGroupSpec* group = groupOf(experiment.optimizer, tensor.name);
  if (group != nullptr && group->gradCentralization) return *group->gradCentralization;
  const bool byLessBn = isAskedByLessBn(experiment.boost) && !isSpared(tensor.name);
  return experiment.optimizer.gradCentralization || byLessBn;
}

std::int64_t centralizedRows(const Experiment& experiment, const std::vector<TensorSpec>& tensors) {
  std::int64_t rows = 0;
  for (const TensorSpec& tensor : tensors) {
    if (centralizes(experiment, tensor)) rows += tensor.shape.front();
  }
  return rows;
}

}  // namespace slipstream
