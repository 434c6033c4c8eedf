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
  bool fusedRelu;  ///< dense and batch norm: apply the ReLU that follows; relu: it has been applied already
  Device& device;
  Scratch& scratch;
};

/// The tensors of one layer, or their gradients: weight and bias, of a batch norm gamma and beta; empty where absent.
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
  std::span<float> output;
  LayerTensors<const float> weights;
};

/// `input` is as forward saw it; `output` has passed a fused or in-place ReLU.
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

/// Where a layer's output stands, and after it the gradient of its input.
enum class OutputPlace { ownMemory, overInput, isInput };

/// One layer of a network on the CPU. Called by one thread, forward before backward of the same batch.
class Layer {
 public:
  virtual ~Layer() = default;
  virtual void forward(const ForwardPass& pass) = 0;
  virtual void backward(const BackwardPass& pass) = 0;
  virtual OutputPlace outputPlace() const { return OutputPlace::ownMemory; }
  virtual std::vector<NetworkState> states() { return {}; }
  /// Names of the library's kernels that this layer runs.
  virtual std::vector<std::string> kernels() const { return {}; }
};

}  // namespace slipstream
