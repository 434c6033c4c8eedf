// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/nn/cuda/host_ops.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/base/error.h"
#include "engine/plan/fused_convolutions.h"
#include "tests/support/dot.h"

namespace slipstream::test {
namespace {

template <class Value>
Value* find(const PlanMemory& memory, PlanTensor tensor) {
  for (const auto& [name, place] : memory) {
    if (name == tensor) return static_cast<Value*>(const_cast<void*>(place));
  }
  throw Error("a convolution was run without one of its tensors");
}

/// Calls `each(output element, first weight, first input element)` for all pixels that belong together: as many weights
/// and input elements follow each other as the input has channels.
template <class Each>
void visit(const ConvolutionShape& shape, const Each& each) {
  const auto& in = shape.input;
  const auto& out = shape.output;
  for (std::int64_t sample = 0; sample < shape.batch; ++sample)
    for (std::int64_t y = 0; y < out.height; ++y)
      for (std::int64_t x = 0; x < out.width; ++x)
        for (std::int64_t o = 0; o < out.channels; ++o)
          for (std::int64_t ky = 0; ky < shape.kernel; ++ky)
            for (std::int64_t kx = 0; kx < shape.kernel; ++kx) {
              const auto row = y * shape.stride - shape.rows.before + ky;
              const auto column = x * shape.stride - shape.columns.before + kx;
              if (row < 0 || row >= in.height || column < 0 || column >= in.width) continue;
              each(((sample * out.height + y) * out.width + x) * out.channels + o,
                   ((o * shape.kernel + ky) * shape.kernel + kx) * in.channels,
                   ((sample * in.height + row) * in.width + column) * in.channels);
            }
}

template <class Value>
double wide(Value value) {
  return static_cast<double>(toFloat(value));
}

/// Each value is read many times: it is converted once.
template <class Value>
std::vector<double> widened(const Value* values, std::int64_t count) {
  std::vector<double> result(static_cast<std::size_t>(count));
  std::transform(values, values + count, result.begin(), wide<Value>);
  return result;
}

/// Sums in double, rounded once.
template <class Value>
class Sums {
 public:
  Sums(Value* result, std::int64_t count) : result_(result), sums_(static_cast<std::size_t>(count)) {}
  ~Sums() {
    for (std::size_t i = 0; i < sums_.size(); ++i) result_[i] = fromFloat<Value>(static_cast<float>(sums_[i]));
  }
  Sums(const Sums&) = delete;
  Sums& operator=(const Sums&) = delete;
  double* from(std::int64_t at) { return sums_.data() + at; }

 private:
  Value* result_;
  std::vector<double> sums_;
};

/// Runs one request.
template <class Value>
class HostPlan {
 public:
  HostPlan(const PlanRequest& request, const PlanMemory& memory) : shape_(request.shape), memory_(memory) {}

  void run(ConvolutionPattern pattern) const {
    switch (pattern) {
      case ConvolutionPattern::forward:
        return forward(at(PlanTensor::input));
      case ConvolutionPattern::inputGradient:
        return inputGradient();
      case ConvolutionPattern::weightGradient:
        return weightGradient(at(PlanTensor::input));
      case ConvolutionPattern::activatedForward:
        forward(activatedInput().data());
        return spoilSums();
      case ConvolutionPattern::activatedWeightGradient:
        return weightGradient(activatedInput().data());
    }
  }

 private:
  Value* at(PlanTensor tensor) const { return find<Value>(memory_, tensor); }
  std::int64_t inputs() const { return shape_.batch * shape_.input.elements(); }
  std::int64_t outputs() const { return shape_.batch * shape_.output.elements(); }
  std::int64_t weightCount() const {
    return shape_.output.channels * shape_.kernel * shape_.kernel * shape_.input.channels;
  }

