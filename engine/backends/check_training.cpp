// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/check_training.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>
#include <span>

#include "engine/base/number_type.h"
#include "engine/base/random.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/loss_scale/kernels.h"

namespace slipstream {
namespace {

constexpr StepNumbers stepNumbers{0.1F, 0.5F, 0.01F, 0.9F, 0.8F};

using Results = std::map<std::string, std::vector<double>>;

/// Vectors of one device, with the same values on every device.
class Vectors {
 public:
  Vectors(Device& device, const CheckInput& input)
      : elements(input.elements),
        rows(std::min<std::size_t>(7, elements)),
        columns(elements / rows),
        device_(device),
        input_(input) {}

  std::span<float> make(std::uint64_t seed, float size = 1) {
    std::vector<float> values(input_.offset);
    std::ranges::copy(checkValues(input_, seed, size), std::back_inserter(values));
    buffers_.push_back(device_.allocate(values.size() * sizeof(float), MemoryCategory::boost));
    device_.copyIn(buffers_.back()->bytes(), std::as_bytes(std::span(values)));
    return buffers_.back()->as<float>().subspan(input_.offset);
  }

  /// `T`: what the vector holds, in as many bytes or fewer.
  template <class T = float>
  std::vector<double> read(std::span<float> vector) {
    std::vector<T> values(vector.size());
    device_.synchronize();
    device_.copyOut(std::as_writable_bytes(std::span(values)), std::as_bytes(vector).first(values.size() * sizeof(T)));
    std::vector<double> read(values.size());
    std::ranges::transform(values, read.begin(), [](T value) { return static_cast<double>(toFloat(value)); });
    return read;
  }

  const std::size_t elements;
  /// Of what is taken for a matrix.
  const std::size_t rows;
  const std::size_t columns;

