// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/weight_files.h"

namespace slipstream {
namespace {

/// What each layer's output is when it is flat, but still the pixels and channels of an image: 1 x 1 elsewhere.
class FlattenedImages {
 public:
  FlattenedImages(const NetworkSpec& network, const NetworkShape& shape) : shape_(shape) {
    for (std::size_t i = 0; i < network.layers.size(); ++i) outputs_.push_back(outputOf(network.layers[i].kind, i));
  }

  PixelOrder inputOf(std::size_t layer) const { return ofSource(shape_.inputs[layer].from); }

 private:
  PixelOrder ofSource(int source) const {
    return source == networkInput ? PixelOrder{} : outputs_[static_cast<std::size_t>(source)];
  }

  PixelOrder outputOf(LayerKind kind, std::size_t layer) const {
    if (kind == LayerKind::batchNorm || kind == LayerKind::relu || kind == LayerKind::add) return inputOf(layer);
    if (kind != LayerKind::flatten) return {};
    const int source = shape_.inputs[layer].from;
    const SampleShape input = source == networkInput ? shape_.input : shape_.outputs[static_cast<std::size_t>(source)];
    return input.height == 0 ? ofSource(source) : PixelOrder{input.height * input.width, input.channels};
  }

  const NetworkShape& shape_;
  std::vector<PixelOrder> outputs_;
};

PixelOrder orderOf(const LayerSpec& layer, const TensorSpec& tensor, const PixelOrder& input) {
  if (layer.kind == LayerKind::conv2d && tensor.shape.size() == 4) {
    return {tensor.shape[1] * tensor.shape[2], tensor.shape[3]};
  }
  const bool alongInput = layer.kind == LayerKind::batchNorm || tensor.shape.size() == 2;
  return alongInput ? input : PixelOrder{};
}

}  // namespace

std::vector<ExpectedTensor> expectedWeightTensors(const NetworkSpec& network, const NetworkShape& shape) {
  const FlattenedImages pictures(network, shape);
  std::vector<ExpectedTensor> wanted;
  for (const TensorSpec& tensor : shape.tensors) {
    const auto layer = static_cast<std::size_t>(tensor.layer);
    wanted.push_back({tensor.name, tensor.shape, orderOf(network.layers[layer], tensor, pictures.inputOf(layer))});
  }
  return wanted;
}

std::vector<ExpectedTensor> expectedTensors(const NetworkSpec& network, const NetworkShape& shape) {
  const FlattenedImages pictures(network, shape);
  std::vector<ExpectedTensor> wanted = expectedWeightTensors(network, shape);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].kind != LayerKind::batchNorm) continue;
    for (const char* statistic : {".moving_mean", ".moving_variance"}) {
      wanted.push_back({network.layers[i].name + statistic, {shape.outputs[i].channels}, pictures.inputOf(i), true});
    }
  }
  return wanted;
}

}  // namespace slipstream
