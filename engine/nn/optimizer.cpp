// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/optimizer.h"

#include <algorithm>
#include <functional>

#include "engine/base/error.h"
#include "engine/spec/schedule.h"

namespace slipstream {

Optimizer::Optimizer(const OptimizerSpec& spec, const ParameterLayout& layout, Range owned, double stepsPerEpoch,
                     std::int64_t totalSteps, Device& device, const OptimizerKernels& kernels)
    : spec_(spec),
      layout_(layout),
      owned_(owned),
      stepsPerEpoch_(stepsPerEpoch),
      totalSteps_(totalSteps),
      queue_(device.queue()),
      kernels_(kernels) {
  checkOptimizerSpec(spec);
  for (const auto& tensor : layout.tensors()) rules_.push_back(ruleFor(tensor.spec));
  for (std::size_t k = 0; k < stateNames(spec).size(); ++k) {
    states_.push_back(
        device.allocate(static_cast<std::size_t>(owned.size()) * sizeof(float), MemoryCategory::optimizerState));
  }
  if (infoOf(spec.kind).correctsBias) counts_.resize(layout.tensors().size());
}

Optimizer::TensorRule Optimizer::ruleFor(const TensorSpec& tensor) const {
  const ParameterGroupSpec* group = groupOf(spec_, tensor.name);
  const bool scheduled = group != nullptr && group->schedule;
  // As the authors of LARS and LAMB leave out biases and batch norms, whose norms say nothing about a good step.
  const bool usesTrustRatio = infoOf(spec_.kind).trust != TrustRatio::none && tensor.shape.size() > 1;
  return {weightDecayOf(spec_, tensor.name), scheduled ? static_cast<std::size_t>(group - spec_.groups.data()) + 1 : 0,
          usesTrustRatio};
}

/// Calls use(tensor, part of it that lies in the range).
template <class Use>
void Optimizer::forTensors(Range range, Use&& use) const {
  auto tensor = static_cast<std::size_t>(layout_.tensorAt(range.begin));
  for (auto begin = range.begin; begin < range.end; ++tensor) {
    const auto end = std::min(range.end, layout_.tensors()[tensor].range.end);
    if (end > begin) use(tensor, Range{begin, end});
    begin = end;
  }
}

/// Calls use(the range it is of, tensor, part of it that lies there) for the parts of a step, in order.
template <class Use>
void Optimizer::forParts(std::span<const SteppedRange> ranges, Use&& use) const {
  for (const SteppedRange& one : ranges) {
    forTensors(one.range, [&](std::size_t tensor, Range part) { use(one, tensor, part); });
  }
}

void Optimizer::update(std::span<const SteppedRange> ranges, std::int64_t updatesDone, const StepScaling& scaling) {
  if (infoOf(spec_.kind).trust != TrustRatio::ofDirection) count(ranges);
  step(ranges, stepFormOf(spec_), stepNumbersOf, updatesDone, scaling);
}

void Optimizer::computeDirections(std::span<const SteppedRange> ranges, std::span<const std::span<float>> gradients,
                                  std::int64_t updatesDone, const StepScaling& scaling) {
  count(ranges);
  std::vector<SteppedRange> swapped;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    swapped.push_back({ranges[k].range, gradients[k], ranges[k].weights});
  }
  step(swapped, StepForm::direction, directionNumbersOf, updatesDone, scaling);
}

void Optimizer::count(std::span<const SteppedRange> ranges) {
  if (counts_.empty()) return;
  for (const SteppedRange& one : ranges) {
    if (one.range.begin >= owned_.end) continue;
    auto tensor = static_cast<std::size_t>(layout_.tensorAt(one.range.begin));
    do {
      const Range whole = layout_.tensors()[tensor].range;
      if (std::max(whole.begin, owned_.begin) >= one.range.begin) ++counts_[tensor];
    } while (++tensor < counts_.size() && layout_.tensors()[tensor].range.begin < one.range.end);
  }
}

