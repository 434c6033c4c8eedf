// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/make_run_plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/experiment/experiment_check.h"
#include "engine/plan/forecast.h"
#include "engine/plan/placement.h"
#include "engine/plan/plan_stages.h"
#include "engine/plan/planned_files.h"
#include "engine/plan/program_layers.h"
#include "engine/plan/resolve.h"
#include "engine/probe/dataset_kind.h"
#include "engine/probe/processor.h"

namespace slipstream {
namespace {

class Making {
 public:
  Making(const LoadedExperiment& loaded, const SampleCounts& samples) : loaded_(loaded), samples_(samples) {
    plan_.experiment = loaded.experiment;
  }

  Result<RunPlan> run(bool forceLocal, int cores) {
    SLIPSTREAM_TRY(placement, placeRanks(loaded_, forceLocal, cores));
    place(std::move(placement));
    plan_.trainSamples = limited(samples_.training, plan_.experiment.dataset.trainSamples);
    keepSamples(plan_, samples_);
    SLIPSTREAM_CHECK(measureTraining());
    Failures failures;
    for (const AlgorithmSpec& algorithm : algorithms()) {
      if (algorithm.resolve) collect(algorithm.resolve(plan_), failures);
    }
    resolveSchedules(plan_, updates_);
    describeRemainder(plan_);
    resolveExchange(plan_);
    collect(resolveLosses(plan_), failures);
    SLIPSTREAM_TRY(shape, networkShape(plan_.experiment.network, sampleShape(plan_.experiment.dataset)));
    describeEmulation(plan_);
    if (plan_.experiment.network.isProgram()) {
      describeProgram(plan_);
    } else {
      nameOutputs(shape.outputs.back().channels);
      collect(resolvePrecision(plan_, shape), failures);
    }
    for (const AlgorithmSpec& algorithm : algorithms()) {
      if (algorithm.resolveShape) collect(algorithm.resolveShape(plan_, shape), failures);
    }
    addOnce(failures, checkRefreshing(plan_.experiment));
    collect(resolvePreTrained(plan_, shape), failures);
    if (!failures.empty()) return tl::unexpected(std::move(failures));
    resolveFusion(plan_, shape);
    plan_.memoryPerRank =
        forecastMemory(plan_, shape, limited(samples_.evaluation, plan_.experiment.dataset.evaluationSamples));
    plan_.instructionSet = nameOf(instructionSet());
    decide(plan_, adjusted("instruction_set", plan_.instructionSet, Reason::device,
                           phrase("of the CPU kernels, as this processor has it")));
    return std::move(plan_);
  }

 private:
  /// 0 in the file means all there are.
  static std::int64_t limited(std::int64_t present, std::int64_t limit) {
    return limit == 0 ? present : std::min(present, limit);
  }

  void place(Placement placement) {
    plan_.places = std::move(placement.places);
    plan_.local = placement.local;
    plan_.threadsPerRank = placement.threadsPerRank;
    plan_.decisions = loaded_.decisions;
    plan_.decisions.insert(plan_.decisions.end(), placement.decisions.begin(), placement.decisions.end());
    plan_.experiment.parallel.ranks = plan_.ranks();
  }

  void nameOutputs(std::int64_t outputs) {
    const std::int64_t classes = plan_.experiment.dataset.classes;
    if (classes == 0 || outputs == classes) return;
    decide(plan_, adjusted("network.classes", std::to_string(outputs), Reason::data,
                           phrase("the data has {} classes; outputs beyond them are trained and never right",
                                  {std::to_string(classes)})));
  }

  Status measureTraining() {
    const auto length = trainingLength(plan_.experiment, plan_.trainSamples, plan_.ranks());
    plan_.stepsPerEpoch = length.stepsPerEpoch;
    updates_ = length.updates;
    plan_.totalSteps = updates_ + (plan_.experiment.train.refreshStatistics ? 1 : 0);
    if (length.stepsPerEpoch > 0) return checkSteps();
    const int sharers = plan_.experiment.dataset.shard ? plan_.ranks() : 1;
    return fail("dataset.batch_size", std::to_string(plan_.experiment.dataset.batchSize),
                fmt::format("times {} is more than {}: an epoch has no step", counted(sharers, "rank"),
                            counted(plan_.trainSamples, "training sample")),
                "use smaller batches or fewer ranks, or set dataset.drop_remainder to false");
  }

  Status checkSteps() const {
    const StagePlan whole{"train", plan_.experiment, {}, 0, plan_.totalSteps, plan_.stepsPerEpoch};
    SLIPSTREAM_TRY(steps, plannedSnapshots(whole, "train.snapshots"));
    static_cast<void>(steps);
    return {};
  }

  const LoadedExperiment& loaded_;
  const SampleCounts& samples_;
  RunPlan plan_;
  std::int64_t updates_ = 0;
};

}  // namespace

Result<RunPlan> makeRunPlan(const LoadedExperiment& loaded, const SampleCounts& samples, bool forceLocal, int cores) {
  if (!loaded.stages.empty()) return planStages(loaded, samples, forceLocal, cores);
  return Making(loaded, samples).run(forceLocal, cores);
}

TrainingLength trainingLength(const Experiment& experiment, std::int64_t samples, int ranks) {
  const std::int64_t steps = stepsPerEpoch(experiment.dataset, samples, ranks, batchesPerStep(experiment));
  if (experiment.train.steps) return {steps, *experiment.train.steps};
  const double total = experiment.train.epochs.value_or(1) * static_cast<double>(steps);
  return {steps, std::max<std::int64_t>(1, std::llround(total))};
}

}  // namespace slipstream