  void forward(const Value* narrowInput) const {
    const auto weights = widened(at(PlanTensor::weights), weightCount());
    const auto input = widened(narrowInput, inputs());
    Sums<Value> output(at(PlanTensor::output), outputs());
    visit(shape_, [&](auto o, auto w, auto i) {
      *output.from(o) += dot(weights.data() + w, input.data() + i, shape_.input.channels);
    });
  }
  void inputGradient() const {
    const auto weights = widened(at(PlanTensor::weights), weightCount());
    const auto gradient = widened(at(PlanTensor::outputGradient), outputs());
    Sums<Value> result(at(PlanTensor::inputGradient), inputs());
    visit(shape_, [&](auto o, auto w, auto i) {
      addScaled(result.from(i), gradient[static_cast<std::size_t>(o)], weights.data() + w);
    });
  }
  void weightGradient(const Value* narrowInput) const {
    const auto gradient = widened(at(PlanTensor::outputGradient), outputs());
    const auto input = widened(narrowInput, inputs());
    Sums<Value> result(at(PlanTensor::weightGradient), weightCount());
    visit(shape_, [&](auto o, auto w, auto i) {
      addScaled(result.from(w), gradient[static_cast<std::size_t>(o)], input.data() + i);
    });
  }
  /// Adds `factor` times each of `values` to `sums`, which both have an element for each channel of the input.
  void addScaled(double* sums, double factor, const double* values) const {
    for (std::int64_t c = 0; c < shape_.input.channels; ++c) sums[c] += factor * values[c];
  }

  std::vector<Value> activatedInput() const {
    const Value* input = at(PlanTensor::input);
    const Value* scale = at(PlanTensor::scale);
    const Value* bias = at(PlanTensor::bias);
    std::vector<Value> result;
    for (std::int64_t i = 0; i < inputs(); ++i) {
      const std::int64_t c = i % shape_.input.channels;
      const float value = toFloat(input[i]) * toFloat(scale[c]) + toFloat(bias[c]);
      result.push_back(fromFloat<Value>(value < 0.0F ? 0.0F : value));
    }
    return result;
  }

  /// What nobody may read is NaN.
  void spoilSums() const {
    for (const auto unread : {PlanTensor::sums, PlanTensor::squareSums}) {
      std::fill_n(find<float>(memory_, unread), shape_.output.channels, std::numeric_limits<float>::quiet_NaN());
    }
  }

  const ConvolutionShape& shape_;
  const PlanMemory& memory_;
};

template <class Value>
void multiplyAs(const ColumnMajorProduct& product, const Value* first, const Value* second, float beta, float* result) {
  const auto element = [](const ColumnMajor& matrix, const Value* values, std::int64_t row, std::int64_t column) {
    if (matrix.transposed) std::swap(row, column);
    if (row >= matrix.rows || column >= matrix.columns) throw Error("a product reads beside its matrix");
    return static_cast<double>(toFloat(values[column * matrix.stride + row]));
  };
  const auto& whole = product.result;
  const std::int64_t inner = product.first.transposed ? product.first.rows : product.first.columns;
  for (std::int64_t column = 0; column < whole.columns; ++column) {
    for (std::int64_t row = 0; row < whole.rows; ++row) {
      double sum = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        sum += element(product.first, first, row, k) * element(product.second, second, k, column);
      }
      float& to = result[column * whole.stride + row];
      to = static_cast<float>(beta == 0.0F ? sum : sum + static_cast<double>(beta) * static_cast<double>(to));
    }
  }
}

}  // namespace

bool HostConvolutions::has(const PlanRequest& request) {
  if (!plainer(request.pattern)) return true;
  const ConvolutionShape& shape = request.shape;
  const bool lacks = std::ranges::find(fusing_.lacking, request.pattern) != fusing_.lacking.end();
  return fusing_.planned && !lacks && shape.batch >= fusing_.leastBatch && request.type == NumberType::float16 &&
         fusesConvolution(shape.input, shape.output, shape.rows, shape.columns);
}

std::int64_t HostConvolutions::prepare(const PlanRequest& request) {
  if (!has(request)) throw Error("the host has no such convolution");
  return 1000;
}

void HostConvolutions::run(const PlanRequest& request, const PlanMemory& memory, void* scratch) {
  std::memset(scratch, 0xFF, static_cast<std::size_t>(prepare(request)));
  HostOps::withType(request.type, [&](auto type) { HostPlan<decltype(type)>(request, memory).run(request.pattern); });
}

void multiplyColumnMajor(const ColumnMajorProduct& product, const Operands& of, float beta, float* result) {
  HostOps::withType(of.type, [&](auto type) {
    using Value = decltype(type);
    multiplyAs(product, static_cast<const Value*>(of.b), static_cast<const Value*>(of.a), beta, result);
  });
}

}  // namespace slipstream::test
