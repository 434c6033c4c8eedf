#include "engine/nn/network.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/nn/layers/make_layer.h"
#include "engine/nn/team_denormals.h"

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

/// Weight and bias of one layer inside the run of the flat space that they share.
struct TensorPlaces {
  Range all;
  Range weight;
  Range bias;
};

template <class Value>
std::span<Value> part(std::span<Value> all, Range range, Range inside) {
  if (range.size() == 0) return {};
  return all.subspan(static_cast<std::size_t>(range.begin - inside.begin), static_cast<std::size_t>(range.size()));
}

template <class Value>
LayerTensors<Value> tensorsOf(std::span<float> all, const TensorPlaces& places) {
  return {part<Value>(all, places.weight, places.all), part<Value>(all, places.bias, places.all)};
}

/// A range borrowed from a store for the length of one layer's work.
class Borrowed {
 public:
  Borrowed(ParameterStore& store, Range range) : store_(store), range_(range) {
    if (range.size() > 0) values_ = store.acquire(range);
  }
  ~Borrowed() {
    if (range_.size() > 0) store_.release(range_);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  std::span<float> values() const { return values_; }

 private:
  ParameterStore& store_;
  Range range_;
  std::span<float> values_;
};

/// Not a convolution: oneDNN's ReLU turns NaN into zero, and a network that has diverged would look sound.
bool takesReluIn(LayerKind kind) {
  return kind == LayerKind::dense || kind == LayerKind::batchNorm;
}

NetworkShape shapeOrThrow(const NetworkSpec& spec, SampleShape input) {
  auto shape = networkShape(spec, input);
  if (!shape) throw Error(toText(shape.error()));
  return std::move(*shape);
}

class CpuNetwork final : public Network {
 public:
  CpuNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, Device& device)
      : spec_(spec), shape_(shapeOrThrow(spec, input)), layout_(shape_), maximumBatch_(maximumBatch), scratch_(device) {
    for (std::size_t i = 0; i < spec_.layers.size(); ++i) addLayer(i, device);
    std::int64_t widest = 0;
    for (const auto& output : shape_.outputs) widest = std::max(widest, output.elements());
    for (auto& gradient : gradients_) gradient = allocate(widest, device);
  }

  const NetworkShape& shape() const override { return shape_; }
  const ParameterLayout& layout() const override { return layout_; }

