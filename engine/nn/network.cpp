// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/network.h"

#include <algorithm>
#include <optional>

#include "engine/base/error.h"
#include "engine/device/device.h"
#include "engine/nn/device_networks.h"
#include "engine/nn/layer_tensors.h"
#include "engine/nn/network_backend.h"
#include "engine/nn/recorded_passes.h"
#include "engine/nn/shared_norms.h"
#include "engine/plan/network_memory.h"

namespace slipstream {
namespace {

NetworkShape shapeOrThrow(const NetworkSpec& spec, SampleShape input) {
  auto shape = networkShape(spec, input);
  if (!shape) throw Error(toText(shape.error()));
  return std::move(*shape);
}

SampleShape inputShape(const NetworkShape& shape, std::size_t layer) {
  const int from = shape.inputs[layer].from;
  return from == networkInput ? shape.input : shape.outputs[static_cast<std::size_t>(from)];
}

/// What every layer of a network is made from.
struct NetworkParts {
  const NetworkSpec& spec;
  const NetworkShape& shape;
  const NetworkMemory& memory;
  SharedNorms& norms;
  std::int64_t maximumBatch;
  Device& device;
  Scratch& scratch;
  NumberType pictures;
};

std::unique_ptr<Layer> makeLayer(const NetworkParts& parts, std::size_t i, std::span<std::int32_t> maxima,
                                 NetworkBackend& backend) {
  const LayerSpec& spec = parts.spec.layers[i];
  const LayerMemory& memory = parts.memory.layers[i];
  return backend.makeLayer({spec, inputShape(parts.shape, i), parts.shape.outputs[i], parts.maximumBatch, memory.fused,
                            memory.type, parts.device, parts.scratch, parts.norms.of(i, spec.kind), maxima,
                            parts.pictures});
}

class LayeredNetwork final : public Network {
 public:
  LayeredNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, NumberType pictures,
                 Device& device, std::unique_ptr<NetworkBackend> backend)
      : device_(device),
        backend_(std::move(backend)),
        spec_(spec),
        shape_(shapeOrThrow(spec, input)),
        layout_(shape_),
        memory_(planMemory(spec_, shape_, pictures, backend_->plannedConvolutions())),
        pictures_(pictures),
        places_(tensorPlaces(layout_, spec_.layers.size())),
        maximumBatch_(maximumBatch),
        scratch_(device),
        norms_(shape_, memory_),
        recorded_(device),
        outputs_(allocate(memory_.outputBlocks, device)),
        gradients_(allocate(memory_.gradientBlocks, device)),
        activations_(spec_.layers.size()) {
    if (memory_.layers.back().type != NumberType::float32) throw Error("the network ends with an image");
    if (memory_.convertedInput > 0) {
      const auto bytes = static_cast<std::size_t>(maximumBatch_ * memory_.convertedInput);
      convertedInput_ = device.allocate(bytes, MemoryCategory::activations);
    }
    const NetworkParts parts{spec_, shape_, memory_, norms_, maximumBatch_, device, scratch_, pictures_};
    for (std::size_t i = 0; i < spec_.layers.size(); ++i)
      layers_.push_back(makeLayer(parts, i, takeMaxima(i), *backend_));
    scratch_.takeReserved();
  }

  const NetworkShape& shape() const override { return shape_; }
  const ParameterLayout& layout() const override { return layout_; }

  std::span<const float> forward(std::span<const float> input, std::int64_t batch, NetworkMode mode,
                                 ParameterStore& weights, LayerObserver* observer) override {
    if (batch < 1 || batch > maximumBatch_) throw Error("a batch larger than the network was made for, or empty");
    if (std::ssize(input) != batch * shape_.input.elements()) throw Error("the input is no batch of samples");
    placeActivations(input, batch);
    const auto pass = [&] { forwardLayers(batch, mode, weights, observer); };
    if (observer == nullptr && recordable(weights)) {
      recorded_.run({.kind = mode == NetworkMode::training ? PassKey::Kind::training : PassKey::Kind::evaluation,
                     .batch = batch,
                     .input = input.data(),
                     .weights = weights.permanent()},
                    scratch_.moves(), pass);
    } else {
      pass();
    }
    return {activations_.back().as<float>(), activations_.back().size()};
  }

  void backward(std::span<const float> outputGradient, std::int64_t batch, ParameterStore& weights,
                ParameterStore& gradients, bool accumulate, int firstTrainedLayer, LayerObserver* observer) override {
    if (outputGradient.size() != activations_.back().size())
      throw Error("the gradient is not of the last forward pass");
    const auto pass = [&] {
      backwardLayers(outputGradient, batch, weights, gradients, accumulate, firstTrainedLayer, observer);
    };
    if (observer != nullptr || !recordable(weights) || gradients.permanent() == nullptr) return pass();
    recorded_.run({.kind = PassKey::Kind::backward,
                   .batch = batch,
                   .input = input_.bytes(),
                   .weights = weights.permanent(),
                   .outputGradient = outputGradient.data(),
                   .gradients = gradients.permanent(),
                   .accumulate = accumulate,
                   .firstTrainedLayer = firstTrainedLayer},
                  scratch_.moves(), pass);
  }

