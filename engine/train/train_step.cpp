// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/train_step.h"

#include <algorithm>
#include <span>

#include "engine/base/clock.h"
#include "engine/base/flush_denormals.h"
#include "engine/train/gradient_handover.h"
#include "engine/train/step_context.h"

namespace slipstream {
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
  auto seconds = secondsOfSlots(slots_, policySeconds, passSeconds_, outcome);
  return {sofar.loss, std::move(outcome), std::move(seconds)};
}

/// Forward and backward over one micro-batch; returns its share of the step's loss, and nothing of a stand-in's.
double TrainStep::passOver(const MicroBatch& part, const StepPlan& plan, double gradientScale, int index, bool isLast) {
  const FlushDenormals flush;
  Update& update = *slots_.update;
  const UpdateTraits traits = update.traits();
  const bool keeps = traits.keepsWholeGradient;
  const bool whole = passes_.gainFromWholePasses() && !traits.worksBesideLayers;
  GradientHandover handover({passes_.network().layout(), passes_.device(), slots_, plan, passSeconds_},
                            {index, isLast, isLast || !keeps});
  passes_.forward(part, NetworkMode::training, update.weights());
  passes_.backward(part.share * gradientScale, update.weights(), update.gradients(), keeps && index > 0,
                   plan.firstTrainedLayer, whole ? nullptr : &handover);
  if (whole) handover.afterWholeBackward();
  return part.share == 0 ? 0 : passes_.loss().loss * part.share;
}

}  // namespace slipstream
