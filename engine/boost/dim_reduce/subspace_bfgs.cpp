// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/boost/dim_reduce/bfgs.h"
#include "engine/boost/dim_reduce/line_search.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/dim_reduce/subspace_update.h"

namespace slipstream {
namespace {

std::size_t bytesOf(std::int64_t floats) {
  return static_cast<std::size_t>(floats) * sizeof(float);
}

bool allFinite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// w <- w + rho^m P'd - alpha r, where r is a momentum on what the projection leaves of the gradient.
class SubspaceBfgs final : public SubspaceUpdate {
 public:
  explicit SubspaceBfgs(const UpdateContext& parts)
      : SubspaceUpdate(parts),
        options_(parts.experiment.boost.of<DimReduceOptions>()),
        rule_{options_.rho, options_.sigma, options_.maxSearch},
        bfgs_(options_.nComponents, parts.experiment.boost.isOn("grad_freeze")),
        start_(parts.device.allocate(bytesOf(parts.layout.size()), MemoryCategory::boost)),
        residual_(parts.device.allocate(bytesOf(columns().size()), MemoryCategory::boost)) {
    packSpaceState();
  }

  std::vector<StateTensor> state() override {
    auto tensors = SubspaceUpdate::state();
    if (!residual().empty()) tensors.push_back({"residual_momentum", residual(), true});
    return tensors;
  }
  double learningRateAt(std::int64_t) const override { return 1; }

 private:
  std::span<double> spaceState() override { return bfgs_.state(); }
  std::span<float> residual() { return residual_->as<float>(); }
  std::span<float> start() { return start_->as<float>(); }

  /// A loss or gradient that is not finite leaves everything as it is.
  bool move(StepContext& context, StepOutcome& outcome) override {
    const double loss = context.meanLoss();
    const auto gradient = gradientInSpace(outcome);
    const bool usable = std::isfinite(loss) && allFinite(gradient);
    if (usable) follow(gradient, loss, context, outcome);
    if (!usable) report(outcome, {}, 0);
    return usable;
  }

  void follow(std::span<const double> gradient, double loss, StepContext& context, StepOutcome& outcome) {
    const auto direction = bfgs_.direction(gradient, trained().end);
    const double slope = std::inner_product(gradient.begin(), gradient.end(), direction.begin(), 0.0);
    stepResidual(gradient);
    spread(direction);  // over the gradient, which is not needed any more
    vectors_.copy(device_.queue(), allWeights(), start());
    const SearchResult found = searchLine(rule_, loss, slope, [&](double rate) {
      const auto count = start().size();
      kernels_.moveAlong(device_.queue(), start().data(), static_cast<float>(rate), freeMemory().data(),
                         allWeights().data(), count);
      return context.trialLoss();
    });
    if (found.power < 0) {
      bfgs_.rejected();
    } else {
      bfgs_.accepted(found.rate);
    }
    updateWeights(static_cast<float>(found.rate));
    report(outcome, found, slope);
  }

  /// r <- gamma r + g - P'Pg.
  void stepResidual(std::span<const double> gradient) {
    const auto outside = trainedGradient();
    const auto inside = slice().first(outside.size());
    projection().backProject(gradient, inside);
    kernels_.residualStep(device_.queue(), static_cast<float>(options_.gamma), outside.data(), inside.data(),
                          residual().data(), outside.size());
  }

  /// P'd, zero where this step trains nothing, on every rank.
  void spread(std::span<const double> direction) {
    const auto mine = slice();
    const auto trained = static_cast<std::size_t>(trainedColumns().size());
    projection().backProject(direction, mine.first(trained));
    vectors_.clear(device_.queue(), mine.subspan(trained));
    gatherSlices(freeMemory());
  }

  /// The new weights, worked out once for every column, by its owner.
  void updateWeights(float rate) {
    const auto mine = slice();
    const auto offset = static_cast<std::size_t>(columns().begin);
    const auto before = start().subspan(offset, mine.size());
    const float* const from = before.data();
    vectors_.copy(device_.queue(), before, mine);
    if (rate != 0)
      kernels_.moveAlong(device_.queue(), from, rate, freeMemory().data() + offset, mine.data(), mine.size());
    const auto trained = static_cast<std::size_t>(trainedColumns().size());
    const auto decay = static_cast<float>(options_.weightDecay);
    if (decay != 0) kernels_.moveAlong(device_.queue(), mine.data(), -decay, from, mine.data(), trained);
    const auto alpha = static_cast<float>(options_.alpha);
    if (alpha != 0) kernels_.moveAlong(device_.queue(), mine.data(), -alpha, residual().data(), mine.data(), trained);
    gatherSlices(allWeights());
  }

  static void report(StepOutcome& outcome, const SearchResult& found, double slope) {
    outcome.metrics[metric::acceptedPower] = found.power;
    outcome.metrics[metric::searchTrials] = found.tries;
    outcome.metrics[metric::searchSlope] = slope;
  }

  const DimReduceOptions& options_;
  SearchRule rule_;
  Bfgs bfgs_;
  std::unique_ptr<Buffer> start_;     ///< all weights, as they were before the step
  std::unique_ptr<Buffer> residual_;  ///< of this rank's columns
};

}  // namespace

std::unique_ptr<Update> makeSubspaceBfgs(const UpdateContext& parts) {
  return std::make_unique<SubspaceBfgs>(parts);
}

}  // namespace slipstream
