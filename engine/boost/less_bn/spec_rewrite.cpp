// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/boost/less_bn/spec.h"
#include "engine/spec/network_graph.h"

namespace slipstream {
namespace {

/// The branch of a bottleneck block, last layer first.
constexpr std::array<LayerKind, 8> branch{LayerKind::batchNorm, LayerKind::conv2d, LayerKind::relu,
                                          LayerKind::batchNorm, LayerKind::conv2d, LayerKind::relu,
                                          LayerKind::batchNorm, LayerKind::conv2d};
constexpr std::array<std::size_t, 2> inner{6, 3};  // bn1 and bn2, as they are in `branch`
constexpr std::array<LayerKind, 2> projection{LayerKind::batchNorm, LayerKind::conv2d};

/// Finds bottleneck blocks among the layers.
class Matching {
 public:
  explicit Matching(const NetworkSpec& network) : network_(network) {
    Failures failures;
    inputs_ = layerInputs(network, failures);
    if (!failures.empty()) throw Error(toText(failures));
    readers_ = readersOf(inputs_);
  }

  /// Indices of the batch norms to remove, rising; two a block.
  std::vector<int> innerBatchNorms() const {
    std::vector<int> found;
    for (const LayerInputs& sum : inputs_) {
      if (!sum.with) continue;
      const auto block = chain(sum.from, branch);
      if (block.empty() || !isShortcut(*sum.with, inputOf(block.back()))) continue;
      for (const std::size_t place : inner) found.push_back(block[place]);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  int inputOf(int layer) const { return inputs_[static_cast<std::size_t>(layer)].from; }

 private:
  /// The layers from `last` downward, where they have these kinds and each is read by the next only; else nothing.
  template <std::size_t count>
  std::vector<int> chain(int last, const std::array<LayerKind, count>& kinds) const {
    std::vector<int> layers;
    int layer = last;
    for (const LayerKind kind : kinds) {
      if (layer == networkInput) return {};
      const auto i = static_cast<std::size_t>(layer);
      if (network_.layers[i].kind != kind || readers_[i] != 1) return {};
      layers.push_back(layer);
      layer = inputs_[i].from;
    }
    return layers;
  }

  bool isShortcut(int layer, int blockInput) const {
    if (layer == blockInput) return true;
    const auto layers = chain(layer, projection);
    return !layers.empty() && inputOf(layers.back()) == blockInput;
  }

  const NetworkSpec& network_;
  std::vector<LayerInputs> inputs_;
  std::vector<int> readers_;
};

/// The layers without those in `removed`, whose readers read what was before them.
std::vector<LayerSpec> without(const NetworkSpec& network, const std::vector<int>& removed, const Matching& matching) {
  std::vector<LayerSpec> layers = network.layers;
  for (const int layer : removed) {
    const auto i = static_cast<std::size_t>(layer);
    const std::string& before = layers[static_cast<std::size_t>(matching.inputOf(layer))].name;
    // The one reader is a ReLU: it names this layer, or is right behind it.
    for (LayerSpec& reader : layers) {
      if (reader.from == layers[i].name) reader.from = before;
    }
    if (matching.inputOf(layer + 1) == layer && matching.inputOf(layer) != layer - 1) layers[i + 1].from = before;
  }
  for (auto layer = removed.rbegin(); layer != removed.rend(); ++layer) layers.erase(layers.begin() + *layer);
  return layers;
}

/// Returns the name of the layer; empty where there is no dense layer.
std::string normalizeHead(std::vector<LayerSpec>& layers) {
  const auto head = std::find_if(layers.rbegin(), layers.rend(),
                                 [](const LayerSpec& layer) { return layer.kind == LayerKind::dense; });
  if (head == layers.rend()) return "";
  head->kind = LayerKind::normalizedDense;
  head->bias = false;
  return head->name;
}

}  // namespace

std::string NetworkRewrite::text() const {
  std::vector<std::string> parts;
  if (!removedBatchNorms.empty()) {
    parts.push_back(
        fmt::format("removed {} batch norms ({})", removedBatchNorms.size(), join(removedBatchNorms, ", ")));
  }
  if (!replacedHead.empty()) parts.push_back(replacedHead + " became a normalised dense layer");
  return parts.empty() ? "nothing changed" : join(parts, "; ");
}

NetworkRewrite lessBn(const NetworkSpec& network, bool replaceHead) {
  const Matching matching(network);
  const auto removed = matching.innerBatchNorms();
  NetworkRewrite rewrite;
  rewrite.network = {network.name, without(network, removed, matching)};
  for (const int layer : removed) {
    rewrite.removedBatchNorms.push_back(network.layers[static_cast<std::size_t>(layer)].name);
  }
  if (replaceHead) rewrite.replacedHead = normalizeHead(rewrite.network.layers);
  return rewrite;
}

}  // namespace slipstream
