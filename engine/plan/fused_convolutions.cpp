// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/fused_convolutions.h"

#include "engine/spec/network_graph.h"

namespace slipstream {
namespace {

class Fusing {
 public:
  Fusing(const NetworkSpec& network, const NetworkShape& shape, NetworkMemory& memory)
      : network_(network), shape_(shape), memory_(memory), onlyReaders_(onlyReadersOf(shape.inputs)) {}

  void fuse() {
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      if (kindOf(i) == LayerKind::batchNorm) defer(i);
    }
  }

 private:
  /// Of each layer; networkInput where there are several or none.
  static std::vector<int> onlyReadersOf(const std::vector<LayerInputs>& inputs) {
    std::vector<int> only(inputs.size(), networkInput);
    const auto readers = readersOf(inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const int from = inputs[i].from;
      if (from == networkInput || readers[static_cast<std::size_t>(from)] != 1) continue;
      only[static_cast<std::size_t>(from)] = static_cast<int>(i);
    }
    return only;
  }

  LayerKind kindOf(std::size_t layer) const { return network_.layers[layer].kind; }
  FusedWork& workOf(std::size_t layer) { return memory_.layers[layer].fused; }
  /// The only reader, where it is of this kind.
  std::optional<std::size_t> readerOf(std::size_t layer, LayerKind kind) const {
    const int reader = onlyReaders_[layer];
    if (reader == networkInput || kindOf(static_cast<std::size_t>(reader)) != kind) return std::nullopt;
    return static_cast<std::size_t>(reader);
  }

  bool fits(std::size_t convolution) const {
    const int from = shape_.inputs[convolution].from;
    const SampleShape input = from == networkInput ? shape_.input : shape_.outputs[static_cast<std::size_t>(from)];
    const LayerSpec& layer = network_.layers[convolution];
    return fusesConvolution(input, shape_.outputs[convolution], paddingOf(layer, input.height),
                            paddingOf(layer, input.width));
  }

  void defer(std::size_t norm) {
    if (shape_.inputs[norm].from == networkInput) return;
    const auto relu = readerOf(norm, LayerKind::relu);
    const auto convolution = relu ? readerOf(*relu, LayerKind::conv2d) : std::nullopt;
    if (!convolution || !fits(*convolution)) return;
    workOf(norm).deferred = workOf(*convolution).deferred = true;
  }

  const NetworkSpec& network_;
  const NetworkShape& shape_;
  NetworkMemory& memory_;
  std::vector<int> onlyReaders_;
};

}  // namespace

bool fusesConvolution(SampleShape input, SampleShape output, Padding rows, Padding columns) {
  constexpr std::int64_t channels = 8;
  return input.channels % channels == 0 && output.channels % channels == 0 && rows.before == rows.after &&
         columns.before == columns.after;
}

void fuseConvolutions(const NetworkSpec& network, const NetworkShape& shape, NetworkMemory& memory) {
  Fusing(network, shape, memory).fuse();
}

}  // namespace slipstream