  std::span<const float> forward(std::span<const float> input, std::int64_t batch, NetworkMode mode,
                                 ParameterStore& weights, LayerObserver* observer) override {
    if (batch < 1 || batch > maximumBatch_) throw Error("a batch larger than the network was made for, or empty");
    if (std::ssize(input) != batch * shape_.input.elements()) throw Error("the input is no batch of samples");
    auto& listener = observer != nullptr ? *observer : deaf_;
    activations_[0] = input;
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
    auto current = gradients_[0]->as<float>().first(outputGradient.size());
    std::copy(outputGradient.begin(), outputGradient.end(), current.begin());
    const int lowest = lowestWithTensors(firstTrainedLayer);
    for (int layer = static_cast<int>(layers_.size()) - 1; layer >= firstTrainedLayer; --layer) {
      listener.beforeBackward(layer);
      const bool last = layer == lowest;
      if (layer >= lowest) current = backwardLayer(layer, current, batch, weights, gradients, accumulate, !last);
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
  std::unique_ptr<Buffer> allocate(std::int64_t elementsPerSample, Device& device) const {
    const auto elements = static_cast<std::size_t>(maximumBatch_ * elementsPerSample);
    return device.allocate(elements * sizeof(float), MemoryCategory::activations);
  }

  void addLayer(std::size_t i, Device& device) {
    const auto& spec = spec_.layers[i];
    const auto isRelu = [&](std::size_t at) {
      return at < spec_.layers.size() && spec_.layers[at].kind == LayerKind::relu;
    };
    const bool applied = isRelu(i) && i > 0 && takesReluIn(spec_.layers[i - 1].kind);
    const bool fused = takesReluIn(spec.kind) && isRelu(i + 1);
    const auto input = i == 0 ? shape_.input : shape_.outputs[i - 1];
    layers_.push_back(makeLayer({spec, input, shape_.outputs[i], maximumBatch_, applied || fused, device, scratch_}));
    places_.push_back(placesOf(static_cast<int>(i)));
    outputs_.push_back(outputOf(i, device));
    activations_.resize(layers_.size() + 1);
  }

  /// Memory of the output of layer i; empty where it is the network's own input, unchanged.
  std::span<float> outputOf(std::size_t i, Device& device) {
    const auto place = layers_[i]->outputPlace();
    const auto before = i == 0 ? std::span<float>{} : outputs_[i - 1];
    if (place == OutputPlace::isInput || (place == OutputPlace::overInput && !before.empty())) return before;
    memory_.push_back(allocate(shape_.outputs[i].elements(), device));
    return memory_.back()->as<float>();
  }

  TensorPlaces placesOf(int layer) const {
    TensorPlaces places{layout_.rangeOfLayer(layer), {}, {}};
    // Layout order is backward: the second tensor of a layer, its bias or beta, stands first.
    for (const auto& tensor : layout_.tensors()) {
      if (tensor.spec.layer != layer) continue;
      (tensor.range.end == places.all.end ? places.weight : places.bias) = tensor.range;
    }
    return places;
  }

  int lowestWithTensors(int firstTrainedLayer) const {
    auto layer = static_cast<std::size_t>(std::max(firstTrainedLayer, 0));
    while (layer < layers_.size() && places_[layer].all.size() == 0) ++layer;
    return static_cast<int>(layer);
  }

  void forwardLayer(std::size_t i, std::int64_t batch, NetworkMode mode, ParameterStore& weights) {
    const auto elements = static_cast<std::size_t>(batch * shape_.outputs[i].elements());
    if (outputs_[i].empty()) {
      activations_[i + 1] = activations_[i];
      return;
    }
    const auto output = outputs_[i].first(elements);
    const Borrowed borrowed(weights, places_[i].all);
    const TeamFlushDenormals flush;
    layers_[i]->forward({batch, mode, activations_[i], output, tensorsOf<const float>(borrowed.values(), places_[i])});
    activations_[i + 1] = output;
  }

  /// Returns the gradient of the layer's input; in the memory of the output's where the layer works in place.
  std::span<float> backwardLayer(int layer, std::span<float> outputGradient, std::int64_t batch,
                                 ParameterStore& weights, ParameterStore& gradients, bool accumulate, bool needed) {
    const auto i = static_cast<std::size_t>(layer);
    if (layers_[i]->outputPlace() == OutputPlace::isInput) return outputGradient;
    const bool inPlace = layers_[i]->outputPlace() == OutputPlace::overInput;
    std::span<float> inputGradient;
    if (needed) inputGradient = inPlace ? outputGradient : otherGradient(outputGradient).first(activations_[i].size());
    const Borrowed weight(weights, places_[i].all);
    const Borrowed gradient(gradients, places_[i].all);
    const TeamFlushDenormals flush;
    layers_[i]->backward({batch, activations_[i], activations_[i + 1], outputGradient, inputGradient,
                          tensorsOf<const float>(weight.values(), places_[i]),
                          tensorsOf<float>(gradient.values(), places_[i]), accumulate});
    return inputGradient;
  }

  std::span<float> otherGradient(std::span<const float> used) {
    auto first = gradients_[0]->as<float>();
    return used.data() == first.data() ? gradients_[1]->as<float>() : first;
  }

  NetworkSpec spec_;
  NetworkShape shape_;
  ParameterLayout layout_;
  std::int64_t maximumBatch_;
  Scratch scratch_;
  Deaf deaf_;
  std::vector<std::unique_ptr<Layer>> layers_;
  std::vector<TensorPlaces> places_;                  ///< one a layer
  std::vector<std::unique_ptr<Buffer>> memory_;       ///< of the outputs
  std::vector<std::span<float>> outputs_;             ///< one a layer, for maximumBatch samples
  std::vector<std::span<const float>> activations_;   ///< of the last forward: the input, then one a layer
  std::array<std::unique_ptr<Buffer>, 2> gradients_;  ///< of activations, in turn
};

}  // namespace

std::unique_ptr<Network> makeNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                     Device& device) {
  if (device.name() != "cpu") throw Error("networks run on the cpu device only, not on " + std::string(device.name()));
  return std::make_unique<CpuNetwork>(spec, input, maximumBatch, device);
}

}  // namespace slipstream
