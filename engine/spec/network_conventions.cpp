// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/network_conventions.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/spec/network_builtin.h"

namespace slipstream {
namespace {

/// torch.nn.BatchNorm2d's defaults; its momentum of 0.1 is the share of the new value.
constexpr double epsilonOfTorch = 1e-5;
constexpr double keptByTorch = 0.9;

bool hasWindow(const LayerSpec& layer) {
  return layer.kind == LayerKind::conv2d || layer.kind == LayerKind::maxPool || layer.kind == LayerKind::avgPool;
}

/// Whether they have the same tensors and read the same layers.
bool areAlike(const LayerSpec& one, const LayerSpec& other) {
  return one.kind == other.kind && one.name == other.name && one.from == other.from && one.with == other.with &&
         one.outputs == other.outputs && one.kernel == other.kernel && one.stride == other.stride &&
         one.bias == other.bias;
}

SampleShape inputOf(const NetworkShape& shape, std::size_t layer) {
  const int from = shape.inputs[layer].from;
  return from == networkInput ? shape.input : shape.outputs[static_cast<std::size_t>(from)];
}

}  // namespace

const std::vector<std::string>& networksOfTorchvision() {
  static const std::vector<std::string> names{"resnet18", "resnet34", "resnet50", "resnet101", "resnet152"};
  return names;
}

bool isOfTorchvision(const NetworkSpec& network) {
  if (std::ranges::find(networksOfTorchvision(), network.name) == networksOfTorchvision().end()) return false;
  if (network.layers.empty()) return false;
  const auto original = builtInNetwork(network.name, network.layers.back().outputs);
  return original && std::ranges::equal(original->layers, network.layers, areAlike);
}

Status followTorchvision(NetworkSpec& network) {
  const std::vector<std::string>& names = networksOfTorchvision();
  if (std::ranges::find(names, network.name) == names.end()) {
    return fail("network.conventions", "torchvision",
                "has no meaning for " + network.name + ", which is not torchvision's",
                "remove it, or name one of " + join(names, ", "));
  }
  network.conventions = Conventions::torchvision;
  for (LayerSpec& layer : network.layers) {
    if (layer.samePadding) {
      layer.samePadding = false;
      layer.padding = layer.kernel / 2;
    }
    if (layer.kind == LayerKind::batchNorm) {
      layer.epsilon = epsilonOfTorch;
      layer.momentum = keptByTorch;
    }
  }
  return {};
}

bool padsAsMindSpore(const LayerSpec& layer, const SampleShape& input) {
  if (!hasWindow(layer)) return false;
  const auto isUneven = [&](std::int64_t size) {
    const Padding padding = paddingOf(layer, size);
    return padding.before != padding.after;
  };
  return isUneven(input.height) || isUneven(input.width);
}

Text differenceFromTorchvision(const NetworkSpec& network, const NetworkShape& shape) {
  std::int64_t uneven = 0;
  double epsilon = epsilonOfTorch;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const LayerSpec& layer = network.layers[i];
    if (padsAsMindSpore(layer, inputOf(shape, i))) ++uneven;
    if (layer.kind == LayerKind::batchNorm && layer.epsilon != epsilonOfTorch) epsilon = layer.epsilon;
  }
  std::vector<Text> parts;
  if (uneven > 0) parts.push_back(phrase("images are padded otherwise in {}", {countedText(uneven, "layer")}));
  if (epsilon != epsilonOfTorch) {
    parts.push_back(
        phrase("batch norms have an epsilon of {}, not {}", {numberText(epsilon), numberText(epsilonOfTorch)}));
  }
  return joined(std::move(parts), "; ");
}

}  // namespace slipstream
