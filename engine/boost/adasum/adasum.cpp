// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/adasum/adasum.h"

#include "engine/boost/adasum/combination.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/optimizer_update.h"

namespace slipstream {
namespace {

/// Of gradients: mean inside servers, Adasum over them, one optimizer state for all ranks. Of deltas: every leaf steps
/// by itself, with its own optimizer state; Adasum combines how far they went (Maleki et al. 2020).
class AdasumOfRanks final : public Exchange {
 public:
  AdasumOfRanks(const UpdateContext& parts, const RankMemory& gradients)
      : ofDeltas_(parts.experiment.boost.of<AdasumOptions>().mode == AdasumMode::deltas),
        combination_(parts, gradients) {}

  BucketExchange* ofGradients() const override { return ofDeltas_ ? combination_.serverMean() : combination_.both(); }
  BucketExchange* ofSteps() const override { return ofDeltas_ ? combination_.reduction() : nullptr; }
  void record(Range trained, StepOutcome& outcome) const override { combination_.record(trained, outcome); }
  std::string name() const override { return combination_.exchange(); }

 private:
  bool ofDeltas_;
  AdasumCombination combination_;
};

ExchangeMaker makerOf(const UpdateContext& parts) {
  return {.sharesMemory = AdasumCombination::wantsSharedMemory(parts),
          .make = [](const UpdateContext& all, const RankMemory& gradients) {
            return std::make_unique<AdasumOfRanks>(all, gradients);
          }};
}

}  // namespace

ExchangeMaker AdasumAlgorithm::exchange(const UpdateContext& parts) {
  return parts.experiment.boost.isOn<AdasumOptions>() ? makerOf(parts) : ExchangeMaker{};
}

std::unique_ptr<Update> makeAdasum(const UpdateContext& parts) {
  return std::make_unique<OptimizerUpdate>(parts, makerOf(parts));
}

}  // namespace slipstream