void Optimizer::step(std::span<const SteppedRange> ranges, StepForm form, MakeNumbers make, std::int64_t updatesDone,
                     const StepScaling& scaling) {
  std::vector<SteppedRange> stepped;
  for (const SteppedRange& one : ranges) {
    checkOwned(one);
    if (one.range.size() > 0) stepped.push_back(one);
  }
  if (stepped.empty()) return;
  const SteppedRange& first =
      *std::ranges::min_element(stepped, std::less<>(), [](const SteppedRange& one) { return one.weights.data(); });
  const std::vector<SegmentShift> shifts = shiftsOf(stepped, first);
  const std::vector<StepNumbers> numbers = numbersOf(stepped, make, updatesDone, scaling);
  kernels_.step(queue_, planOf(stepped, first),
                {.form = form,
                 .weights = first.weights.data(),
                 .gradients = first.gradients.data(),
                 .velocity = statesOf(form) > 0 ? stateOf(0, first.range) : nullptr,
                 .numbers = numbers,
                 .shifts = shifts,
                 .secondMoment = statesOf(form) > 1 ? stateOf(1, first.range) : nullptr});
}

double Optimizer::rateOf(std::size_t schedule, std::int64_t updatesDone) const {
  const auto& chosen = schedule == 0 ? spec_.schedule : *spec_.groups[schedule - 1].schedule;
  return learningRate(chosen, updatesDone, stepsPerEpoch_, totalSteps_);
}

StepInput Optimizer::inputOf(std::size_t tensor, std::int64_t updatesDone, const StepScaling& scaling) const {
  const TensorRule& rule = rules_[tensor];
  return {.rate = rateOf(rule.schedule, updatesDone),
          .gradientFactor = scaling.gradients / spec_.lossScale,
          .weightDecay = rule.weightDecay,
          .trust = scaling.trust.empty() ? 1 : scaling.trust[tensor],
          .updates = counts_.empty() ? 0 : static_cast<std::int64_t>(counts_[tensor]),
          .runUpdates = updatesDone};
}

float* Optimizer::stateOf(std::size_t which, Range range) {
  return states_[which]->as<float>().data() + (range.begin - owned_.begin);
}

void Optimizer::checkOwned(const SteppedRange& one) const {
  const Range range = one.range;
  if (range.size() == 0) return;
  if (range.begin < owned_.begin || range.end > owned_.end) throw Error("an update outside the optimizer's range");
  if (std::ssize(one.weights) != range.size() || std::ssize(one.gradients) != range.size()) {
    throw Error("an update needs as many weights and gradients as its range has elements");
  }
}

const SegmentPlan& Optimizer::planOf(std::span<const SteppedRange> ranges, const SteppedRange& first) {
  std::vector<std::int64_t> key;
  for (const SteppedRange& one : ranges) {
    key.insert(key.end(), {one.range.begin, one.range.end, one.weights.data() - first.weights.data()});
  }
  auto& plan = plans_[key];
  if (plan) return *plan;
  std::vector<TensorSegment> parts;
  forParts(ranges, [&](const SteppedRange& of, std::size_t, Range part) {
    const std::int64_t start = of.weights.data() - first.weights.data() + part.begin - of.range.begin;
    parts.push_back({static_cast<std::size_t>(start), static_cast<std::size_t>(part.size()), parts.size()});
  });
  plan = kernels_.plan(queue_, parts);
  return *plan;
}

std::vector<StepNumbers> Optimizer::numbersOf(std::span<const SteppedRange> ranges, MakeNumbers make,
                                              std::int64_t updatesDone, const StepScaling& scaling) const {
  std::vector<StepNumbers> numbers;
  forParts(ranges, [&](const SteppedRange&, std::size_t tensor, Range) {
    numbers.push_back(make(spec_, inputOf(tensor, updatesDone, scaling)));
  });
  return numbers;
}

std::vector<SegmentShift> Optimizer::shiftsOf(std::span<const SteppedRange> ranges, const SteppedRange& first) const {
  std::vector<SegmentShift> shifts;
  forParts(ranges, [&](const SteppedRange& of, std::size_t, Range) {
    const std::ptrdiff_t further = of.weights.data() - first.weights.data();
    shifts.push_back(
        {of.gradients.data() - first.gradients.data() - further, of.range.begin - first.range.begin - further});
  });
  const auto isNone = [](const SegmentShift& shift) { return shift.gradients == 0 && shift.velocity == 0; };
  return std::ranges::all_of(shifts, isNone) ? std::vector<SegmentShift>{} : shifts;
}

}  // namespace slipstream
