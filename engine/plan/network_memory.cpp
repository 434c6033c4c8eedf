// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/network_memory.h"

#include <algorithm>
#include <numeric>

#include "engine/plan/fused_convolutions.h"
#include "engine/spec/network_graph.h"

namespace slipstream {
namespace {

/// Not a convolution: oneDNN's ReLU turns NaN into zero, and a network that has diverged would look sound.
bool takesReluIn(LayerKind kind) {
  return kind == LayerKind::dense || kind == LayerKind::batchNorm || kind == LayerKind::add;
}

/// A maximum's place in its image.
constexpr std::int64_t placeBytes = sizeof(std::int32_t);

std::int64_t outputBytes(const NetworkShape& shape, const NetworkMemory& memory, std::size_t layer) {
  return bytesOf(memory.layers[layer].type) * shape.outputs[layer].elements();
}

/// Decides where outputs are.
class OutputOffsets {
 public:
  OutputOffsets(const NetworkSpec& network, const NetworkShape& shape, NetworkMemory& memory)
      : network_(network), shape_(shape), memory_(memory), readers_(readersOf(shape.inputs)) {}

  void place() {
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      const LayerKind kind = network_.layers[i].kind;
      const int from = shape_.inputs[i].from;
      const bool overInput = writesOverInput(kind, from);
      const bool renames = kind == LayerKind::flatten && typeOf(from) == NumberType::float32;
      replaceable_.push_back(renames ? replaceable(from) : true);
      const bool fusesSum = kind == LayerKind::add && canFuseSum(i);
      const bool defers = kind == LayerKind::batchNorm && memory_.layers[i].fused.deferred;
      const bool standsForInput = overInput || renames || defers;
      memory_.layers[i].output = standsForInput ? outputOf(from) : fusesSum ? outputOf(before(i)) : newBlock(i);
      if (fusesSum) fuseSum(i);
      if (kind == LayerKind::relu && overInput) fuseRelu(i, from);
      if (kind == LayerKind::maxPool) memory_.layers[i].maxima = placeBytes * shape_.outputs[i].elements();
    }
  }

 private:
  LayerKind kindOf(int layer) const { return network_.layers[static_cast<std::size_t>(layer)].kind; }
  NumberType typeOf(int layer) const {
    return layer == networkInput ? NumberType::float32 : memory_.layers[static_cast<std::size_t>(layer)].type;
  }
  FusedWork& fusedOf(int layer) { return memory_.layers[static_cast<std::size_t>(layer)].fused; }

  static int before(std::size_t layer) { return static_cast<int>(layer) - 1; }

  void fuseRelu(std::size_t relu, int from) {
    if (!takesReluIn(kindOf(from))) return;
    memory_.layers[relu].fused.relu = fusedOf(from).relu = true;
    if (fusedOf(from).sum) fusedOf(from - 1).relu = true;
    const bool cutsGradient = kindOf(from) == LayerKind::batchNorm;
    memory_.layers[relu].fused.reluGradient = fusedOf(from).reluGradient = cutsGradient;
  }

  /// A batch norm right before a sum does the sum: the other operand is there, and nobody else reads what it made.
  bool canFuseSum(std::size_t sum) const {
    const LayerInputs inputs = shape_.inputs[sum];
    const int last = before(sum);
    const bool adjoins = last != networkInput && (inputs.from == last) != (inputs.with == last);
    return adjoins && kindOf(last) == LayerKind::batchNorm && readers_[static_cast<std::size_t>(last)] == 1;
  }

  /// Where the sum overwrites its first operand, the batch norm needs no memory of its own: its block is the newest.
  void fuseSum(std::size_t sum) {
    LayerMemory& norm = memory_.layers[sum - 1];
    if (norm.output != memory_.layers[sum].output) memory_.outputBlocks.pop_back();
    norm.output = memory_.layers[sum].output;
    norm.fused.sum = memory_.layers[sum].fused.sum = true;
  }

  int outputOf(int layer) const {
    return layer == networkInput ? noBlock : memory_.layers[static_cast<std::size_t>(layer)].output;
  }
  int newBlock(std::size_t layer) {
    memory_.outputBlocks.push_back(outputBytes(shape_, memory_, layer));
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
  int take(std::int64_t bytes) {
    int best = noBlock;
    for (int block = 0; block < static_cast<int>(sizes_.size()); ++block) {
      if (holders_[at(block)] == 0 && (best == noBlock || fits(block, best, bytes))) best = block;
    }
    if (best == noBlock) {
      best = static_cast<int>(sizes_.size());
      sizes_.push_back(bytes);
      holders_.push_back(0);
    }
    sizes_[at(best)] = std::max(sizes_[at(best)], bytes);
    hold(best);
    return best;
  }
  void hold(int block) { ++holders_[at(block)]; }
  void drop(int block) { --holders_[at(block)]; }
  bool isShared(int block) const { return holders_[at(block)] > 1; }

 private:
  static std::size_t at(int block) { return static_cast<std::size_t>(block); }
  bool fits(int candidate, int best, std::int64_t bytes) const {
    const auto size = sizes_[at(candidate)];
    const auto other = sizes_[at(best)];
    return other < bytes ? size > other : size >= bytes && size < other;
  }

  std::vector<std::int64_t>& sizes_;
  std::vector<int> holders_;
};

/// A flatten reads the input as it comes.
bool convertsInput(const NetworkSpec& network, const NetworkShape& shape) {
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const LayerInputs inputs = shape.inputs[i];
    const bool reads = inputs.from == networkInput || inputs.with == networkInput;
    if (reads && shape.input.height != 0 && network.layers[i].kind != LayerKind::flatten) return true;
  }
  return false;
}

/// Walks backward and decides where gradients are.
class GradientOffsets {
 public:
  GradientOffsets(const NetworkSpec& network, const NetworkShape& shape, NetworkMemory& memory)
      : network_(network),
        shape_(shape),
        memory_(memory),
        blocks_(memory.gradientBlocks),
        needed_(backwardNeeded(shape, 0)),
        readersLeft_(readersOf(shape.inputs)) {}

