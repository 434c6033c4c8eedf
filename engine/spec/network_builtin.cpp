// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/network_builtin.h"

#include <array>
#include <string_view>

#include "engine/config/fields.h"
#include "engine/spec/network_layers.h"

namespace slipstream {
namespace {

LayerSpec dense(const std::string& name, std::int64_t outputs) {
  return {.kind = LayerKind::dense, .name = name, .outputs = outputs};
}

std::vector<LayerSpec> lenet5(std::int64_t classes) {
  const auto conv = [](const char* name, std::int64_t outputs, std::int64_t padding) {
    return LayerSpec{.kind = LayerKind::conv2d, .name = name, .outputs = outputs, .kernel = 5, .padding = padding};
  };
  const LayerSpec relu{.kind = LayerKind::relu};
  const LayerSpec pool{.kind = LayerKind::maxPool, .kernel = 2, .stride = 2};
  LayerList layers;
  for (const LayerSpec& layer :
       {conv("conv1", 6, 2), relu, pool, conv("conv2", 16, 0), relu, pool, LayerSpec{.kind = LayerKind::flatten},
        dense("fc1", 120), relu, dense("fc2", 84), relu, dense("fc3", classes)}) {
    layers.add(layer);
  }
  return layers.take();
}

/// One stage of equal blocks; the first halves the image where `stride` is 2.
struct Stage {
  std::int64_t channels;
  int blocks;
  std::int64_t stride;
};

/// What the ResNets differ in.
struct ResNet {
  LayerSpec stem;
  bool pooled;         ///< 3x3/2 behind the stem
  ResidualSpec block;  ///< of every stage, without name, channels and stride
  std::vector<Stage> stages;
  Initializer denseInit;
  bool zeroLastGamma = false;  ///< blocks begin as their shortcut alone
};

/// Goyal et al. 2017, section 5.1: the last batch norm of each block begins with a scale of zero.
void startAsShortcuts(std::vector<LayerSpec>& layers) {
  for (LayerSpec& layer : layers) {
    if (layer.kind == LayerKind::batchNorm && layer.name.ends_with(".bn3")) {
      layer.weightInit = {InitializerKind::zeros};
    }
  }
}

std::vector<LayerSpec> layersOf(const ResNet& net, std::int64_t classes) {
  LayerList layers;
  layers.add(net.stem);
  layers.add(LayerSpec{.kind = LayerKind::batchNorm,
                       .name = "bn1",
                       .epsilon = net.block.epsilon,
                       .momentum = net.block.momentum,
                       .weightInit = {InitializerKind::ones},
                       .biasInit = {InitializerKind::zeros}});
  layers.add(LayerSpec{.kind = LayerKind::relu});
  if (net.pooled) {
    layers.add(LayerSpec{.kind = LayerKind::maxPool, .kernel = 3, .stride = 2, .samePadding = true});
  }
  for (std::size_t stage = 0; stage < net.stages.size(); ++stage) {
    ResidualSpec block = net.block;
    block.channels = net.stages[stage].channels;
    for (int i = 0; i < net.stages[stage].blocks; ++i) {
      block.name = "layer" + std::to_string(stage + 1) + "." + std::to_string(i);
      block.stride = i == 0 ? net.stages[stage].stride : 1;
      layers.add(block);
    }
  }
  layers.add(LayerSpec{.kind = LayerKind::globalAvgPool});
  LayerSpec head = dense("end_point", classes);
  head.weightInit = net.denseInit;
  layers.add(head);
  std::vector<LayerSpec> all = layers.take();
  if (net.zeroLastGamma) startAsShortcuts(all);
  return all;
}

LayerSpec stemOf(std::int64_t outputs, std::int64_t kernel, std::int64_t stride, Initializer init) {
  return {.kind = LayerKind::conv2d,
          .name = "conv1",
          .outputs = outputs,
          .kernel = kernel,
          .stride = stride,
          .samePadding = true,
          .bias = false,
          .weightInit = init};
}

/// How deep the ResNets for large images are: the number of blocks of each stage (He et al. 2015, table 1).
struct Depth {
  const char* name;
  ResidualKind kind;
  std::array<int, 4> blocks;
};

constexpr std::array depths{
    Depth{"resnet18", ResidualKind::basic, {2, 2, 2, 2}},
    Depth{"resnet34", ResidualKind::basic, {3, 4, 6, 3}},
    Depth{"resnet50", ResidualKind::bottleneck, {3, 4, 6, 3}},
    Depth{"resnet101", ResidualKind::bottleneck, {3, 4, 23, 3}},
    Depth{"resnet152", ResidualKind::bottleneck, {3, 8, 36, 3}},
};

/// The initializers of the model zoo's ResNet scripts (xavier_uniform and truncated_normal), batch norms as there: of
/// the deepest one the last gamma of each block begins at zero.
std::vector<LayerSpec> deepResNet(const Depth& depth, std::int64_t classes) {
  const Initializer xavier{InitializerKind::xavierUniform};
  const std::int64_t wider = depth.kind == ResidualKind::bottleneck ? 4 : 1;
  std::vector<Stage> stages;
  for (const int blocks : depth.blocks) {
    const bool first = stages.empty();
    stages.push_back({first ? 64 * wider : 2 * stages.back().channels, blocks, first ? 1 : 2});
  }
  return layersOf({stemOf(64, 7, 2, xavier),
                   true,
                   {.kind = depth.kind, .epsilon = 1e-4, .weightInit = xavier},
                   stages,
                   {InitializerKind::truncatedNormal, 0.01},
                   std::string_view(depth.name) == "resnet152"},
                  classes);
}

/// He et al. 2015, section 4.2, n = 3; the shortcuts that change shape are projections.
std::vector<LayerSpec> resnet20(std::int64_t classes) {
  const Initializer he{InitializerKind::heUniform};
  return layersOf({stemOf(16, 3, 1, he), false, {.weightInit = he}, {{16, 3, 1}, {32, 3, 2}, {64, 3, 2}}, {}}, classes);
}

std::vector<LayerSpec> smallResNet(ResidualKind kind, std::int64_t classes) {
  const Initializer he{InitializerKind::heUniform};
  constexpr std::int64_t expansion = 2;
  const std::int64_t wider = kind == ResidualKind::bottleneck ? expansion : 1;
  return layersOf({stemOf(8, 3, 1, he),
                   false,
                   {.kind = kind, .expansion = expansion, .weightInit = he},
                   {{8 * wider, 1, 1}, {16 * wider, 1, 2}, {32 * wider, 1, 2}},
                   {}},
                  classes);
}

}  // namespace

const std::vector<std::string>& builtInNetworks() {
  static const std::vector<std::string> names{"mlp",       "lenet5",   "small_resnet", "small_resnet_bottleneck",
                                              "resnet20",  "resnet18", "resnet34",     "resnet50",
                                              "resnet101", "resnet152"};
  return names;
}

Result<NetworkSpec> builtInNetwork(const std::string& name, std::int64_t classes) {
  if (name == "mlp") return mlpNetwork({512, 512}, classes);
  if (name == "lenet5") return NetworkSpec{name, lenet5(classes)};
  if (name == "small_resnet") return NetworkSpec{name, smallResNet(ResidualKind::basic, classes)};
  if (name == "small_resnet_bottleneck") return NetworkSpec{name, smallResNet(ResidualKind::bottleneck, classes)};
  if (name == "resnet20") return NetworkSpec{name, resnet20(classes)};
  for (const Depth& depth : depths) {
    if (name == depth.name) return NetworkSpec{name, deepResNet(depth, classes)};
  }
  return fail("network.name", name, "is not a built-in network", suggestion(name, builtInNetworks()));
}

NetworkSpec mlpNetwork(const std::vector<int>& hidden, std::int64_t classes) {
  LayerList layers;
  layers.add(LayerSpec{.kind = LayerKind::flatten});
  int number = 0;
  for (const int units : hidden) {
    layers.add(dense("layer" + std::to_string(++number), units));
    layers.add(LayerSpec{.kind = LayerKind::relu});
  }
  layers.add(dense("layer" + std::to_string(++number), classes));
  return {"mlp", layers.take()};
}

}  // namespace slipstream
