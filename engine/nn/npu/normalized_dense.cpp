// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/nn/npu/layers.h"

namespace slipstream {
namespace {

/// Lengths below its root count as this.
constexpr float leastSquare = 1e-4F;

ValuesView matrix(const float* values, std::int64_t rows, std::int64_t columns) {
  return rowsOf(aclnn::float32, values, rows, columns);
}

class NpuNormalizedDense final : public Layer {
 public:
  NpuNormalizedDense(const LayerConfig& parts, NpuOperators& operators)
      : inputs_(parts.input.elements()),
        outputs_(parts.output.elements()),
        scratch_(parts.scratch),
        operators_(operators) {
    scratch_.reserve<NpuParts>([&](NpuParts& counted) { return list(counted, parts.maximumBatch); });
  }

  void forward(const ForwardPass& pass) override {
    const Work work = prepare(pass);
    const ValuesView output = matrix(pass.output.as<float>(), pass.batch, outputs_);
    operators_.matrixProduct(units(work.x), transposed(units(work.w)), output);
    operators_.multiply(output, vectorOf(pass.weights.bias), output);
  }

  void backward(const BackwardPass& pass) override {
    const Work work = prepare(pass);
    const ValuesView gradient = matrix(pass.outputGradient.as<float>(), pass.batch, outputs_);
    const ValuesView multiplier = vectorOf(pass.weights.bias);
    operators_.matrixProduct(transposed(gradient), units(work.x), matrix(work.product, outputs_, inputs_));
    dots(work, work.w);
    const ValuesView total = vectorOf(aclnn::float32, work.total, 1);
    operators_.sum(column(work.along, outputs_), {0, 1}, false, {total.type, total.data, {}, {}});
    operators_.deliver(total, vectorOf(pass.gradients.bias), pass.accumulate);
    throughLength(work, work.w, multiplier);
    operators_.deliver(matrix(work.product, outputs_, inputs_), matrix(pass.gradients.weight.data(), outputs_, inputs_),
                       pass.accumulate);
    if (pass.inputGradient.empty()) return;
    operators_.matrixProduct(gradient, units(work.w), matrix(work.product, pass.batch, inputs_));
    dots(work, work.x);
    throughLength(work, work.x, multiplier);
    operators_.copy(matrix(pass.inputGradient.as<float>(), pass.batch, inputs_),
                    matrix(work.product, pass.batch, inputs_));
  }

 private:
  struct Rows {
    std::int64_t count;
    float* units;    ///< [count, inputs], each of length 1
    float* squares;  ///< [count]: of the lengths
    float* scales;   ///< [count]: 1 / length
  };
  /// Memory of one call.
  struct Work {
    Rows x;
    Rows w;
    float* product;  ///< [the larger of batch and outputs, inputs]
    float* terms;    ///< alike
    float* along;    ///< [the larger]
    float* total;
  };

  Work list(NpuParts& parts, std::int64_t batch) const {
    const std::int64_t most = std::max(batch, outputs_);
    return {rows(parts, batch),
            rows(parts, outputs_),
            parts.take<float>(most * inputs_),
            parts.take<float>(most * inputs_),
            parts.take<float>(most),
            parts.take<float>(1)};
  }
  Rows rows(NpuParts& parts, std::int64_t count) const {
    return {count, parts.take<float>(count * inputs_), parts.take<float>(count), parts.take<float>(count)};
  }

  ValuesView units(const Rows& of) const { return matrix(of.units, of.count, inputs_); }
  static ValuesView column(const float* values, std::int64_t count) { return matrix(values, count, 1); }

  template <class Pass>
  Work prepare(const Pass& pass) {
    const Work work = scratch_.place<NpuParts>([&](NpuParts& parts) { return list(parts, pass.batch); });
    scaleRows(matrix(pass.input.template as<float>(), pass.batch, inputs_), work, work.x);
    scaleRows(matrix(pass.weights.weight.data(), outputs_, inputs_), work, work.w);
    return work;
  }

  void scaleRows(const ValuesView& values, const Work& work, const Rows& to) {
    const ValuesView terms = matrix(work.terms, to.count, inputs_);
    const ValuesView squares = column(to.squares, to.count);
    const ValuesView scales = column(to.scales, to.count);
    operators_.multiply(values, values, terms);
    operators_.sum(terms, {1}, true, squares);
    operators_.give(aclnnLibrary().clampMin, squares, scalar(leastSquare), scales);
    operators_.give(aclnnLibrary().inverseRoot, scales, scales);
    operators_.multiply(values, scales, units(to));
  }

  /// work.along = the products of the rows of work.product with the units.
  void dots(const Work& work, const Rows& of) {
    const ValuesView terms = matrix(work.terms, of.count, inputs_);
    operators_.multiply(matrix(work.product, of.count, inputs_), units(of), terms);
    operators_.sum(terms, {1}, true, column(work.along, of.count));
  }

  /// work.product = multiplier / length (product - unit along), without the second where the length is the least.
  void throughLength(const Work& work, const Rows& of, const ValuesView& multiplier) {
    const ValuesView product = matrix(work.product, of.count, inputs_);
    const ValuesView terms = matrix(work.terms, of.count, inputs_);
    const ValuesView along = column(work.along, of.count);
    operators_.passWhereAbove(leastSquare, along, column(of.squares, of.count), along);
    operators_.multiply(units(of), along, terms);
    operators_.give(aclnnLibrary().subtract, product, terms, scalar(1), product);
    operators_.multiply(product, column(of.scales, of.count), product);
    operators_.multiply(product, multiplier, product);
  }

  std::int64_t inputs_;
  std::int64_t outputs_;
  Scratch& scratch_;
  NpuOperators& operators_;
};

}  // namespace

std::unique_ptr<Layer> makeNpuNormalizedDense(const LayerConfig& parts, NpuOperators& operators) {
  return std::make_unique<NpuNormalizedDense>(parts, operators);
}

}  // namespace slipstream
