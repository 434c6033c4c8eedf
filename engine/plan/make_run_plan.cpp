#include "engine/plan/make_run_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/plan/experiment_check.h"
#include "engine/plan/forecast.h"
#include "engine/plan/placement.h"
#include "engine/plan/settle.h"
#include "engine/plan/this_host.h"

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
    SLIPSTREAM_CHECK(measureTraining());
    SLIPSTREAM_CHECK(settleLessBn(plan_));
    settleWarmup();
    settleAdasum();
    SLIPSTREAM_CHECK(settleSharding(plan_));
    settleUpdate();
    SLIPSTREAM_TRY(shape, networkShape(plan_.experiment.network, sampleShape(plan_.experiment.dataset)));
    checkFusion(shape);
    describeSharding(plan_, shape);
    plan_.memoryPerRank =
        forecastMemory(plan_, shape, limited(samples_.evaluation, plan_.experiment.dataset.evaluationSamples));
    plan_.instructionSet = instructionSet();
    decide("instruction_set", plan_.instructionSet, "of the CPU kernels, as this processor has it");
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
    const auto counts = ranksOfServers(plan_.places);
    servers_ = static_cast<int>(std::count_if(counts.begin(), counts.end(), [](int count) { return count > 0; }));
  }

  Status measureTraining() {
    const auto length = trainingLength(plan_.experiment, plan_.trainSamples, plan_.ranks());
    plan_.stepsPerEpoch = length.stepsPerEpoch;
    plan_.totalSteps = length.totalSteps;
    if (length.stepsPerEpoch > 0) return {};
    const int sharers = plan_.experiment.dataset.shard ? plan_.ranks() : 1;
    return fail("dataset.batch_size", std::to_string(plan_.experiment.dataset.batchSize),
                fmt::format("times {} is more than {}: an epoch has no step", counted(sharers, "rank"),
                            counted(plan_.trainSamples, "training sample")),
                "use smaller batches or fewer ranks, or set dataset.drop_remainder to false");
  }

  /// A share of the training becomes a number of epochs, now that their lengths are known.
  void settleWarmup() {
    settleWarmup(plan_.experiment.optimizer.schedule);
    for (ParameterGroupSpec& group : plan_.experiment.optimizer.groups) {
      if (group.schedule) settleWarmup(*group.schedule);
    }
  }

  void settleWarmup(ScheduleSpec& schedule) const {
    if (schedule.warmupFraction == 0) return;
    const double epochs = schedule.totalEpochs > 0
                              ? schedule.totalEpochs
                              : static_cast<double>(plan_.totalSteps) / static_cast<double>(plan_.stepsPerEpoch);
    schedule.warmupEpochs = schedule.warmupFraction * epochs;
    schedule.warmupFraction = 0;
  }

  void settleAdasum() {
    BoostConfig& boost = plan_.experiment.boost;
    if (!boost.adasum) return;
    if (plan_.ranks() == 1) return switchOffAdasum("one rank has nobody to combine with");
    AdasumOptions& options = boost.adasumOptions;
    if (options.scope == AdasumScope::servers && servers_ == 1) {
      return switchOffAdasum("its scope is servers, and there is one server");
    }
    if (options.scope == AdasumScope::automatic) {
      options.scope = servers_ > 1 ? AdasumScope::servers : AdasumScope::flat;
    }
    const bool flat = options.scope == AdasumScope::flat;
    decide("adasum.scope", flat ? "flat" : "servers",
           flat ? fmt::format("Adasum over all {}", counted(plan_.ranks(), "rank"))
                : fmt::format("the mean inside each of {}, Adasum between them", counted(servers_, "server")));
    if (options.exchange == AdasumExchange::automatic) {
      decide("adasum.exchange", "auto",
             plan_.local ? "through the shared window where the machine's shared memory has room, else by messages"
                         : "ranks on several machines send messages");
    }
    const bool deltas = options.mode == AdasumMode::deltas;
    decide("adasum.mode", deltas ? "deltas" : "gradients",
           deltas ? "every rank steps with an optimizer of its own, Adasum combines the weight differences"
                  : "Adasum combines the gradients, then one optimizer steps");
    if (flat && !plan_.experiment.parallel.gradientsMean) {
      decide("parallel.gradients_mean", "false", "no effect: flat Adasum takes the place of sum and mean");
    }
  }

  void switchOffAdasum(const std::string& why) {
    plan_.experiment.boost.adasum = false;
    for (Decision& decision : plan_.experiment.boost.decisions) {
      if (decision.subject == "adasum") decision = {"adasum", "off", why};
    }
  }

  void settleUpdate() {
    const bool mean = plan_.experiment.parallel.gradientsMean;
    if (plan_.experiment.boost.adasum) {
      decide("averaged", "off", "adasum exchanges the gradients");
    } else {
      decide("averaged", "on",
             mean ? "gradients are averaged over ranks" : "gradients are summed over ranks (parallel.gradients_mean)");
    }
  }

  void checkFusion(const NetworkShape& shape) {
    for (const int index : plan_.experiment.parallel.allReduceFusion) {
      if (std::cmp_less(index, shape.tensors.size())) continue;
      decide("parallel.all_reduce_fusion_config", std::to_string(index),
             fmt::format("no effect: the network has {}", counted(std::ssize(shape.tensors), "tensor")));
    }
    if (!plan_.experiment.parallel.allReduceFusion.empty() && !plan_.experiment.boost.gradientSplitGroups.empty()) {
      decide("common.gradient_split_groups", "off", "parallel.all_reduce_fusion_config says how gradients are grouped");
    }
  }

  void decide(std::string subject, std::string state, std::string why) {
    plan_.decisions.push_back({std::move(subject), std::move(state), std::move(why)});
  }

  const LoadedExperiment& loaded_;
  const SampleCounts& samples_;
  RunPlan plan_;
  int servers_ = 1;
};

}  // namespace

Result<RunPlan> makeRunPlan(const LoadedExperiment& loaded, const SampleCounts& samples, bool forceLocal, int cores) {
  return Making(loaded, samples).run(forceLocal, cores);
}

TrainingLength trainingLength(const Experiment& experiment, std::int64_t samples, int ranks) {
  const std::int64_t steps = stepsPerEpoch(experiment.dataset, samples, ranks);
  if (experiment.train.steps) return {steps, *experiment.train.steps};
  const double total = experiment.train.epochs.value_or(1) * static_cast<double>(steps);
  return {steps, std::max<std::int64_t>(1, std::llround(total))};
}

}  // namespace slipstream
