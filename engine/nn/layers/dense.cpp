// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/dense.h"

#include <algorithm>
#include <limits>

#include "engine/base/chunks.h"
#include "engine/base/processor_clones.h"
#include "engine/nn/layers/matrix_product.h"

namespace slipstream {
namespace {

/// Nothing comes out below `lowest`.
SLIPSTREAM_PROCESSOR_CLONES void addBias(float* __restrict output, const float* __restrict bias, float lowest,
                                         std::size_t rows, std::size_t columns) {
  for (std::size_t row = 0; row < rows; ++row, output += columns) {
    for (std::size_t i = 0; i < columns; ++i) {
      const float value = output[i] + bias[i];
      output[i] = value < lowest ? lowest : value;
    }
  }
}

SLIPSTREAM_PROCESSOR_CLONES void cutBelowZero(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = values[i] < 0.0F ? 0.0F : values[i];
}

/// Of `columns` of rows that are `width` long.
SLIPSTREAM_PROCESSOR_CLONES void addRows(const float* __restrict gradient, float* __restrict sums, std::size_t rows,
                                         std::size_t columns, std::size_t width) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns; ++i) sums[i] += gradient[row * width + i];
  }
}

/// Threads share the columns, each of which is added in the order of the rows: the same bits for any number of threads.
void addColumnSums(const float* gradient, std::span<float> sums, std::size_t rows) {
  constexpr std::size_t linesOfRow = 16;
  const std::size_t together =
      std::max(chunkValues / std::max<std::size_t>(1, rows), linesOfRow) / linesOfRow * linesOfRow;
  forEachStretch(sums.size(), together, [&](std::size_t first, std::size_t count) {
    addRows(gradient + first, sums.data() + first, rows, count, sums.size());
  });
}

class Dense final : public Layer {
 public:
  explicit Dense(const LayerConfig& parts)
      : inputs_(parts.input.elements()), outputs_(parts.output.elements()), fusedRelu_(parts.fused.relu) {}

  void forward(const ForwardPass& pass) override {
    multiply('N', 'T', pass.batch, outputs_, inputs_, pass.input.as<float>(), pass.weights.weight.data(), 0.0F,
             pass.output.as<float>());
    finish(pass.output.as<float>(), pass.weights.bias, static_cast<std::size_t>(pass.batch));
  }

  void backward(const BackwardPass& pass) override {
    const float* gradient = pass.outputGradient.as<float>();
    multiply('T', 'N', outputs_, inputs_, pass.batch, gradient, pass.input.as<float>(), pass.accumulate ? 1.0F : 0.0F,
             pass.gradients.weight.data());
    if (auto bias = pass.gradients.bias; !bias.empty()) {
      if (!pass.accumulate) std::fill(bias.begin(), bias.end(), 0.0F);
      addColumnSums(gradient, bias, static_cast<std::size_t>(pass.batch));
    }
    if (pass.inputGradient.empty()) return;
    multiply('N', 'N', pass.batch, inputs_, outputs_, gradient, pass.weights.weight.data(), 0.0F,
             pass.inputGradient.as<float>());
  }

 private:
  /// What comes behind the product.
  void finish(float* output, std::span<const float> bias, std::size_t batch) const {
    if (bias.empty() && !fusedRelu_) return;
    const auto width = static_cast<std::size_t>(outputs_);
    const float lowest = fusedRelu_ ? 0.0F : -std::numeric_limits<float>::infinity();
    forEachRows(batch, width, [&](std::size_t first, std::size_t rows) {
      float* from = output + first * width;
      bias.empty() ? cutBelowZero(from, rows * width) : addBias(from, bias.data(), lowest, rows, width);
    });
  }

  std::int64_t inputs_;
  std::int64_t outputs_;
  bool fusedRelu_;
};

}  // namespace

std::unique_ptr<Layer> makeDense(const LayerConfig& parts) {
  return std::make_unique<Dense>(parts);
}

}  // namespace slipstream
