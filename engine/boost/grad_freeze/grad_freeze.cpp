// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_freeze/grad_freeze.h"

#include "engine/base/random.h"
#include "engine/boost/grad_freeze/freeze_schedule.h"
#include "engine/plan/freeze_groups.h"

namespace slipstream {
namespace {

class GradFreeze final : public StepPolicy {
 public:
  GradFreeze(const BoostConfig& config, std::vector<int> firstLayers, std::uint64_t seed)
      : firstLayers_(std::move(firstLayers)),
        random_(seed, RandomStream::freezeSchedule),
        schedule_(config, static_cast<int>(firstLayers_.size()), [this] { return random_.uniform(); }) {}
  GradFreeze(const GradFreeze&) = delete;
  GradFreeze& operator=(const GradFreeze&) = delete;

  std::string name() const override { return "grad_freeze"; }

  void plan(std::int64_t step, StepPlan& plan) override {
    group_ = schedule_.groupAt(step);
    plan.firstTrainedLayer = firstLayers_[static_cast<std::size_t>(group_)];
  }

  void afterStep(const StepPlan&, StepOutcome& outcome) override { outcome.metrics["freeze_index"] = group_; }

 private:
  std::vector<int> firstLayers_;  ///< one a group
  Random random_;
  FreezeSchedule schedule_;
  int group_ = 0;
};

}  // namespace

std::unique_ptr<StepPolicy> makeGradFreeze(const UpdateParts& parts) {
  const BoostConfig& config = parts.experiment.boost;
  return std::make_unique<GradFreeze>(config, firstTrainedLayers(parts.layout.forwardTensors(), config.paramGroups),
                                      parts.experiment.seed);
}

}  // namespace slipstream
