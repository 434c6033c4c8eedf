// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/network_graph.h"

#include <map>

#include <fmt/format.h>

namespace slipstream {
namespace {

/// Finds names among the layers seen so far.
class Resolving {
 public:
  Resolving(const NetworkSpec& network, Failures& failures) : network_(network), failures_(failures) {
    indices_.emplace(networkInputName, networkInput);
  }

  LayerInputs layer(std::size_t index) {
    index_ = index;
    const LayerSpec& layer = network_.layers[index];
    LayerInputs inputs;
    inputs.from = find("from", layer.from).value_or(static_cast<int>(index) - 1);
    if (layer.kind == LayerKind::add) {
      if (layer.with.empty()) refuse("", "adds nothing", "name a layer before it in with");
      inputs.with = find("with", layer.with).value_or(inputs.from);
    } else if (!layer.with.empty()) {
      refuse(layer.with, "has with, which only an add layer reads", "remove it");
    }
    remember(layer.name);
    return inputs;
  }

 private:
  std::optional<int> find(const char* key, const std::string& name) {
    if (name.empty()) return std::nullopt;
    const auto found = indices_.find(name);
    if (found != indices_.end()) return found->second;
    refuse(name, fmt::format("reads in {} a layer that is not before it", key),
           fmt::format("name a layer above it, or {} for the network's input", networkInputName));
    return std::nullopt;
  }

  void remember(const std::string& name) {
    if (name.empty() || indices_.emplace(name, static_cast<int>(index_)).second) return;
    if (name == networkInputName) return refuse(name, "has the name of the network's input", "rename it");
    refuse(name, "has the name of another layer", "rename one of the two");
  }

  void refuse(std::string value, std::string problem, std::string remedy) {
    failures_.push_back({layerPlace(network_, index_), std::move(value), std::move(problem), std::move(remedy)});
  }

  const NetworkSpec& network_;
  Failures& failures_;
  std::map<std::string, int> indices_;
  std::size_t index_ = 0;
};

}  // namespace

std::vector<LayerInputs> layerInputs(const NetworkSpec& network, Failures& failures) {
  Resolving resolving(network, failures);
  std::vector<LayerInputs> inputs;
  for (std::size_t i = 0; i < network.layers.size(); ++i) inputs.push_back(resolving.layer(i));
  const auto readers = readersOf(inputs);
  for (std::size_t i = 0; i + 1 < readers.size(); ++i) {
    if (readers[i] > 0) continue;
    failures.push_back({layerPlace(network, i), "", "has an output that no layer reads",
                        "name it in from or with of a later layer, or remove it"});
  }
  return inputs;
}

std::vector<int> readersOf(const std::vector<LayerInputs>& inputs) {
  std::vector<int> readers(inputs.size(), 0);
  const auto count = [&](int layer) {
    if (layer != networkInput) ++readers[static_cast<std::size_t>(layer)];
  };
  for (const LayerInputs& input : inputs) {
    count(input.from);
    if (input.with) count(*input.with);
  }
  return readers;
}

std::string layerPlace(const NetworkSpec& network, std::size_t index) {
  return fmt::format("network.layers[{}] ({})", index, network.layers[index].name);
}

}  // namespace slipstream
