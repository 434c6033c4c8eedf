// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_accumulation/spec.h"

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

using Options = GradAccumulationOptions;

void resolveSwitches(BoostSwitches& switches) {
  const BoostConfig& boost = switches.config();
  if (!boost.isOn<Options>() || boost.of<Options>().gradAccumulationStep > 1) return;
  switches.set(Options::algorithm, false, Reason::option,
               phrase("grad_accumulation_step is 1: one batch an update is plain training"));
}

/// An update that no epoch can fill would be one of fewer batches than asked for.
Status resolve(RunPlan& plan) {
  const int wanted = batchesPerStep(plan.experiment);
  const std::int64_t batches = stepsPerEpoch(plan.experiment.dataset, plan.trainSamples, plan.ranks());
  if (wanted <= batches) return {};
  return fail("boost.dictionary.grad_accumulation.grad_accumulation_step", std::to_string(wanted),
              fmt::format("is more than the {} batches that a rank has in an epoch", batches),
              fmt::format("write {} or fewer, or use smaller batches or fewer ranks", batches));
}

void describeMicroBatches(RunPlan& plan) {
  const TrainSpec& train = plan.experiment.train;
  const bool sum = train.microReduction == MicroReduction::sum;
  if (train.microSize > 1) {
    decide(plan, adjusted("train.micro_size", std::to_string(train.microSize), Reason::written,
                          phrase("at most {} at once; loss and gradient are the {} over micro-batches",
                                 {countedText(samplesPerPass(plan.experiment), "sample"),
                                  sum ? phrase("sum") : phrase("mean")})));
  } else if (sum) {
    decide(plan, noEffect("train.micro_reduction", "sum", Reason::option, phrase("a batch is one micro-batch")));
  }
}

Status describe(RunPlan& plan, const NetworkShape&) {
  const int batches = batchesPerStep(plan.experiment);
  if (batches > 1) {
    decide(plan,
           adjusted("grad_accumulation.grad_accumulation_step", std::to_string(batches), Reason::option,
                    phrase("a step is {} batches a rank: one exchange and one update for the mean over their samples",
                           {std::to_string(batches)})));
  }
  describeMicroBatches(plan);
  return {};
}

}  // namespace

int batchesPerStep(const Experiment& experiment) {
  const BoostConfig& boost = experiment.boost;
  return boost.isOn<Options>() ? boost.of<Options>().gradAccumulationStep : 1;
}

AlgorithmSpec GradAccumulationAlgorithm::spec() {
  return {.key = Options::algorithm,
          .title = "Gradient accumulation",
          .summary = "several batches, or parts of one, for one update",
          .slot = "policy",
          .hasSwitch = true,
          .options = Options::keys(),
          .resolveSwitches = resolveSwitches,
          .resolve = resolve,
          .resolveShape = describe};
}

}  // namespace slipstream
