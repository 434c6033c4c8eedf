// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_freeze/grad_freeze.h"

#include "engine/base/random.h"
#include "engine/boost/grad_freeze/freeze_schedule.h"
#include "engine/boost/grad_freeze/spec.h"

namespace slipstream {
namespace {

class GradFreeze final : public StepPolicy {
 public:
  GradFreeze(const GradFreezeOptions& options, std::vector<int> firstLayers, std::uint64_t seed)
      : firstLayers_(std::move(firstLayers)),
        random_(seed, RandomStream::freezeSchedule),
        schedule_(options, static_cast<int>(firstLayers_.size()), [this] { return random_.uniform(); }) {}
  GradFreeze(const GradFreeze&) = delete;
  GradFreeze& operator=(const GradFreeze&) = delete;

  std::string name() const override { return "grad_freeze"; }

  void plan(std::int64_t step, StepPlan& plan) override {
    group_ = schedule_.groupAt(step);
    plan.firstTrainedLayer = firstLayers_[static_cast<std::size_t>(group_)];
  }

  void afterStep(const StepPlan&, StepOutcome& outcome) override { outcome.metrics[metric::freezeIndex] = group_; }

 private:
  std::vector<int> firstLayers_;  ///< one a group
  Random random_;
  FreezeSchedule schedule_;
  int group_ = 0;
};

}  // namespace

void GradFreezeAlgorithm::fillSlots(StepSlots& slots, const UpdateContext& parts) {
  if (parts.experiment.boost.isOn<GradFreezeOptions>()) slots.policies.push_back(makeGradFreeze(parts));
}

std::unique_ptr<StepPolicy> makeGradFreeze(const UpdateContext& parts) {
  const auto& options = parts.experiment.boost.of<GradFreezeOptions>();
  return std::make_unique<GradFreeze>(options, firstTrainedLayers(parts.layout.forwardTensors(), options.paramGroups),
                                      parts.experiment.seed);
}

}  // namespace slipstream
