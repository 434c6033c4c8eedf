#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/device/memory.h"
#include "engine/nn/network.h"
#include "engine/nn/scratch.h"

namespace slipstream {

/// What a layer is made from; the references outlive it.
struct LayerParts {
  const LayerSpec& spec;
  SampleShape input;
  SampleShape output;
  std::int64_t maximumBatch;
  bool fusedRelu;  ///< dense, batch norm, add: apply the ReLU that follows; relu: it has been applied already
  Device& device;
  Scratch& scratch;
};

/// The tensors of one layer, or their gradients: weight and bias, of a batch norm gamma and beta, of a normalised dense
/// layer weight and multiplier; empty where absent.
template <class Value>
struct LayerTensors {
  std::span<Value> weight;
  std::span<Value> bias;
};

/// All spans hold `batch` samples, NHWC.
struct ForwardPass {
  std::int64_t batch = 0;
  NetworkMode mode = NetworkMode::training;
  std::span<const float> input;
  std::span<const float> second;  ///< add only
  std::span<float> output;        ///< may be the memory of `input` for relu and add, is for flatten
  LayerTensors<const float> weights;
};

/// `input` is as forward saw it, or overwritten by a layer that works in place; `output` has passed a fused or in-place
/// ReLU. `inputGradient` may be the memory of `outputGradient` for relu, and is for add and flatten.
struct BackwardPass {
  std::int64_t batch = 0;
  std::span<const float> input;
  std::span<const float> output;
  std::span<const float> outputGradient;
  std::span<float> inputGradient;  ///< empty where nobody needs it
  LayerTensors<const float> weights;
  LayerTensors<float> gradients;
  bool accumulate = false;
};

/// One layer of a network on the CPU. Called by one thread, forward before backward of the same batch.
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
