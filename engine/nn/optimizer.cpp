// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/optimizer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/spec/schedule.h"

namespace slipstream {
namespace {

/// Throws where MindSpore's constructors refuse the settings; experiment files are validated before.
void check(const OptimizerSpec& spec) {
  if (!(spec.momentum >= 0)) throw Error("the optimizer's momentum must not be negative");
  if (!(spec.dampening >= 0)) throw Error("the optimizer's dampening must not be negative");
  if (!(spec.weightDecay >= 0)) throw Error("the optimizer's weight decay must not be negative");
  if (!(spec.lossScale > 0)) throw Error("the optimizer's loss scale must be positive");
  if (spec.kind == OptimizerKind::sgd && spec.nesterov && (spec.momentum == 0 || spec.dampening != 0)) {
    throw Error("sgd with nesterov needs momentum and no dampening");
  }
}

/// Outside groups, Momentum does not decay batch norm's tensors (MindSpore's filter on names), SGD decays everything.
double ungroupedDecay(const OptimizerSpec& spec, const std::string& name) {
  if (spec.kind == OptimizerKind::sgd) return spec.weightDecay;
  const bool spared = name.find("beta") != std::string::npos || name.find("gamma") != std::string::npos;
  return spared ? 0.0 : spec.weightDecay;
}

}  // namespace

double weightDecayOf(const OptimizerSpec& spec, const std::string& tensor) {
  const ParameterGroupSpec* group = groupOf(spec, tensor);
  return group == nullptr ? ungroupedDecay(spec, tensor) : group->weightDecay.value_or(spec.weightDecay);
}

Optimizer::Optimizer(const OptimizerSpec& spec, const ParameterLayout& layout, Range owned, double stepsPerEpoch,
                     std::int64_t totalSteps, Device& device, const OptimizerKernels& kernels)
    : spec_(spec),
      layout_(layout),
      owned_(owned),
      stepsPerEpoch_(stepsPerEpoch),
      totalSteps_(totalSteps),
      queue_(device.queue()),
      kernels_(kernels) {
  check(spec);
  for (const auto& tensor : layout.tensors()) rules_.push_back(ruleFor(tensor.spec.name));
  if (spec.kind == OptimizerKind::sgd && spec.momentum == 0) return;
  velocity_ = device.allocate(static_cast<std::size_t>(owned.size()) * sizeof(float), MemoryCategory::optimizerState);
}

Optimizer::TensorRule Optimizer::ruleFor(const std::string& tensor) const {
  const ParameterGroupSpec* group = groupOf(spec_, tensor);
  if (group == nullptr || !group->schedule) return {weightDecayOf(spec_, tensor), 0};
  return {weightDecayOf(spec_, tensor), static_cast<std::size_t>(group - spec_.groups.data()) + 1};
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

void Optimizer::update(std::span<const SteppedRange> ranges, std::int64_t updatesDone) {
  std::vector<SteppedRange> stepped;
  for (const SteppedRange& one : ranges) {
    checkOwned(one);
    if (one.range.size() > 0) stepped.push_back(one);
  }
  if (stepped.empty()) return;
  const SteppedRange& first =
      *std::ranges::min_element(stepped, std::less<>(), [](const SteppedRange& one) { return one.weights.data(); });
  const std::vector<SegmentShift> shifts = shiftsOf(stepped, first);
  const std::vector<StepNumbers> numbers = numbersOf(stepped, updatesDone);
  kernels_.step(queue_, planOf(stepped, first),
                {.form = form(),
                 .weights = first.weights.data(),
                 .gradients = first.gradients.data(),
                 .velocity = velocityOf(first.range),
                 .numbers = numbers,
                 .shifts = shifts});
}

double Optimizer::rateOf(std::size_t schedule, std::int64_t updatesDone) const {
  const auto& chosen = schedule == 0 ? spec_.schedule : *spec_.groups[schedule - 1].schedule;
  return learningRate(chosen, updatesDone, stepsPerEpoch_, totalSteps_);
}

StepNumbers Optimizer::numbersFor(const TensorRule& rule, std::int64_t updatesDone) const {
  const bool dampened = spec_.kind == OptimizerKind::sgd && updatesDone > 0;
  return {static_cast<float>(rateOf(rule.schedule, updatesDone)), static_cast<float>(1.0 / spec_.lossScale),
          static_cast<float>(rule.weightDecay), static_cast<float>(spec_.momentum),
          static_cast<float>(dampened ? 1.0 - spec_.dampening : 1.0)};
}

StepForm Optimizer::form() const {
  if (!velocity_) return StepForm::plain;
  return spec_.nesterov ? StepForm::nesterov : StepForm::momentum;
}

float* Optimizer::velocityOf(Range range) {
  return velocity_ ? velocity_->as<float>().data() + (range.begin - owned_.begin) : nullptr;
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

std::vector<StepNumbers> Optimizer::numbersOf(std::span<const SteppedRange> ranges, std::int64_t updatesDone) const {
  std::vector<StepNumbers> numbers;
  forParts(ranges, [&](const SteppedRange&, std::size_t tensor, Range) {
    numbers.push_back(numbersFor(rules_[tensor], updatesDone));
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
