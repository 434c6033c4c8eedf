// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/check_training.h"

#include <array>
#include <memory>
#include <span>

#include "engine/base/random.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/loss_scale/kernels.h"

namespace slipstream {
namespace {

constexpr std::size_t rows = 7;
constexpr std::size_t columns = 1'003;  // odd: every tail is used
constexpr std::size_t modelElements = rows * columns;

using Results = std::map<std::string, std::vector<double>>;

/// Vectors of one device, with the same values on every device.
class Vectors {
 public:
  explicit Vectors(Device& device) : device_(device) {}

  std::span<float> make(std::uint64_t seed) {
    Random random(seed, RandomStream::test);
    std::vector<float> values;
    for (std::size_t i = 0; i < modelElements; ++i) values.push_back(static_cast<float>(random.uniform(-1, 1)));
    buffers_.push_back(device_.allocate(modelElements * sizeof(float), MemoryCategory::boost));
    device_.copyIn(buffers_.back()->bytes(), std::as_bytes(std::span(values)));
    return buffers_.back()->as<float>();
  }

  std::vector<double> read(std::span<float> vector) {
    std::vector<float> values(vector.size());
    device_.synchronize();
    device_.copyOut(std::as_writable_bytes(std::span(values)), std::as_bytes(vector));
    return {values.begin(), values.end()};
  }

 private:
  Device& device_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
};

void runVectors(DeviceQueue& queue, Vectors& vectors, const VectorKernels& kernels, Results& results) {
  const auto a = vectors.make(1);
  const auto b = vectors.make(2);
  const auto result = vectors.make(3);
  const std::array<const float*, 2> parts{a.data(), b.data()};
  const std::array<float*, 1> outputs{result.data()};
  kernels.sum(queue, parts, outputs, modelElements, 0.3F, true);
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
  const StepNumbers numbers{0.1F, 0.5F, 0.01F, 0.9F, 0.8F};
  const auto gradients = vectors.make(1);
  const auto velocity = vectors.make(2);
  const auto weights = vectors.make(3);
  const std::array<TensorSegment, 2> parts{
      {{0, 3 * columns, 0, columns}, {3 * columns, modelElements - 3 * columns, 0}}};
  const auto plan = kernels.plan(queue, parts);
  FlatStep step{StepForm::plain, weights.data(), gradients.data(), velocity.data(), std::span(&numbers, 1)};
  kernels.step(queue, *plan, step);
  results["plain step"] = vectors.read(weights);
  step.form = StepForm::momentum;
  kernels.step(queue, *plan, step);
  results["momentum step"] = vectors.read(weights);
  step.form = StepForm::nesterov;
  kernels.step(queue, *plan, step);
  results["nesterov step"] = vectors.read(weights);
}

void runDimReduce(DeviceQueue& queue, Vectors& vectors, const DimReduceKernels& kernels, Results& results) {
  const auto matrix = vectors.make(1);
  const auto vector = vectors.make(2).first(columns);
  const auto result = vectors.make(3).first(columns);
  const DeviceRows matrixRows{matrix.data(), rows, columns};
  std::vector<double> coefficients(rows);
  kernels.project(queue, matrixRows, vector.data(), columns, coefficients.data());
  results["project"] = coefficients;
  kernels.moveAlong(queue, vector.data(), 0.5F, matrix.data(), result.data(), columns);
  results["move along"] = vectors.read(result);
  kernels.residualStep(queue, 0.9F, vector.data(), matrix.data(), result.data(), columns);
  results["residual step"] = vectors.read(result);
  kernels.backProject(queue, matrixRows, std::vector<double>(rows, 0.25).data(), result.data(), columns);
  results["back-project"] = vectors.read(result);
}

}  // namespace

Results trainingResults(Device& device, const KernelTables& tables) {
  Vectors vectors(device);
  DeviceQueue& queue = device.queue();
  Results results;
  if (const auto* kernels = tables.find<VectorKernels>()) runVectors(queue, vectors, *kernels, results);
  if (const auto* kernels = tables.find<OptimizerKernels>()) runOptimizer(queue, vectors, *kernels, results);
  if (const auto* kernels = tables.find<DimReduceKernels>()) runDimReduce(queue, vectors, *kernels, results);
  if (const auto* kernels = tables.find<LossScaleKernels>()) {
    const auto gradient = vectors.make(1);
    const auto overflowed = vectors.make(2).first(1);
    kernels->unscale(queue, gradient.data(), modelElements, 3.0, 1e-3F, overflowed.data());
    results["unscale"] = vectors.read(gradient);
    results["unscale"].push_back(vectors.read(overflowed).front());
  }
  if (const auto* kernels = tables.find<GradCentralizationKernels>()) {
    const auto gradient = vectors.make(1);
    const auto sums = device.allocate(rows * sizeof(double), MemoryCategory::boost);
    const RowsSegment part{columns / 2, rows * columns - columns / 2, columns};  // begins inside a row
    kernels->sumRows(queue, gradient.data(), vectors.make(2).data(), 0.5, part, sums->as<double>().data());
    kernels->subtractMeans(queue, gradient.data(), part, sums->as<double>().data());
    results["subtract row means"] = vectors.read(gradient);
  }
  return results;
}

}  // namespace slipstream
