// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/normalized_dense.h"

#include <algorithm>
#include <cmath>

#include "engine/base/processor_clones.h"
#include "engine/nn/layers/matrix_product.h"

namespace slipstream {
namespace {

/// Of a squared length: below it a row is divided by its root instead.
constexpr double smallestSquare = 1e-4;

SLIPSTREAM_PROCESSOR_CLONES double dot(const float* __restrict a, const float* __restrict b, std::int64_t count) {
  double lanes[8] = {};
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int lane = 0; lane < 8; ++lane) {
      lanes[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
    }
  }
  for (; i < count; ++i) lanes[0] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// Rows scaled to length 1.
struct NormalizedRows {
  float* values;          ///< [rows, width]
  double* inverseLength;  ///< [rows]
};

void normalize(const float* rows, std::int64_t count, std::int64_t width, NormalizedRows result) {
  for (std::int64_t row = 0; row < count; ++row, rows += width) {
    const double inverse = 1.0 / std::sqrt(std::max(dot(rows, rows, width), smallestSquare));
    result.inverseLength[row] = inverse;
    float* to = result.values + row * width;
    for (std::int64_t i = 0; i < width; ++i) to[i] = static_cast<float>(inverse * static_cast<double>(rows[i]));
  }
}

class NormalizedDense final : public Layer {
 public:
  explicit NormalizedDense(const LayerConfig& parts)
      : inputs_(parts.input.elements()), outputs_(parts.output.elements()), scratch_(parts.scratch) {
    scratch_.reserve<CpuParts>([&](CpuParts& counted) { list(counted, parts.maximumBatch); });
  }

  void forward(const ForwardPass& pass) override {
    const auto work = prepare(pass.batch);
    normalize(pass.input.as<float>(), pass.batch, inputs_, work.x);
    normalize(pass.weights.weight.data(), outputs_, inputs_, work.w);
    multiply('N', 'T', pass.batch, outputs_, inputs_, work.x.values, work.w.values, 0.0F, pass.output.as<float>());
    const float multiplier = pass.weights.bias[0];
    for (float& value : std::span(pass.output.as<float>(), pass.output.size())) value *= multiplier;
  }

  void backward(const BackwardPass& pass) override {
    const auto work = prepare(pass.batch);
    normalize(pass.input.as<float>(), pass.batch, inputs_, work.x);
    normalize(pass.weights.weight.data(), outputs_, inputs_, work.w);
    const auto multiplier = static_cast<double>(pass.weights.bias[0]);
    const float* gradient = pass.outputGradient.as<float>();
    multiply('T', 'N', outputs_, inputs_, pass.batch, gradient, work.x.values, 0.0F, work.product);
    const double sum = throughLength(work.product, pass.weights.weight.data(), outputs_, work.w, multiplier,
                                     pass.accumulate, pass.gradients.weight.data());
    float& ofMultiplier = pass.gradients.bias[0];
    ofMultiplier = static_cast<float>(pass.accumulate ? static_cast<double>(ofMultiplier) + sum : sum);
    if (pass.inputGradient.empty()) return;
    multiply('N', 'N', pass.batch, inputs_, outputs_, gradient, work.w.values, 0.0F, work.product);
    throughLength(work.product, pass.input.as<float>(), pass.batch, work.x, multiplier, false,
                  pass.inputGradient.as<float>());
  }

 private:
  /// Memory of one call.
  struct Work {
    NormalizedRows x;
    NormalizedRows w;
    float* product;  ///< [the larger of batch and outputs, inputs]
  };

  Work list(CpuParts& parts, std::int64_t batch) const {
    return {{parts.take<float>(batch * inputs_), parts.take<double>(batch)},
            {parts.take<float>(outputs_ * inputs_), parts.take<double>(outputs_)},
            parts.take<float>(std::max(batch, outputs_) * inputs_)};
  }
  Work prepare(std::int64_t batch) const {
    return scratch_.place<CpuParts>([&](CpuParts& parts) { return list(parts, batch); });
  }

  /// From the gradient of normalised rows (still without the multiplier) to that of the rows: the part along a row
  /// falls away, unless its length was not used. Returns the sum of all products gradient times normalised row.
  double throughLength(const float* gradient, const float* rows, std::int64_t count, NormalizedRows normalized,
                       double multiplier, bool accumulate, float* result) const {
    double sum = 0;
    for (std::int64_t row = 0; row < count; ++row, rows += inputs_, gradient += inputs_, result += inputs_) {
      const float* unit = normalized.values + row * inputs_;
      const double along = dot(gradient, unit, inputs_);
      sum += along;
      const bool scaled = dot(rows, rows, inputs_) > smallestSquare;
      const double taken = scaled ? along : 0.0;
      const double factor = multiplier * normalized.inverseLength[row];
      for (std::int64_t i = 0; i < inputs_; ++i) {
        const double value = factor * (static_cast<double>(gradient[i]) - taken * static_cast<double>(unit[i]));
        result[i] = static_cast<float>(accumulate ? static_cast<double>(result[i]) + value : value);
      }
    }
    return sum;
  }

  std::int64_t inputs_;
  std::int64_t outputs_;
  Scratch& scratch_;
};

}  // namespace

std::unique_ptr<Layer> makeNormalizedDense(const LayerConfig& parts) {
  return std::make_unique<NormalizedDense>(parts);
}

}  // namespace slipstream
