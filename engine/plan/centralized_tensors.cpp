// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/centralized_tensors.h"

#include <algorithm>
#include <array>

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

}  // namespace

bool centralizes(const Experiment& experiment, const TensorSpec& tensor) {
  if (tensor.shape.size() < 2 || isNormalizedHead(experiment.network, tensor)) return false;
  const ParameterGroupSpec* group = groupOf(experiment.optimizer, tensor.name);
  if (group != nullptr && group->gradCentralization) return *group->gradCentralization;
  const bool byLessBn = experiment.boost.lessBn && experiment.boost.gcFlag && !isSpared(tensor.name);
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
