// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/check_training.h"

#include <array>
#include <cmath>
#include <span>

#include "engine/boost/algorithms.h"

namespace slipstream {
namespace {

constexpr StepNumbers stepNumbers{0.1F, 0.5F, 0.01F, 0.9F, 0.8F, 0.99F, 0.75F, 0.25F, 2.0F, 1e-3F};

void runVectors(KernelCheck& check, const VectorKernels& kernels) {
  const auto a = check.drawn(1);
  const auto b = check.drawn(2);
  const auto result = check.drawn(3);
  const std::array<const float*, 2> parts{a.data(), b.data()};
  const std::array<float*, 1> outputs{result.data()};
  kernels.sum(check.queue, parts, outputs, check.input.elements, 0.3F, true);
  check.results["sum"] = check.read(result);
  kernels.scale(check.queue, result, 0.7F);
  check.results["scale"] = check.read(result);
  kernels.subtract(check.queue, result, a);
  check.results["subtract"] = check.read(result);
  kernels.difference(check.queue, a, b, result);
  check.results["difference"] = check.read(result);
  kernels.copy(check.queue, a, result);
  check.results["copy"] = check.read(result);
  kernels.clear(check.queue, result);
  check.results["clear"] = check.read(result);
}

/// Of the optimizers that keep moments, or step by a sign. Without rows, of whose means a sign could depend on the last
/// bit.
void runMoments(KernelCheck& check, const OptimizerKernels& kernels) {
  const std::array<TensorSegment, 1> whole{{{0, check.input.elements, 0}}};
  const auto plan = kernels.plan(check.queue, whole);
  const auto gradients = check.drawn(1);
  const auto first = check.drawn(2);
  std::vector<float> squares = checkValues(check.input, 4);
  for (float& value : squares) value = std::abs(value);
  const auto second = check.vectorOf<float>(squares);
  const auto weights = check.drawn(3);
  FlatStep step{StepForm::adam, weights.data(), gradients.data(), first.data(), std::span(&stepNumbers, 1)};
  step.secondMoment = second.data();
  kernels.step(check.queue, *plan, step);
  check.results["adam step"] = check.read(weights);
  check.results["second moment"] = check.read(second);
  step.form = StepForm::sign;
  kernels.step(check.queue, *plan, step);
  check.results["sign step"] = check.read(weights);
  step = {StepForm::direction, gradients.data(), weights.data(), first.data(), std::span(&stepNumbers, 1)};
  step.secondMoment = second.data();
  kernels.step(check.queue, *plan, step);
  check.results["direction"] = check.read(gradients);
}

void runOptimizer(KernelCheck& check, const OptimizerKernels& kernels) {
  const auto gradients = check.drawn(1);
  const auto velocity = check.drawn(2);
  const auto weights = check.drawn(3);
  const std::size_t inRows = check.rows / 2 * check.columns;
  const std::array<TensorSegment, 2> parts{{{0, inRows, 0, check.columns}, {inRows, check.input.elements - inRows, 0}}};
  const auto plan = kernels.plan(check.queue, parts);
  FlatStep step{StepForm::plain, weights.data(), gradients.data(), velocity.data(), std::span(&stepNumbers, 1)};
  kernels.step(check.queue, *plan, step);
  check.results["plain step"] = check.read(weights);
  step.form = StepForm::momentum;
  kernels.step(check.queue, *plan, step);
  check.results["momentum step"] = check.read(weights);
  step.form = StepForm::nesterov;
  kernels.step(check.queue, *plan, step);
  check.results["nesterov step"] = check.read(weights);
  runMoments(check, kernels);
}

/// Without rows, so that a copy in half the bits is not of a weight whose last bit differs.
void runCopies(KernelCheck& check, const OptimizerKernels& kernels) {
  const std::array<TensorSegment, 1> whole{{{0, check.input.elements, 0}}};
  const auto plan = kernels.plan(check.queue, whole);
  const auto gradients = check.drawn(1);
  const auto weights = check.drawn(2);
  const auto copy = check.drawn(3);
  FlatStep step{StepForm::plain, weights.data(), gradients.data(), nullptr, std::span(&stepNumbers, 1)};
  step.copy = reinterpret_cast<std::uint16_t*>(copy.data());
  step.copyType = WeightCopy::float16;
  kernels.step(check.queue, *plan, step);
  check.results["weights in float16"] = check.readHalves<Float16>(copy);
  step.copyType = WeightCopy::bfloat16;
  kernels.step(check.queue, *plan, step);
  check.results["weights in bfloat16"] = check.readHalves<Bfloat16>(copy);
}

/// Of parts that begin elsewhere in the other vectors than among the weights.
void runShifted(KernelCheck& check, const OptimizerKernels& kernels) {
  const std::array<StepNumbers, 2> ofParts{stepNumbers, stepNumbers};
  const std::size_t quarter = check.input.elements / 4;
  const std::size_t second = quarter + check.input.elements % 4;
  const std::array<TensorSegment, 2> parts{{{0, quarter, 0}, {second, quarter, 1}}};
  const auto plan = kernels.plan(check.queue, parts);
  const auto shift = [](std::size_t elements) { return static_cast<std::ptrdiff_t>(elements); };
  const std::array<SegmentShift, 2> shifts{
      {{shift(quarter / 2), shift(quarter)}, {shift(check.input.elements - quarter - second), -shift(second)}}};
  const auto gradients = check.drawn(1);
  const auto velocity = check.drawn(2);
  const auto weights = check.drawn(3);
  FlatStep step{StepForm::nesterov, weights.data(), gradients.data(), velocity.data(), ofParts};
  step.shifts = shifts;
  kernels.step(check.queue, *plan, step);
  check.results["weights of shifted parts"] = check.read(weights);
  check.results["velocity of shifted parts"] = check.read(velocity);
}

}  // namespace

CheckResults trainingResults(Device& device, const KernelTables& tables, const CheckInput& input) {
  KernelCheck check(device, tables, input);
  if (const auto* kernels = tables.find<VectorKernels>()) runVectors(check, *kernels);
  if (const auto* kernels = tables.find<OptimizerKernels>()) {
    runOptimizer(check, *kernels);
    runCopies(check, *kernels);
    runShifted(check, *kernels);
  }
  checkAlgorithms<Algorithms>(check);
  return std::move(check.results);
}

}  // namespace slipstream
