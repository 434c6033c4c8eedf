#include "engine/plan/network_memory.h"

#include <algorithm>

#include "engine/plan/network_graph.h"

namespace slipstream {
namespace {

/// Not a convolution: oneDNN's ReLU turns NaN into zero, and a network that has diverged would look sound.
bool takesReluIn(LayerKind kind) {
  return kind == LayerKind::dense || kind == LayerKind::batchNorm || kind == LayerKind::add;
}

/// Decides where outputs stand.
class OutputPlaces {
 public:
  OutputPlaces(const NetworkSpec& network, const NetworkShape& shape, NetworkMemory& memory)
      : network_(network), shape_(shape), memory_(memory), readers_(readersOf(shape.inputs)) {}

  void place() {
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      const LayerKind kind = network_.layers[i].kind;
      const int from = shape_.inputs[i].from;
      const bool overInput = writesOverInput(kind, from);
      replaceable_.push_back(kind == LayerKind::flatten ? replaceable(from) : true);
      LayerMemory& layer = memory_.layers[i];
      layer.output = overInput || kind == LayerKind::flatten ? outputOf(from) : newBlock(i);
      if (kind == LayerKind::relu && overInput && takesReluIn(kindOf(from))) {
        layer.fusedRelu = true;
        memory_.layers[static_cast<std::size_t>(from)].fusedRelu = true;
      }
      if (kind == LayerKind::maxPool) memory_.places += shape_.outputs[i].elements();
    }
  }

 private:
  LayerKind kindOf(int layer) const { return network_.layers[static_cast<std::size_t>(layer)].kind; }
  int outputOf(int layer) const {
    return layer == networkInput ? noBlock : memory_.layers[static_cast<std::size_t>(layer)].output;
  }
  int newBlock(std::size_t layer) {
    memory_.outputBlocks.push_back(shape_.outputs[layer].elements());
    return static_cast<int>(memory_.outputBlocks.size()) - 1;
  }

  /// The memory of this output is read by one layer only, and is not the caller's.
  bool replaceable(int layer) const {
    if (layer == networkInput) return false;
    const auto i = static_cast<std::size_t>(layer);
    return readers_[i] == 1 && replaceable_[i];
  }

  /// A ReLU's backward reads its output, no other layer's does.
  bool writesOverInput(LayerKind kind, int from) const {
    if (!replaceable(from)) return false;
    if (kind == LayerKind::relu) return true;
    return kind == LayerKind::add && kindOf(from) != LayerKind::relu && kindOf(from) != LayerKind::flatten;
  }

  const NetworkSpec& network_;
  const NetworkShape& shape_;
  NetworkMemory& memory_;
  std::vector<int> readers_;
  std::vector<bool> replaceable_;  ///< one a layer, by whose memory its output stands in
};

/// Blocks of gradients, counting who holds each.
class Blocks {
 public:
  explicit Blocks(std::vector<std::int64_t>& sizes) : sizes_(sizes) {}

  /// The smallest free block that is large enough, else the largest free one, made larger, else a new one.
  int take(std::int64_t elements) {
    int best = noBlock;
    for (int block = 0; block < static_cast<int>(sizes_.size()); ++block) {
      if (holders_[at(block)] == 0 && (best == noBlock || fits(block, best, elements))) best = block;
    }
    if (best == noBlock) {
      best = static_cast<int>(sizes_.size());
      sizes_.push_back(elements);
      holders_.push_back(0);
    }
    sizes_[at(best)] = std::max(sizes_[at(best)], elements);
    hold(best);
    return best;
  }
  void hold(int block) { ++holders_[at(block)]; }
  void drop(int block) { --holders_[at(block)]; }
  bool isShared(int block) const { return holders_[at(block)] > 1; }

 private:
  static std::size_t at(int block) { return static_cast<std::size_t>(block); }
  bool fits(int candidate, int best, std::int64_t elements) const {
    const auto size = sizes_[at(candidate)];
    const auto other = sizes_[at(best)];
    return other < elements ? size > other : size >= elements && size < other;
  }

