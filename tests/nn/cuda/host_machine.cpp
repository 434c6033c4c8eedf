#include "tests/nn/cuda/host_machine.h"

#include <cstring>

#include "engine/base/error.h"

namespace slipstream::test {
namespace {

template <class Value>
Value* find(const std::vector<std::pair<PlanTensor, const void*>>& memory, PlanTensor tensor) {
  for (const auto& [name, place] : memory) {
    if (name == tensor) return static_cast<Value*>(const_cast<void*>(place));
  }
  throw Error("a convolution was run without one of its tensors");
}

/// Calls `each(output element, weight element, input element)` for all that belong together.
template <class Each>
void visit(const ConvolutionShape& shape, const Each& each) {
  const auto& in = shape.input;
  const auto& out = shape.output;
  for (std::int64_t sample = 0; sample < shape.batch; ++sample)
    for (std::int64_t y = 0; y < out.height; ++y)
      for (std::int64_t x = 0; x < out.width; ++x)
        for (std::int64_t o = 0; o < out.channels; ++o)
          for (std::int64_t ky = 0; ky < shape.kernel; ++ky)
            for (std::int64_t kx = 0; kx < shape.kernel; ++kx)
              for (std::int64_t c = 0; c < in.channels; ++c) {
                const auto row = y * shape.stride - shape.rows.before + ky;
                const auto column = x * shape.stride - shape.columns.before + kx;
                if (row < 0 || row >= in.height || column < 0 || column >= in.width) continue;
                each(((sample * out.height + y) * out.width + x) * out.channels + o,
                     ((o * shape.kernel + ky) * shape.kernel + kx) * in.channels + c,
                     ((sample * in.height + row) * in.width + column) * in.channels + c);
              }
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
  void add(std::int64_t at, Value a, Value b) {
    sums_[static_cast<std::size_t>(at)] += static_cast<double>(toFloat(a)) * static_cast<double>(toFloat(b));
  }

 private:
  Value* result_;
  std::vector<double> sums_;
};

template <class Value>
void convolve(const PlanRequest& request, const std::vector<std::pair<PlanTensor, const void*>>& memory) {
  const auto at = [&](PlanTensor tensor) { return find<Value>(memory, tensor); };
  const auto& shape = request.shape;
  if (request.pattern == ConvolutionPattern::forward) {
    const Value* input = at(PlanTensor::input);
    const Value* weights = at(PlanTensor::weights);
    Sums<Value> output(at(PlanTensor::output), shape.batch * shape.output.elements());
    visit(shape, [&](auto o, auto w, auto i) { output.add(o, weights[w], input[i]); });
  } else if (request.pattern == ConvolutionPattern::inputGradient) {
    const Value* gradient = at(PlanTensor::outputGradient);
    const Value* weights = at(PlanTensor::weights);
    Sums<Value> result(at(PlanTensor::inputGradient), shape.batch * shape.input.elements());
    visit(shape, [&](auto o, auto w, auto i) { result.add(i, weights[w], gradient[o]); });
  } else if (request.pattern == ConvolutionPattern::weightGradient) {
    const Value* gradient = at(PlanTensor::outputGradient);
    const Value* input = at(PlanTensor::input);
    Sums<Value> result(at(PlanTensor::weightGradient),
                       shape.output.channels * shape.kernel * shape.kernel * shape.input.channels);
    visit(shape, [&](auto o, auto w, auto i) { result.add(w, gradient[o], input[i]); });
  } else {
    throw Error("the host has no such convolution");
  }
}

}  // namespace

void HostConvolutions::run(const PlanRequest& request, const std::vector<std::pair<PlanTensor, const void*>>& memory,
                           void* scratch) {
  std::memset(scratch, 0xFF, static_cast<std::size_t>(prepare(request)));
  HostMachine::withType(request.type, [&](auto type) { convolve<decltype(type)>(request, memory); });
}

void multiplyColumnMajor(const ColumnMajorProduct& product, const float* first, const float* second, float beta,
                         float* result) {
  const auto element = [](const ColumnMajor& matrix, const float* values, std::int64_t row, std::int64_t column) {
    if (matrix.transposed) std::swap(row, column);
    if (row >= matrix.rows || column >= matrix.columns) throw Error("a product reads beside its matrix");
    return static_cast<double>(values[column * matrix.stride + row]);
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

}  // namespace slipstream::test