  std::vector<NetworkState> states() override {
    std::vector<NetworkState> all;
    for (auto& layer : layers_) {
      for (NetworkState& state : layer->states()) {
        state.device = &device_;
        all.push_back(std::move(state));
      }
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
  std::span<std::int32_t> takeMaxima(std::size_t layer) {
    if (memory_.layers[layer].maxima == 0) return {};
    const auto bytes = static_cast<std::size_t>(maximumBatch_ * memory_.layers[layer].maxima);
    maxima_.push_back(device_.allocate(bytes, MemoryCategory::activations));
    return maxima_.back()->as<std::int32_t>();
  }
  std::vector<std::unique_ptr<Buffer>> allocate(const std::vector<std::int64_t>& bytes, Device& device) const {
    std::vector<std::unique_ptr<Buffer>> blocks;
    for (const auto perSample : bytes) {
      blocks.push_back(
          device.allocate(static_cast<std::size_t>(maximumBatch_ * perSample), MemoryCategory::activations));
    }
    return blocks;
  }

  bool recordable(const ParameterStore& weights) const {
    return device_.gainsFromRecording() && weights.permanent() != nullptr;
  }

  /// Where the values of a pass will be: known before it, and so also where a recording does the pass.
  void placeActivations(std::span<const float> input, std::int64_t batch) {
    input_ = activationOf(input);
    if (convertedInput_) pictureInput_ = convertedInput();
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      activations_[i] = memory_.layers[i].output == noBlock ? activation(shape_.inputs[i].from, i) : outputOf(i, batch);
    }
  }

  Activation convertedInput() { return {pictures_, convertedInput_->bytes().data(), input_.size()}; }
  /// Of a layer that has a block to write to.
  Activation outputOf(std::size_t i, std::int64_t batch) {
    Buffer& block = *outputs_[static_cast<std::size_t>(memory_.layers[i].output)];
    return {memory_.layers[i].type, block.bytes().data(),
            static_cast<std::size_t>(batch * shape_.outputs[i].elements())};
  }

  void forwardLayers(std::int64_t batch, NetworkMode mode, ParameterStore& weights, LayerObserver* observer) {
    auto& listener = observer != nullptr ? *observer : deaf_;
    if (convertedInput_) backend_->convert(input_, convertedInput());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      listener.beforeForward(static_cast<int>(i));
      forwardLayer(i, batch, mode, weights);
      listener.afterForward(static_cast<int>(i));
    }
  }

  void backwardLayers(std::span<const float> outputGradient, std::int64_t batch, ParameterStore& weights,
                      ParameterStore& gradients, bool accumulate, int firstTrainedLayer, LayerObserver* observer) {
    auto& listener = observer != nullptr ? *observer : deaf_;
    const auto needed = backwardNeeded(shape_, firstTrainedLayer);
    if (needed.back()) backend_->convert(activationOf(outputGradient), gradientOf(layers_.size() - 1));
    for (int layer = static_cast<int>(layers_.size()) - 1; layer >= std::max(firstTrainedLayer, 0); --layer) {
      listener.beforeBackward(layer);
      const auto i = static_cast<std::size_t>(layer);
      if (needed[i]) backwardLayer(i, batch, weights, gradients, accumulate, needed);
      listener.afterBackward(layer);
    }
  }

  /// What the layer reads. A flatten takes the network's input as it comes.
  ConstActivation activation(int from, std::size_t reader) const {
    if (from != networkInput) return activations_[static_cast<std::size_t>(from)];
    return convertedInput_ && spec_.layers[reader].kind != LayerKind::flatten ? pictureInput_ : input_;
  }
  /// Of values like those of the layer's output.
  Activation gradientBlock(int block, std::size_t layer) {
    return {memory_.layers[layer].type, gradients_[static_cast<std::size_t>(block)]->bytes().data(),
            activations_[layer].size()};
  }
  Activation gradientOf(std::size_t layer) { return gradientBlock(memory_.layers[layer].gradient, layer); }

  /// The operand that a sum adds, also where the batch norm before it does so.
  std::optional<int> secondOf(std::size_t i) const {
    if (!memory_.layers[i].fused.sum) return shape_.inputs[i].with;
    if (spec_.layers[i].kind == LayerKind::add) return std::nullopt;
    const LayerInputs sum = shape_.inputs[i + 1];
    return sum.from == static_cast<int>(i) ? sum.with : sum.from;
  }

