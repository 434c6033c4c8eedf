// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/dim_reduce/subspace_update.h"
#include "engine/spec/schedule.h"

namespace slipstream {
namespace {

/// v <- momentum v + P g; w <- w - rate (P'v + decay w), momentum and rate as the experiment's optimizer has them.
class SubspaceSgd final : public SubspaceUpdate {
 public:
  explicit SubspaceSgd(const UpdateContext& parts)
      : SubspaceUpdate(parts),
        optimizer_(parts.experiment.optimizer),
        decay_(parts.experiment.boost.of<DimReduceOptions>().weightDecay),
        stepsPerEpoch_(parts.stepsPerEpoch),
        totalSteps_(parts.totalSteps),
        velocity_(static_cast<std::size_t>(dimensions())) {
    packSpaceState();
  }

  double learningRateAt(std::int64_t updatesDone) const override {
    return learningRate(optimizer_.schedule, updatesDone, stepsPerEpoch_, totalSteps_);
  }

 private:
  std::span<double> spaceState() override { return velocity_; }

  /// A gradient that is not finite leaves everything as it is.
  bool move(StepContext& context, StepOutcome& outcome) override {
    const auto gradient = gradientInSpace(outcome);
    if (!std::ranges::all_of(gradient, [](double value) { return std::isfinite(value); })) return false;
    for (std::size_t k = 0; k < gradient.size(); ++k) velocity_[k] = optimizer_.momentum * velocity_[k] + gradient[k];
    const double rate = learningRateAt(context.updatesDone());

    const auto mine = slice();
    const auto before = allWeights().subspan(static_cast<std::size_t>(columns().begin), mine.size());
    const auto trained = static_cast<std::size_t>(trainedColumns().size());
    projection().backProject(velocity_, mine.first(trained));
    kernels_.moveAlong(device_.queue(), before.data(), -static_cast<float>(rate), mine.data(), mine.data(), trained);
    if (decay_ != 0)
      kernels_.moveAlong(device_.queue(), mine.data(), -static_cast<float>(rate * decay_), before.data(), mine.data(),
                         trained);
    vectors_.copy(device_.queue(), before.subspan(trained), mine.subspan(trained));
    gatherSlices(allWeights());
    return true;
  }

  const OptimizerSpec& optimizer_;
  double decay_;
  double stepsPerEpoch_;
  std::int64_t totalSteps_;
  std::vector<double> velocity_;
};

}  // namespace

std::unique_ptr<Update> makeSubspaceSgd(const UpdateContext& parts) {
  return std::make_unique<SubspaceSgd>(parts);
}

}  // namespace slipstream
