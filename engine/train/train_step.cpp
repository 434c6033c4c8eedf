// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/train_step.h"

#include <algorithm>
#include <limits>
#include <span>

#include "engine/base/clock.h"
#include "engine/base/flush_denormals.h"
#include "engine/record/metric_info.h"
#include "engine/train/pass_check.h"
#include "engine/train/step_context.h"

namespace slipstream {
namespace {

/// The metric of a gradient pass's time.
std::string secondsOfPass(const std::string& name) {
  return std::string(metric::prefixOf(metric::passSeconds)) + name;
}

/// The position of one micro-batch in its step.
struct PassPosition {
  int microBatch;
  bool isLast;
  bool completesGradients;  ///< on this rank
};

/// Hands each tensor's gradient over to the Update when it is complete.
class GradientHandover final : public LayerObserver {
 public:
  GradientHandover(NetworkPasses& passes, StepSlots& slots, const StepPlan& plan, PassPosition place,
                   std::span<double> passSeconds)
      : layout_(passes.network().layout()),
        device_(passes.device()),
        slots_(slots),
        plan_(plan),
        place_(place),
        passSeconds_(passSeconds) {}

  void afterBackward(int layer) override { handOver(tensorsOf(layer, layer)); }
  /// Of a pass that nobody observed: the same, of all layers that it trained.
  void afterWholeBackward() { handOver(tensorsOf(plan_.firstTrainedLayer, std::numeric_limits<int>::max())); }

 private:
  /// Of the layers from `first` to `last`. They follow one another, the last layer's in front.
  std::span<const FlatTensor> tensorsOf(int first, int last) const {
    const auto& all = layout_.tensors();
    const auto begin = std::ranges::find_if(all, [&](const FlatTensor& tensor) { return tensor.spec.layer <= last; });
    const auto end =
        std::find_if(begin, all.end(), [&](const FlatTensor& tensor) { return tensor.spec.layer < first; });
    return {begin, end};
  }

  void handOver(std::span<const FlatTensor> tensors) {
    const bool passes = place_.completesGradients && !slots_.gradientPasses.empty();
    if (passes && !tensors.empty()) applyPasses(tensors);
    for (const FlatTensor& tensor : tensors) {
      slots_.update->gradientReady(tensor.range, place_.microBatch, place_.isLast);
    }
    slots_.update->progress();
  }

  void applyPasses(std::span<const FlatTensor> tensors) {
    const Range range{tensors.front().range.begin, tensors.back().range.end};
    const std::span<float> gradients = slots_.update->gradients().acquire(range);
    for (std::size_t pass = 0; pass < slots_.gradientPasses.size(); ++pass) {
      const PassCheck check(device_, gradients);
      const Stopwatch watch;
      slots_.gradientPasses[pass]->apply(plan_, tensors, gradients);
      passSeconds_[pass] += watch.seconds();
      check.verify(slots_.gradientPasses[pass]->name());
    }
    slots_.update->gradients().release(range);
  }

  const ParameterLayout& layout_;
  Device& device_;
  StepSlots& slots_;
  const StepPlan& plan_;
  PassPosition place_;
  std::span<double> passSeconds_;  ///< one a gradient pass, added to
};

}  // namespace

TrainStep::TrainStep(NetworkPasses& passes, StepSlots& slots, Communicator& communicator)
    : passes_(passes), slots_(slots), communicator_(communicator) {}

StepResult TrainStep::run(const Batch& batch, std::int64_t step) {
  StepPlan plan;
  Stopwatch watch;
  for (const auto& policy : slots_.policies) policy->plan(step, plan);
  double policySeconds = watch.seconds();
  passSeconds_.assign(slots_.gradientPasses.size(), 0.0);

  StepSoFar sofar{microBatchesOf(batch, plan)};
  slots_.update->begin(plan);
  const double gradientScale = plan.lossScale * (slots_.update->traits().addsGradients ? 1.0 : shareAmongOwn(batch));
  const int count = static_cast<int>(sofar.microBatches.size());
  for (int i = 0; i < count; ++i) {
    sofar.loss += passOver(sofar.microBatches[static_cast<std::size_t>(i)], plan, gradientScale, i, i + 1 == count);
  }
  BatchContext context(passes_, slots_, communicator_, plan, sofar, updatesDone_);
  StepOutcome outcome = slots_.update->finish(context);
  outcome.communication.exposed += context.exchangeSeconds();
  if (outcome.updated) ++updatesDone_;
  watch.restart();
  for (const auto& policy : slots_.policies) policy->afterStep(plan, outcome);
  policySeconds += watch.seconds();
  auto seconds = slotSeconds(policySeconds, outcome);
  return {sofar.loss, std::move(outcome), std::move(seconds)};
}

std::map<std::string, double> TrainStep::slotSeconds(double policies, const StepOutcome& outcome) const {
  std::map<std::string, double> seconds{{metric::updateSeconds, outcome.updateSeconds}};
  if (!slots_.policies.empty()) seconds[metric::policySeconds] = policies;
  for (std::size_t pass = 0; pass < passSeconds_.size(); ++pass) {
    seconds[secondsOfPass(slots_.gradientPasses[pass]->name())] = passSeconds_[pass];
  }
  if (outcome.centralizationSeconds > 0) {
    seconds[secondsOfPass("grad_centralization")] = outcome.centralizationSeconds;
  }
  return seconds;
}

/// Forward and backward over one micro-batch; returns its share of the step's loss, and nothing of a stand-in's.
double TrainStep::passOver(const MicroBatch& part, const StepPlan& plan, double gradientScale, int index, bool isLast) {
  const FlushDenormals flush;
  Update& update = *slots_.update;
  const UpdateTraits traits = update.traits();
  const bool keeps = traits.keepsWholeGradient;
  const bool whole = passes_.gainFromWholePasses() && !traits.worksBesideLayers;
  GradientHandover handover(passes_, slots_, plan, {index, isLast, isLast || !keeps}, passSeconds_);
  passes_.forward(part, NetworkMode::training, update.weights());
  passes_.backward(part.share * gradientScale, update.weights(), update.gradients(), keeps && index > 0,
                   plan.firstTrainedLayer, whole ? nullptr : &handover);
  if (whole) handover.afterWholeBackward();
  return part.share == 0 ? 0 : passes_.loss().loss * part.share;
}

}  // namespace slipstream
