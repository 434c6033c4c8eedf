// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/network_summary.h"

#include <fmt/format.h>

#include "engine/experiment/experiment_check.h"
#include "engine/experiment/network_file.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {
namespace {

std::string shapeColumn(const SampleShape& shape) {
  if (shape.height == 0) return std::to_string(shape.channels);
  return fmt::format("{} × {} × {}", shape.height, shape.width, shape.channels);
}

}  // namespace

std::vector<LayerSummary> summarize(const Experiment& experiment) {
  const auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
  if (!shape) return {};
  std::vector<LayerSummary> layers;
  for (std::size_t i = 0; i < experiment.network.layers.size(); ++i) {
    const LayerSpec& layer = experiment.network.layers[i];
    layers.push_back({layer.name, nameOf(layer.kind), shapeColumn(shape->outputs[i])});
  }
  for (const TensorSpec& tensor : shape->tensors) {
    layers[static_cast<std::size_t>(tensor.layer)].parameters += tensor.elements();
  }
  return layers;
}

}  // namespace slipstream
