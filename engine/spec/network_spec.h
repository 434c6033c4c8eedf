// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// normal: N(0, parameter) · uniformFanIn: ±1/sqrt(fan_in) · heUniform: ±sqrt(6/((1+parameter²) fan_in)) ·
/// xavierUniform: ±sqrt(6/(fan_in+fan_out)) · truncatedNormal: N(0, parameter) cut at two deviations · zeros · ones
enum class InitializerKind { normal, uniformFanIn, heUniform, xavierUniform, truncatedNormal, zeros, ones };

struct Initializer {
  InitializerKind kind = InitializerKind::uniformFanIn;
  double parameter = 0.0;
  bool operator==(const Initializer&) const = default;
};

/// normalizedDense: rows of input and weight scaled to length 1, their products times one trained multiplier; no bias.
/// globalAvgPool: the mean of each channel, flat. add: the sum of two outputs of equal shape. external: a program of
/// the user's own computes it, and has described its tensors; of its outputs nothing is known.
enum class LayerKind {
  dense,
  normalizedDense,
  conv2d,
  maxPool,
  avgPool,
  globalAvgPool,
  batchNorm,
  relu,
  add,
  flatten,
  external
};

/// What a program says that one of its tensors is for.
enum class TensorRole { weight, bias, norm, embedding };

/// A tensor of a layer that a program computes.
struct ExternalTensor {
  std::string name = {};
  std::vector<std::int64_t> shape = {};
  TensorRole role = TensorRole::weight;
  bool operator==(const ExternalTensor&) const = default;
};

/// The name under which `from` and `with` find the input of the network.
inline constexpr const char* networkInputName = "input";

/// One layer; fields that its kind does not use keep their defaults. The list of layers is in forward order: a
/// layer reads layers before it only, and every output but the last is read.
struct LayerSpec {
  LayerKind kind = LayerKind::relu;
  std::string name = {};     ///< prefix of its tensors: "conv1" gives conv1.weight
  std::string from = {};     ///< the layer whose output it reads; empty: the layer before it
  std::string with = {};     ///< add: the layer whose output is added
  std::int64_t outputs = 0;  ///< dense: units; conv2d: output channels
  std::int64_t kernel = 0;
  std::int64_t stride = 1;
  std::int64_t padding = 0;  ///< on each side
  /// Instead of `padding`: as much as makes input / stride outputs, rounded up; an odd one is below and right.
  bool samePadding = false;
  bool bias = true;
  double epsilon = 1e-5;  ///< batchNorm
  double momentum = 0.9;  ///< batchNorm: the share of the old running value that is kept
  Initializer weightInit = {};
  Initializer biasInit = {};
  std::optional<std::int64_t> commFusion = {};  ///< neighbouring layers of equal ids send their gradients together
  std::vector<ExternalTensor> tensors = {};     ///< external
  bool operator==(const LayerSpec&) const = default;
};

/// Whose way of padding, pooling and normalising a network follows, where the two differ (network_conventions.h).
enum class Conventions { mindspore, torchvision };

struct NetworkSpec {
  std::string name;  ///< built-in name, or "layers"
  std::vector<LayerSpec> layers;
  /// The user's own program that computes the network, and its arguments; empty: the engine does. Its layers, all of
  /// them external, are not known before it was asked.
  std::vector<std::string> program = {};
  std::string folder = {};                           ///< that the program runs in: the experiment file's
  Conventions conventions = Conventions::mindspore;  ///< that the layers have

  bool isProgram() const { return !program.empty(); }
};

/// Activations of one sample, NHWC: height 0 marks a flat vector of `channels` values.
struct SampleShape {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
  std::int64_t elements() const { return (height == 0 ? 1 : height * width) * channels; }
  bool operator==(const SampleShape&) const = default;
};

/// One trainable tensor, as it is stored: dense [outputs, inputs], conv2d [outputs, kernel, kernel, inputs] (OHWI),
/// vectors [n].
struct TensorSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  int layer = 0;  ///< index into NetworkSpec::layers
  std::int64_t fanIn = 0;
  std::int64_t fanOut = 0;
  Initializer initializer;
  std::int64_t elements() const;
};

/// Stands for the input of the network among the indices of layers.
inline constexpr int networkInput = -1;

/// Whose outputs a layer reads.
struct LayerInputs {
  int from = networkInput;
  std::optional<int> with = {};  ///< add only
};

/// What the layers of a network make of an input: outputs[i] is the shape of layer i's, tensors in forward order.
struct NetworkShape {
  SampleShape input;
  std::vector<LayerInputs> inputs;  ///< one a layer
  std::vector<SampleShape> outputs;
  std::vector<TensorSpec> tensors;

  /// Elements of all trained tensors.
  std::int64_t weights() const;
};

/// Elements of the running mean and variance of every batch norm.
std::int64_t runningStatistics(const NetworkSpec& network, const NetworkShape& shape);

/// Zeros around an image's extent along one dimension.
struct Padding {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// The padding of a convolution or pool on an input of `size` values along one dimension.
Padding paddingOf(const LayerSpec& layer, std::int64_t size);

/// Layers of a built-in network that ends with `classes` values:
/// - mlp: 784-512-512-10 · lenet5
/// - small_resnet: a 3x3 convolution of 8 channels, basic blocks of 8, 16 and 32 channels, the mean of each channel,
///   dense; for images of any size. small_resnet_bottleneck: the same with bottleneck blocks of 16, 32 and 64
///   channels, half as many inside
/// - resnet20: for small images (He et al. 2015, section 4.2)
/// - resnet18, 34, 50, 101, 152: as in MindSpore's model zoo, the stride of a bottleneck on its 3x3; resnet50 has 161
///   trained tensors and 25,559,081 elements at 1001 classes
Result<NetworkSpec> builtInNetwork(const std::string& name, std::int64_t classes = 10);

/// Follows the shapes through the layers; fails naming each layer that cannot take its input.
Result<NetworkShape> networkShape(const NetworkSpec& network, SampleShape input);

}  // namespace slipstream