  void place() {
    if (network_.layers.empty() || !needed_.back()) return;
    memory_.layers.back().gradient = blocks_.take(outputBytes(shape_, memory_, network_.layers.size() - 1));
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
      deliverTo(inputs.from, writtenBy(i, own, inputs.from), i);
    } else if (!second) {
      blocks_.drop(own);
    }
  }

  int writtenBy(std::size_t layer, int own, int from) {
    const LayerKind kind = network_.layers[layer].kind;
    const bool sameType = memory_.layers[layer].type == memory_.layers[static_cast<std::size_t>(from)].type;
    const bool passesOn = kind == LayerKind::add || (kind == LayerKind::flatten && sameType);
    if (passesOn || (kind == LayerKind::relu && !blocks_.isShared(own))) return own;
    if (kind == LayerKind::relu) cutItself(layer, from);
    const int written = blocks_.take(outputBytes(shape_, memory_, static_cast<std::size_t>(from)));
    blocks_.drop(own);
    return written;
  }

  /// Others read the gradient too, and want it as it is.
  void cutItself(std::size_t relu, int from) {
    memory_.layers[relu].fused.reluGradient = false;
    memory_.layers[static_cast<std::size_t>(from)].fused.reluGradient = false;
  }

  void deliverTo(int layer, int written, std::size_t by) {
    const auto i = static_cast<std::size_t>(layer);
    LayerMemory& input = memory_.layers[i];
    const bool isLast = --readersLeft_[i] == 0;
    GradientDelivery delivery{layer, written, input.gradient, noBlock, false};
    if (input.gradient == noBlock) {
      input.gradient = written;
    } else {
      delivery.sum = gather(input.gradient, written, outputBytes(shape_, memory_, i));
      delivery.cut = isLast && network_.layers[i].kind == LayerKind::relu && !input.fused.reluGradient;
      if (delivery.cut) input.fused.reluGradient = true;
      input.gradient = delivery.sum;
    }
    memory_.layers[by].deliveries.push_back(delivery);
  }

  /// Nobody else's gradient may be overwritten.
  int gather(int held, int written, std::int64_t bytes) {
    if (!blocks_.isShared(held)) {
      blocks_.drop(written);
      return held;
    }
    const int sum = blocks_.isShared(written) ? blocks_.take(bytes) : written;
    if (sum != written) blocks_.drop(written);
    blocks_.drop(held);
    return sum;
  }

  const NetworkSpec& network_;
  const NetworkShape& shape_;
  NetworkMemory& memory_;
  Blocks blocks_;
  std::vector<bool> needed_;
  std::vector<int> readersLeft_;  ///< of each layer's output, that have not delivered
};

}  // namespace

std::int64_t NetworkMemory::bytes() const {
  std::int64_t bytes = convertedInput;
  for (const LayerMemory& layer : layers) bytes += layer.maxima;
  bytes = std::accumulate(outputBlocks.begin(), outputBlocks.end(), bytes);
  return std::accumulate(gradientBlocks.begin(), gradientBlocks.end(), bytes);
}

std::int64_t samplesAtOnceIn(const NetworkMemory& eachSample) {
  constexpr std::int64_t room = 1 << 30, most = 256;
  return std::clamp<std::int64_t>(room / std::max<std::int64_t>(eachSample.bytes(), 1), 1, most);
}

NetworkMemory planMemory(const NetworkSpec& network, const NetworkShape& shape, NumberType pictures,
                         Convolutions convolutions) {
  NetworkMemory memory;
  memory.layers.resize(network.layers.size());
  for (std::size_t i = 0; i < memory.layers.size(); ++i) {
    const bool isPicture = shape.outputs[i].height != 0;
    if (isPicture) memory.layers[i].type = pictures;
  }
  if (pictures != NumberType::float32 && convertsInput(network, shape)) {
    memory.convertedInput = bytesOf(pictures) * shape.input.elements();
  }
  if (convolutions == Convolutions::fused && pictures == NumberType::float16) fuseConvolutions(network, shape, memory);
  OutputOffsets(network, shape, memory).place();
  GradientOffsets(network, shape, memory).place();
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