 private:
  Device& device_;
  CheckInput input_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
};

void runVectors(DeviceQueue& queue, Vectors& vectors, const VectorKernels& kernels, Results& results) {
  const auto a = vectors.make(1);
  const auto b = vectors.make(2);
  const auto result = vectors.make(3);
  const std::array<const float*, 2> parts{a.data(), b.data()};
  const std::array<float*, 1> outputs{result.data()};
  kernels.sum(queue, parts, outputs, vectors.elements, 0.3F, true);
  results["sum"] = vectors.read(result);
  kernels.scale(queue, result, 0.7F);
  results["scale"] = vectors.read(result);
  kernels.subtract(queue, result, a);
  results["subtract"] = vectors.read(result);
  kernels.difference(queue, a, b, result);
  results["difference"] = vectors.read(result);
  kernels.copy(queue, a, result);
  results["copy"] = vectors.read(result);
  kernels.clear(queue, result);
  results["clear"] = vectors.read(result);
}

void runOptimizer(DeviceQueue& queue, Vectors& vectors, const OptimizerKernels& kernels, Results& results) {
  const auto gradients = vectors.make(1);
  const auto velocity = vectors.make(2);
  const auto weights = vectors.make(3);
  const std::size_t inRows = vectors.rows / 2 * vectors.columns;
  const std::array<TensorSegment, 2> parts{{{0, inRows, 0, vectors.columns}, {inRows, vectors.elements - inRows, 0}}};
  const auto plan = kernels.plan(queue, parts);
  FlatStep step{StepForm::plain, weights.data(), gradients.data(), velocity.data(), std::span(&stepNumbers, 1)};
  kernels.step(queue, *plan, step);
  results["plain step"] = vectors.read(weights);
  step.form = StepForm::momentum;
  kernels.step(queue, *plan, step);
  results["momentum step"] = vectors.read(weights);
  step.form = StepForm::nesterov;
  kernels.step(queue, *plan, step);
  results["nesterov step"] = vectors.read(weights);
}

/// Without rows, so that a copy in half the bits is not of a weight whose last bit differs.
void runCopies(DeviceQueue& queue, Vectors& vectors, const OptimizerKernels& kernels, Results& results) {
  const std::array<TensorSegment, 1> whole{{{0, vectors.elements, 0}}};
  const auto plan = kernels.plan(queue, whole);
  const auto gradients = vectors.make(1);
  const auto weights = vectors.make(2);
  const auto copy = vectors.make(3);
  FlatStep step{StepForm::plain, weights.data(), gradients.data(), nullptr, std::span(&stepNumbers, 1)};
  step.copy = reinterpret_cast<std::uint16_t*>(copy.data());
  step.copyType = WeightCopy::float16;
  kernels.step(queue, *plan, step);
  results["weights in float16"] = vectors.read<Float16>(copy);
  step.copyType = WeightCopy::bfloat16;
  kernels.step(queue, *plan, step);
  results["weights in bfloat16"] = vectors.read<Bfloat16>(copy);
}

/// Of parts that begin elsewhere in the other vectors than among the weights.
void runShifted(DeviceQueue& queue, Vectors& vectors, const OptimizerKernels& kernels, Results& results) {
  const std::array<StepNumbers, 2> ofParts{stepNumbers, stepNumbers};
  const std::size_t quarter = vectors.elements / 4;
  const std::size_t second = quarter + vectors.elements % 4;
  const std::array<TensorSegment, 2> parts{{{0, quarter, 0}, {second, quarter, 1}}};
  const auto plan = kernels.plan(queue, parts);
  const auto shift = [](std::size_t elements) { return static_cast<std::ptrdiff_t>(elements); };
  const std::array<SegmentShift, 2> shifts{
      {{shift(quarter / 2), shift(quarter)}, {shift(vectors.elements - quarter - second), -shift(second)}}};
  const auto gradients = vectors.make(1);
  const auto velocity = vectors.make(2);
  const auto weights = vectors.make(3);
  FlatStep step{StepForm::nesterov, weights.data(), gradients.data(), velocity.data(), ofParts};
  step.shifts = shifts;
  kernels.step(queue, *plan, step);
  results["weights of shifted parts"] = vectors.read(weights);
  results["velocity of shifted parts"] = vectors.read(velocity);
}

/// For a device without a kernel for it, whose rows the host's own arithmetic multiplies in its memory.
void addCentredGramOnHost(DeviceQueue&, DeviceRows of, std::size_t count, double* gram) {
  for (std::size_t column = 0; column < count; ++column) {
    const auto at = [&](std::size_t row) { return static_cast<double>(of.values[row * of.stride + column]); };
    double sum = 0;
    for (std::size_t row = 0; row < of.count; ++row) sum += at(row);
    const double mean = sum / static_cast<double>(of.count);
    for (std::size_t i = 0; i < of.count; ++i) {
      for (std::size_t j = 0; j < of.count; ++j) gram[i * of.count + j] += (at(i) - mean) * (at(j) - mean);
    }
  }
}

std::vector<double> centredGram(DeviceQueue& queue, const DimReduceKernels& kernels, const DeviceRows& matrix) {
  const auto add = kernels.addCentredGram != nullptr ? kernels.addCentredGram : addCentredGramOnHost;
  std::vector<double> gram(matrix.count * matrix.count, 1.0);
  add(queue, matrix, matrix.stride, gram.data());
  return gram;
}

void runDimReduce(DeviceQueue& queue, Vectors& vectors, const DimReduceKernels& kernels, Results& results) {
  const std::size_t columns = vectors.columns;
  const auto matrix = vectors.make(1);
  const auto vector = vectors.make(2).first(columns);
  const auto result = vectors.make(3).first(columns);
  const DeviceRows matrixRows{matrix.data(), vectors.rows, columns};
  std::vector<double> coefficients(vectors.rows);
  kernels.project(queue, matrixRows, vector.data(), columns, coefficients.data());
  results["project"] = coefficients;
  kernels.moveAlong(queue, vector.data(), 0.5F, matrix.data(), result.data(), columns);
  results["move along"] = vectors.read(result);
  kernels.residualStep(queue, 0.9F, vector.data(), matrix.data(), result.data(), columns);
  results["residual step"] = vectors.read(result);
  kernels.backProject(queue, matrixRows, std::vector<double>(vectors.rows, 0.25).data(), result.data(), columns);
  results["back-project"] = vectors.read(result);
  results["centred gram"] = centredGram(queue, kernels, matrixRows);
  const DeviceRows large{vectors.make(4, 1e30F).data(), vectors.rows, columns};
  results["centred gram beyond floats"] = centredGram(queue, kernels, large);
}

/// Every call finds "no overflow", so that a kernel which never says otherwise is seen, and one that always does.
void runLossScale(DeviceQueue& queue, Vectors& vectors, const LossScaleKernels& kernels, Results& results) {
  struct Case {
    const char* name;
    float size;
    double scale;
    float limit;
  };
  static constexpr std::array<Case, 4> cases{{{"unscale", 1, 3.0, 1e-3F},
                                              {"unscale, no overflow", 1, 3.0, 1},
                                              {"unscale by 2^200", 0x1p120F, 0x1p200, 0x1p-90F},
                                              {"unscale by 2^200, no overflow", 0x1p120F, 0x1p200, 0x1p-79F}}};
  for (const Case& of : cases) {
    const auto gradient = vectors.make(1, of.size);
    const auto overflowed = vectors.make(2, 0).first(1);
    kernels.unscale(queue, gradient.data(), vectors.elements, of.scale, of.limit, overflowed.data());
    results[of.name] = vectors.read(gradient);
    results["overflows"].push_back(vectors.read(overflowed).front());
  }
}

/// The part begins inside a row.
void runGradCentralization(Device& device, Vectors& vectors, const GradCentralizationKernels& kernels,
                           Results& results) {
  const auto gradient = vectors.make(1);
  const std::size_t before = vectors.columns / 2;
  const RowsSegment part{before, vectors.rows * vectors.columns - before, vectors.columns};
  const auto sums = device.allocate(vectors.rows * sizeof(double), MemoryCategory::boost);
  kernels.sumRows(device.queue(), gradient.data(), vectors.make(2).data(), 0.5, part, sums->as<double>().data());
  kernels.subtractMeans(device.queue(), gradient.data(), part, sums->as<double>().data());
  results["subtract row means"] = vectors.read(gradient);
}

/// Each once, at places that are drawn.
void plantAwkward(std::vector<float>& values, std::uint64_t seed) {
  using Limits = std::numeric_limits<float>;
  constexpr std::array<float, 7> awkward{Limits::infinity(),   -Limits::infinity(), Limits::quiet_NaN(), -0.0F, 0.0F,
                                         Limits::denorm_min(), Limits::min() / 3};
  if (values.size() < awkward.size()) return;
  Random random(seed, RandomStream::test, values.size());
  for (const float value : awkward) values[random.below(values.size())] = value;
}

}  // namespace

std::vector<CheckInput> checkInputs() {
  constexpr std::size_t most = CheckInput{}.elements;
  std::vector<CheckInput> inputs{{}, {1, 1}, {2, 3}};
  Random random(most, RandomStream::test);
  for (const std::size_t below : {std::size_t{100}, std::size_t{5000}, most, most}) {
    inputs.push_back({1 + random.below(below), 1 + random.below(3), true});
  }
  return inputs;
}

std::vector<float> checkValues(const CheckInput& input, std::uint64_t seed, float size) {
  Random random(seed, RandomStream::test);
  std::vector<float> values;
  for (std::size_t i = 0; i < input.elements; ++i) values.push_back(size * static_cast<float>(random.uniform(-1, 1)));
  if (input.awkward) plantAwkward(values, seed);
  return values;
}

Results trainingResults(Device& device, const KernelTables& tables, const CheckInput& input) {
  Vectors vectors(device, input);
  DeviceQueue& queue = device.queue();
  Results results;
  if (const auto* kernels = tables.find<VectorKernels>()) runVectors(queue, vectors, *kernels, results);
  if (const auto* kernels = tables.find<OptimizerKernels>()) {
    runOptimizer(queue, vectors, *kernels, results);
    runCopies(queue, vectors, *kernels, results);
    runShifted(queue, vectors, *kernels, results);
  }
  if (const auto* kernels = tables.find<DimReduceKernels>()) runDimReduce(queue, vectors, *kernels, results);
  if (const auto* kernels = tables.find<LossScaleKernels>()) runLossScale(queue, vectors, *kernels, results);
  if (const auto* kernels = tables.find<GradCentralizationKernels>()) {
    runGradCentralization(device, vectors, *kernels, results);
  }
  return results;
}

}  // namespace slipstream
