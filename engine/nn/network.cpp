#include "engine/nn/network.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/processor_clones.h"
#include "engine/nn/layer_tensors.h"
#include "engine/nn/layers/make_layer.h"
#include "engine/nn/team_denormals.h"
#include "engine/plan/network_memory.h"

namespace slipstream {
namespace {

/// Does nothing; stands in where nobody listens.
class Deaf final : public LayerObserver {
 public:
  void beforeForward(int) override {}
  void afterForward(int) override {}
  void beforeBackward(int) override {}
  void afterBackward(int) override {}
};

/// sum may be one of the others.
SLIPSTREAM_PROCESSOR_CLONES void add(const float* first, const float* second, float* sum, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] = first[i] + second[i];
}

NetworkShape shapeOrThrow(const NetworkSpec& spec, SampleShape input) {
  auto shape = networkShape(spec, input);
  if (!shape) throw Error(toText(shape.error()));
  return std::move(*shape);
}

SampleShape inputShape(const NetworkShape& shape, std::size_t layer) {
  const int from = shape.inputs[layer].from;
  return from == networkInput ? shape.input : shape.outputs[static_cast<std::size_t>(from)];
}

class CpuNetwork final : public Network {
 public:
  CpuNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, Device& device)
      : spec_(spec),
        shape_(shapeOrThrow(spec, input)),
        layout_(shape_),
        memory_(planMemory(spec_, shape_)),
        places_(tensorPlaces(layout_, spec_.layers.size())),
        maximumBatch_(maximumBatch),
        scratch_(device),
        outputs_(allocate(memory_.outputBlocks, device)),
        gradients_(allocate(memory_.gradientBlocks, device)),
        activations_(spec_.layers.size()) {
    for (std::size_t i = 0; i < spec_.layers.size(); ++i) {
      layers_.push_back(makeLayer({spec_.layers[i], inputShape(shape_, i), shape_.outputs[i], maximumBatch_,
                                   memory_.layers[i].fusedRelu, device, scratch_}));
    }
  }

  const NetworkShape& shape() const override { return shape_; }
  const ParameterLayout& layout() const override { return layout_; }