  void forwardLayer(std::size_t i, std::int64_t batch, NetworkMode mode, ParameterStore& weights) {
    if (memory_.layers[i].output == noBlock) return;
    ForwardPass pass;
    pass.batch = batch;
    pass.mode = mode;
    pass.input = activation(shape_.inputs[i].from, i);
    if (const auto second = secondOf(i)) pass.second = activation(*second, i);
    pass.output = outputOf(i, batch);
    const BorrowedTensors tensors(weights, places_[i]);
    pass.weights = tensors.as<const float>();
    backend_->forward(*layers_[i], pass);
  }

  void backwardLayer(std::size_t i, std::int64_t batch, ParameterStore& weights, ParameterStore& gradients,
                     bool accumulate, const std::vector<bool>& needed) {
    const int from = shape_.inputs[i].from;
    BackwardPass pass;
    pass.batch = batch;
    pass.input = activation(from, i);
    pass.output = activations_[i];
    pass.outputGradient = gradientOf(i);
    for (const auto& delivery : memory_.layers[i].deliveries) {
      const bool wanted = delivery.layer == from && needed[static_cast<std::size_t>(from)];
      if (wanted) pass.inputGradient = gradientBlock(delivery.written, static_cast<std::size_t>(from));
    }
    const BorrowedTensors weight(weights, places_[i]);
    const BorrowedTensors gradient(gradients, places_[i]);
    pass.weights = weight.as<const float>();
    pass.gradients = gradient.as<float>();
    pass.accumulate = accumulate;
    backend_->backward(*layers_[i], pass);
    for (const auto& delivery : memory_.layers[i].deliveries) {
      if (needed[static_cast<std::size_t>(delivery.layer)]) gather(delivery);
    }
  }

  void gather(const GradientDelivery& delivery) {
    if (delivery.gathered == noBlock) return;
    const auto layer = static_cast<std::size_t>(delivery.layer);
    const Activation gathered = gradientBlock(delivery.gathered, layer);
    const Activation written = gradientBlock(delivery.written, layer);
    const Activation sum = gradientBlock(delivery.sum, layer);
    if (delivery.cut) return backend_->addWherePositive(activations_[layer], gathered, written, sum);
    backend_->add(gathered, written, sum);
  }

  Device& device_;
  std::unique_ptr<NetworkBackend> backend_;  ///< outlives the layers
  NetworkSpec spec_;
  NetworkShape shape_;
  ParameterLayout layout_;
  NetworkMemory memory_;
  NumberType pictures_;
  std::vector<TensorOffsets> places_;  ///< one a layer
  std::int64_t maximumBatch_;
  Scratch scratch_;
  SharedNorms norms_;
  LayerObserver deaf_;
  RecordedPasses recorded_;
  std::vector<std::unique_ptr<Buffer>> outputs_;    ///< memory_.outputBlocks
  std::vector<std::unique_ptr<Buffer>> gradients_;  ///< memory_.gradientBlocks
  std::vector<std::unique_ptr<Buffer>> maxima_;     ///< of every maxPool
  std::unique_ptr<Buffer> convertedInput_;          ///< null where layers read the input as it comes
  ConstActivation input_;                           ///< of the last forward
  ConstActivation pictureInput_;                    ///< the same, of the type of images
  std::vector<ConstActivation> activations_;        ///< of the last forward, one a layer
  std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace

std::vector<float> NetworkState::read() const {
  if (device != nullptr) return readValues(*device, values);
  return {values.begin(), values.end()};
}

void NetworkState::write(std::span<const float> from) const {
  if (device != nullptr) return writeValues(*device, values, from);
  std::ranges::copy(from, values.begin());
}

std::int64_t scratchBytes(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, NumberType pictures,
                          Device& device) {
  return scratchBytes(spec, input, maximumBatch, pictures, device, *networksOf(device.kind()).makeBackend(device));
}

std::int64_t scratchBytes(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, NumberType pictures,
                          Device& device, NetworkBackend& backend) {
  const NetworkShape shape = shapeOrThrow(spec, input);
  const NetworkMemory memory = planMemory(spec, shape, pictures, backend.plannedConvolutions());
  Scratch scratch(device);
  SharedNorms norms(shape, memory);
  const NetworkParts parts{spec, shape, memory, norms, maximumBatch, device, scratch, pictures};
  for (std::size_t i = 0; i < spec.layers.size(); ++i) makeLayer(parts, i, {}, backend);  // dropped: one at a time
  return static_cast<std::int64_t>(scratch.reserved());
}

std::unique_ptr<Network> makeNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                     NumberType pictures, Device& device) {
  return makeNetwork(spec, input, maximumBatch, pictures, device, networksOf(device.kind()).makeBackend(device));
}

std::unique_ptr<Network> makeNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                     NumberType pictures, Device& device, std::unique_ptr<NetworkBackend> backend) {
  return std::make_unique<LayeredNetwork>(spec, input, maximumBatch, pictures, device, std::move(backend));
}

}  // namespace slipstream
