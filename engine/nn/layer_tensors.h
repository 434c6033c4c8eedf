// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/nn/layers/layer.h"
#include "engine/nn/parameter_store.h"

namespace slipstream {

/// Weight and bias of one layer inside the run of the flat space that they share.
struct TensorOffsets {
  Range all;
  Range weight;
  Range bias;
};

inline std::vector<TensorOffsets> tensorPlaces(const ParameterLayout& layout, std::size_t layers) {
  std::vector<TensorOffsets> places(layers);
  for (std::size_t i = 0; i < layers; ++i) places[i].all = layout.rangeOfLayer(static_cast<int>(i));
  // Layout order is backward: the second tensor of a layer, its bias or beta, is first.
  for (const auto& tensor : layout.tensors()) {
    auto& layer = places[static_cast<std::size_t>(tensor.spec.layer)];
    (tensor.range.end == layer.all.end ? layer.weight : layer.bias) = tensor.range;
  }
  return places;
}

/// The tensors of one layer, borrowed from a store for the length of its work.
class BorrowedTensors {
 public:
  BorrowedTensors(ParameterStore& store, const TensorOffsets& places) : store_(store), places_(places) {
    if (places_.all.size() > 0) values_ = store_.acquire(places_.all);
  }
  ~BorrowedTensors() {
    if (places_.all.size() > 0) store_.release(places_.all);
  }
  BorrowedTensors(const BorrowedTensors&) = delete;
  BorrowedTensors& operator=(const BorrowedTensors&) = delete;

  template <class Value>
  LayerTensors<Value> as() const {
    return {part(places_.weight), part(places_.bias)};
  }

 private:
  std::span<float> part(Range range) const {
    if (range.size() == 0) return {};
    return values_.subspan(static_cast<std::size_t>(range.begin - places_.all.begin),
                           static_cast<std::size_t>(range.size()));
  }

  ParameterStore& store_;
  const TensorOffsets& places_;
  std::span<float> values_;
};

}  // namespace slipstream
