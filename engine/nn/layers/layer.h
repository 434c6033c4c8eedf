// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/nn/activation.h"
#include "engine/nn/layers/shared_norm.h"
#include "engine/nn/network.h"
#include "engine/nn/scratch.h"
#include "engine/plan/network_memory.h"

namespace slipstream {

/// What a layer is made from; the references outlive it.
struct LayerConfig {
  const LayerSpec& spec;
  SampleShape input;
  SampleShape output;
  std::int64_t maximumBatch;
  FusedWork fused;  ///< what it does for its neighbours, or they for it
  NumberType type;  ///< of its output
  Device& device;
  Scratch& scratch;
  SharedNorm* norm = nullptr;           ///< of a deferred batch norm: its own, or the one that a convolution applies
  std::span<std::int32_t> maxima = {};  ///< places for a maxPool's maxima; empty in a layer that only forecasts
  /// Of the network's images. Flat values are fp32; a device whose half types are faster may multiply them as this.
  NumberType pictures = NumberType::float32;
};

/// The tensors of one layer, or their gradients: weight and bias, of a batch norm gamma and beta, of a normalised dense
/// layer weight and multiplier; empty where absent.
template <class Value>
struct LayerTensors {
  std::span<Value> weight;
  std::span<Value> bias;
};

/// All activations hold `batch` samples, NHWC.
struct ForwardPass {
  std::int64_t batch = 0;
  NetworkMode mode = NetworkMode::training;
  ConstActivation input;
  ConstActivation second;  ///< add, and a batch norm that adds
  /// May be the memory of `input` for relu and add, of `second` for a batch norm that adds; is that of `input`, and
  /// left as it is, for a batch norm that is deferred and the relu behind it.
  Activation output;
  LayerTensors<const float> weights;
};

/// `input` is as forward saw it, or overwritten by a layer that works in place; `output` has passed a fused or in-place
/// ReLU. `inputGradient` may be the memory of `outputGradient` for relu, and is for add and a flatten of fp32.
struct BackwardPass {
  std::int64_t batch = 0;
  ConstActivation input;
  ConstActivation output;
  ConstActivation outputGradient;
  Activation inputGradient;  ///< empty where nobody needs it
  LayerTensors<const float> weights;
  LayerTensors<float> gradients;
  bool accumulate = false;
};

/// One layer of a network. On a GPU calls return when their work is on its stream. Called by one thread, forward before
/// backward of the same batch.
class Layer {
 public:
  virtual ~Layer() = default;
  virtual void forward(const ForwardPass& pass) = 0;
  virtual void backward(const BackwardPass& pass) = 0;
  virtual std::vector<NetworkState> states() { return {}; }
  /// Names of the library's kernels that this layer runs.
  virtual std::vector<std::string> kernels() const { return {}; }
};

}  // namespace slipstream