  std::vector<std::int64_t>& sizes_;
  std::vector<int> holders_;
};

/// Walks backward and decides where gradients stand.
class GradientPlaces {
 public:
  GradientPlaces(const NetworkSpec& network, const NetworkShape& shape, NetworkMemory& memory)
      : network_(network),
        shape_(shape),
        memory_(memory),
        blocks_(memory.gradientBlocks),
        needed_(backwardNeeded(shape, 0)) {}

  void place() {
    if (network_.layers.empty() || !needed_.back()) return;
    memory_.layers.back().gradient = blocks_.take(shape_.outputs.back().elements());
    for (std::size_t i = network_.layers.size(); i-- > 0;) {
      if (needed_[i]) deliver(i);
    }
  }

 private:
  bool needed(int layer) const { return layer != networkInput && needed_[static_cast<std::size_t>(layer)]; }

  /// Every path ends with one hold less on the layer's own gradient.
  void deliver(std::size_t i) {
    const int own = memory_.layers[i].gradient;
    const LayerInputs inputs = shape_.inputs[i];
    const bool second = inputs.with && needed(*inputs.with);
    const bool first = needed(inputs.from);
    if (second) {
      if (first) blocks_.hold(own);
      deliverTo(*inputs.with, own, i);
    }
    if (first) {
      deliverTo(inputs.from, writtenBy(network_.layers[i].kind, own, inputs.from), i);
    } else if (!second) {
      blocks_.drop(own);
    }
  }

  int writtenBy(LayerKind kind, int own, int from) {
    const bool passesOn = kind == LayerKind::add || kind == LayerKind::flatten;
    if (passesOn || (kind == LayerKind::relu && !blocks_.isShared(own))) return own;
    const int written = blocks_.take(shape_.outputs[static_cast<std::size_t>(from)].elements());
    blocks_.drop(own);
    return written;
  }

  void deliverTo(int layer, int written, std::size_t by) {
    int& held = memory_.layers[static_cast<std::size_t>(layer)].gradient;
    GradientDelivery delivery{layer, written, held, noBlock};
    if (held == noBlock) {
      held = written;
    } else {
      delivery.sum = gather(held, written, shape_.outputs[static_cast<std::size_t>(layer)].elements());
      held = delivery.sum;
    }
    memory_.layers[by].deliveries.push_back(delivery);
  }

  /// Nobody else's gradient may be overwritten.
  int gather(int held, int written, std::int64_t elements) {
    if (!blocks_.isShared(held)) {
      blocks_.drop(written);
      return held;
    }
    const int sum = blocks_.isShared(written) ? blocks_.take(elements) : written;
    if (sum != written) blocks_.drop(written);
    blocks_.drop(held);
    return sum;
  }

  const NetworkSpec& network_;
  const NetworkShape& shape_;
  NetworkMemory& memory_;
  Blocks blocks_;
  std::vector<bool> needed_;
};

}  // namespace

NetworkMemory planMemory(const NetworkSpec& network, const NetworkShape& shape) {
  NetworkMemory memory;
  memory.layers.resize(network.layers.size());
  OutputPlaces(network, shape, memory).place();
  GradientPlaces(network, shape, memory).place();
  return memory;
}

std::vector<bool> backwardNeeded(const NetworkShape& shape, int firstTrained) {
  std::vector<bool> needed(shape.outputs.size(), false);
  for (const TensorSpec& tensor : shape.tensors) {
    if (tensor.layer >= firstTrained) needed[static_cast<std::size_t>(tensor.layer)] = true;
  }
  const auto isNeeded = [&](int layer) { return layer != networkInput && needed[static_cast<std::size_t>(layer)]; };
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const LayerInputs inputs = shape.inputs[i];
    if (isNeeded(inputs.from) || (inputs.with && isNeeded(*inputs.with))) needed[i] = true;
  }
  return needed;
}

}  // namespace slipstream