  std::span<const float> forward(std::span<const float> input, std::int64_t batch, NetworkMode mode,
                                 ParameterStore& weights, LayerObserver* observer) override {
    if (batch < 1 || batch > maximumBatch_) throw Error("a batch larger than the network was made for, or empty");
    if (std::ssize(input) != batch * shape_.input.elements()) throw Error("the input is no batch of samples");
    auto& listener = observer != nullptr ? *observer : deaf_;
    input_ = input;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      listener.beforeForward(static_cast<int>(i));
      forwardLayer(i, batch, mode, weights);
      listener.afterForward(static_cast<int>(i));
    }
    return activations_.back();
  }

  void backward(std::span<const float> outputGradient, std::int64_t batch, ParameterStore& weights,
                ParameterStore& gradients, bool accumulate, int firstTrainedLayer, LayerObserver* observer) override {
    if (outputGradient.size() != activations_.back().size())
      throw Error("the gradient is not of the last forward pass");
    auto& listener = observer != nullptr ? *observer : deaf_;
    const auto needed = backwardNeeded(shape_, firstTrainedLayer);
    if (needed.back()) std::copy(outputGradient.begin(), outputGradient.end(), gradientOf(layers_.size() - 1).begin());
    for (int layer = static_cast<int>(layers_.size()) - 1; layer >= std::max(firstTrainedLayer, 0); --layer) {
      listener.beforeBackward(layer);
      const auto i = static_cast<std::size_t>(layer);
      if (needed[i]) backwardLayer(i, batch, weights, gradients, accumulate, needed);
      listener.afterBackward(layer);
    }
  }

  std::vector<NetworkState> states() override {
    std::vector<NetworkState> all;
    for (auto& layer : layers_) {
      auto states = layer->states();
      all.insert(all.end(), states.begin(), states.end());
    }
    return all;
  }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> all;
    for (const auto& layer : layers_) {
      auto names = layer->kernels();
      all.insert(all.end(), names.begin(), names.end());
    }
    return all;
  }

 private:
  std::vector<std::unique_ptr<Buffer>> allocate(const std::vector<std::int64_t>& elements, Device& device) const {
    std::vector<std::unique_ptr<Buffer>> blocks;
    for (const auto perSample : elements) {
      const auto bytes = static_cast<std::size_t>(maximumBatch_ * perSample) * sizeof(float);
      blocks.push_back(device.allocate(bytes, MemoryCategory::activations));
    }
    return blocks;
  }

  std::span<const float> activation(int layer) const {
    return layer == networkInput ? input_ : activations_[static_cast<std::size_t>(layer)];
  }
  std::span<float> gradientBlock(int block, std::size_t elements) {
    return gradients_[static_cast<std::size_t>(block)]->as<float>().first(elements);
  }
  std::span<float> gradientOf(std::size_t layer) {
    return gradientBlock(memory_.layers[layer].gradient, activations_[layer].size());
  }

  void forwardLayer(std::size_t i, std::int64_t batch, NetworkMode mode, ParameterStore& weights) {
    const auto inputs = shape_.inputs[i];
    const int block = memory_.layers[i].output;
    activations_[i] = activation(inputs.from);
    if (block == noBlock) return;
    const auto elements = static_cast<std::size_t>(batch * shape_.outputs[i].elements());
    ForwardPass pass;
    pass.batch = batch;
    pass.mode = mode;
    pass.input = activation(inputs.from);
    if (inputs.with) pass.second = activation(*inputs.with);
    pass.output = outputs_[static_cast<std::size_t>(block)]->as<float>().first(elements);
    const BorrowedTensors tensors(weights, places_[i]);
    pass.weights = tensors.as<const float>();
    const TeamFlushDenormals flush;
    layers_[i]->forward(pass);
    activations_[i] = pass.output;
  }

  void backwardLayer(std::size_t i, std::int64_t batch, ParameterStore& weights, ParameterStore& gradients,
                     bool accumulate, const std::vector<bool>& needed) {
    const int from = shape_.inputs[i].from;
    BackwardPass pass;
    pass.batch = batch;
    pass.input = activation(from);
    pass.output = activations_[i];
    pass.outputGradient = gradientOf(i);
    for (const auto& delivery : memory_.layers[i].deliveries) {
      const bool wanted = delivery.layer == from && needed[static_cast<std::size_t>(from)];
      if (wanted) pass.inputGradient = gradientBlock(delivery.written, pass.input.size());
    }
    const BorrowedTensors weight(weights, places_[i]);
    const BorrowedTensors gradient(gradients, places_[i]);
    pass.weights = weight.as<const float>();
    pass.gradients = gradient.as<float>();
    pass.accumulate = accumulate;
    const TeamFlushDenormals flush;
    layers_[i]->backward(pass);
    for (const auto& delivery : memory_.layers[i].deliveries) {
      if (needed[static_cast<std::size_t>(delivery.layer)]) gather(delivery);
    }
  }

  void gather(const GradientDelivery& delivery) {
    if (delivery.gathered == noBlock) return;
    const auto elements = activations_[static_cast<std::size_t>(delivery.layer)].size();
    add(gradientBlock(delivery.gathered, elements).data(), gradientBlock(delivery.written, elements).data(),
        gradientBlock(delivery.sum, elements).data(), elements);
  }

  NetworkSpec spec_;
  NetworkShape shape_;
  ParameterLayout layout_;
  NetworkMemory memory_;
  std::vector<TensorPlaces> places_;  ///< one a layer
  std::int64_t maximumBatch_;
  Scratch scratch_;
  Deaf deaf_;
  std::vector<std::unique_ptr<Buffer>> outputs_;     ///< memory_.outputBlocks
  std::vector<std::unique_ptr<Buffer>> gradients_;   ///< memory_.gradientBlocks
  std::span<const float> input_;                     ///< of the last forward
  std::vector<std::span<const float>> activations_;  ///< of the last forward, one a layer
  std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace

std::int64_t scratchBytes(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, Device& device) {
  const NetworkShape shape = shapeOrThrow(spec, input);
  Scratch scratch(device);
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    makeLayer({spec.layers[i], inputShape(shape, i), shape.outputs[i], maximumBatch, false, device, scratch});
  }
  return static_cast<std::int64_t>(scratch.size());
}

std::unique_ptr<Network> makeNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                     Device& device) {
  if (device.name() != "cpu") throw Error("networks run on the cpu device only, not on " + std::string(device.name()));
  return std::make_unique<CpuNetwork>(spec, input, maximumBatch, device);
}

}  // namespace slipstream
