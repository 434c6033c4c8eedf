#include "engine/nn/optimizer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/plan/schedule.h"

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

/// What one tensor is updated with.
struct TensorRule {
  double weightDecay;
  std::size_t schedule;  ///< index into the schedules; 0 is the optimizer's own
};

/// Outside groups, Momentum does not decay batch norm's tensors (MindSpore's filter on names), SGD decays everything.
double ungroupedDecay(const OptimizerSpec& spec, const std::string& name) {
  if (spec.kind == OptimizerKind::sgd) return spec.weightDecay;
  const bool spared = name.find("beta") != std::string::npos || name.find("gamma") != std::string::npos;
  return spared ? 0.0 : spec.weightDecay;
}

TensorRule ruleFor(const OptimizerSpec& spec, const std::string& name) {
  const ParameterGroupSpec* group = groupOf(spec, name);
  if (group == nullptr || !group->schedule) return {weightDecayOf(spec, name), 0};
  return {weightDecayOf(spec, name), static_cast<std::size_t>(group - spec.groups.data()) + 1};
}

class MomentumOptimizer final : public Optimizer {
 public:
  MomentumOptimizer(const OptimizerSpec& spec, const ParameterLayout& layout, Range owned, double stepsPerEpoch,
                    std::int64_t totalSteps, Device& device, const OptimizerKernels& kernels)
      : spec_(spec),
        layout_(layout),
        owned_(owned),
        stepsPerEpoch_(stepsPerEpoch),
        totalSteps_(totalSteps),
        kernels_(kernels) {
    check(spec);
    for (const auto& tensor : layout.tensors()) rules_.push_back(ruleFor(spec, tensor.spec.name));
    if (spec.kind == OptimizerKind::sgd && spec.momentum == 0) return;
    velocity_ = device.allocate(static_cast<std::size_t>(owned.size()) * sizeof(float), MemoryCategory::optimizerState);
  }

  void update(Range range, std::span<float> weights, std::span<const float> gradients,
              std::int64_t updatesDone) override {
    if (range.size() == 0) return;
    if (range.begin < owned_.begin || range.end > owned_.end) throw Error("an update outside the optimizer's range");
    if (std::ssize(weights) != range.size() || std::ssize(gradients) != range.size()) {
      throw Error("an update needs as many weights and gradients as its range has elements");
    }
    const PartPlan& plan = planOf(range);
    const std::vector<StepNumbers> numbers = numbersOf(range, updatesDone);
    kernels_.step(plan, {form(), weights.data(), gradients.data(), velocityOf(range), numbers});
  }

  double learningRateAt(std::int64_t updatesDone) const override { return rateOf(0, updatesDone); }

  std::span<float> state() override { return velocity_ ? velocity_->as<float>() : std::span<float>{}; }

 private:
  double rateOf(std::size_t schedule, std::int64_t updatesDone) const {
    const auto& chosen = schedule == 0 ? spec_.schedule : *spec_.groups[schedule - 1].schedule;
    return learningRate(chosen, updatesDone, stepsPerEpoch_, totalSteps_);
  }

  StepNumbers numbersFor(const TensorRule& rule, std::int64_t updatesDone) const {
    const bool dampened = spec_.kind == OptimizerKind::sgd && updatesDone > 0;
    return {static_cast<float>(rateOf(rule.schedule, updatesDone)), static_cast<float>(1.0 / spec_.lossScale),
            static_cast<float>(rule.weightDecay), static_cast<float>(spec_.momentum),
            static_cast<float>(dampened ? 1.0 - spec_.dampening : 1.0)};
  }

  StepForm form() const {
    if (!velocity_) return StepForm::plain;
    return spec_.nesterov ? StepForm::nesterov : StepForm::momentum;
  }

  float* velocityOf(Range range) {
    return velocity_ ? velocity_->as<float>().data() + (range.begin - owned_.begin) : nullptr;
  }

  /// Calls use(tensor, part of it that lies in the range).
  template <class Use>
  void forTensors(Range range, Use&& use) const {
    auto tensor = static_cast<std::size_t>(layout_.tensorAt(range.begin));
    for (auto begin = range.begin; begin < range.end; ++tensor) {
      const auto end = std::min(range.end, layout_.tensors()[tensor].range.end);
      if (end > begin) use(tensor, Range{begin, end});
      begin = end;
    }
  }

  /// Kept: a run asks for few ranges, and for each of them at every step.
  const PartPlan& planOf(Range range) {
    auto& plan = plans_[{range.begin, range.end}];
    if (plan) return *plan;
    std::vector<TensorPart> parts;
    forTensors(range, [&](std::size_t, Range part) {
      parts.push_back(
          {static_cast<std::size_t>(part.begin - range.begin), static_cast<std::size_t>(part.size()), parts.size()});
    });
    plan = kernels_.plan(parts);
    return *plan;
  }

  /// One a part.
  std::vector<StepNumbers> numbersOf(Range range, std::int64_t updatesDone) const {
    std::vector<StepNumbers> numbers;
    forTensors(range, [&](std::size_t tensor, Range) { numbers.push_back(numbersFor(rules_[tensor], updatesDone)); });
    return numbers;
  }

  OptimizerSpec spec_;
  const ParameterLayout& layout_;
  Range owned_;
  double stepsPerEpoch_;
  std::int64_t totalSteps_;
  const OptimizerKernels& kernels_;
  std::vector<TensorRule> rules_;  ///< one a tensor, in layout order
  std::unique_ptr<Buffer> velocity_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<PartPlan>> plans_;  ///< by begin and end
};

}  // namespace

double weightDecayOf(const OptimizerSpec& spec, const std::string& tensor) {
  const ParameterGroupSpec* group = groupOf(spec, tensor);
  return group == nullptr ? ungroupedDecay(spec, tensor) : group->weightDecay.value_or(spec.weightDecay);
}

std::unique_ptr<Optimizer> makeOptimizer(const OptimizerSpec& spec, const ParameterLayout& layout, Range owned,
                                         double stepsPerEpoch, std::int64_t totalSteps, Device& device,
                                         const OptimizerKernels& kernels) {
  return std::make_unique<MomentumOptimizer>(spec, layout, owned, stepsPerEpoch, totalSteps, device, kernels);
}

}  // namespace slipstream
