// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/nn/cuda/planned_convolutions.h"

#include <set>

#include <fmt/format.h>

#include "engine/base/files.h"

namespace slipstream::test {
namespace {

std::vector<ConvolutionShape> convolutionsIn(const NetworkSpec& network, SampleShape input, std::int64_t batch) {
  const NetworkShape shape = networkShape(network, input).value();
  std::set<std::string> seen;
  std::vector<ConvolutionShape> found;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].kind != LayerKind::conv2d) continue;
    const int from = shape.inputs[i].from;
    const SampleShape read = from == networkInput ? input : shape.outputs[static_cast<std::size_t>(from)];
    const auto convolution = convolutionShape(network.layers[i], read, shape.outputs[i], batch);
    if (seen.insert(nameOf(convolution)).second) found.push_back(convolution);
  }
  return found;
}

}  // namespace

const std::vector<ConvolutionShape>& convolutionsOfResNet50() {
  static const auto found = convolutionsIn(builtInNetwork("resnet50", 1001).value(), {224, 224, 3}, 256);
  return found;
}

std::vector<ConvolutionShape> convolutionsOf(const std::string& network, SampleShape input, std::int64_t batch) {
  return convolutionsIn(builtInNetwork(network, 10).value(), input, batch);
}

std::string nameOf(const ConvolutionShape& shape) {
  return fmt::format("{}x{}x{}_to_{}x{}x{}_kernel_{}_stride_{}", shape.input.height, shape.input.width,
                     shape.input.channels, shape.output.height, shape.output.width, shape.output.channels, shape.kernel,
                     shape.stride);
}

std::string deviceProperties(const std::string& device) {
  return readFile(std::string(SLIPSTREAM_SOURCE) + "/tests/nn/cuda/devices/" + device + ".json").value();
}

}  // namespace slipstream::test
