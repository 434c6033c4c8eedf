#pragma once

#include <cstdint>
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

enum class LayerKind { dense, conv2d, maxPool, avgPool, batchNorm, relu, flatten };

/// One layer; fields that its kind does not use keep their defaults.
struct LayerSpec {
  LayerKind kind = LayerKind::relu;
  std::string name = {};     ///< prefix of its tensors: "conv1" gives conv1.weight
  std::int64_t outputs = 0;  ///< dense: units; conv2d: output channels
  std::int64_t kernel = 0;
  std::int64_t stride = 1;
  std::int64_t padding = 0;  ///< on each side
  bool bias = true;
  double epsilon = 1e-5;  ///< batchNorm
  double momentum = 0.9;  ///< batchNorm: the share of the old running value that is kept
  Initializer weightInit = {};
  Initializer biasInit = {};
  bool operator==(const LayerSpec&) const = default;
};

struct NetworkSpec {
  std::string name;  ///< built-in name, or "layers"
  std::vector<LayerSpec> layers;
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

/// What the layers of a network make of an input: shapes[i] is the output of layer i, tensors in forward order.
struct NetworkShape {
  SampleShape input;
  std::vector<SampleShape> outputs;
  std::vector<TensorSpec> tensors;
};

/// Layers of a built-in network: "mlp" (784-512-512-10) or "lenet5".
Result<NetworkSpec> builtInNetwork(const std::string& name);

/// Follows the shapes through the layers; fails naming each layer that cannot take its input.
Result<NetworkShape> networkShape(const NetworkSpec& network, SampleShape input);

}  // namespace slipstream
