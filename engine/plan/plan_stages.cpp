// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_stages.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/experiment/resolved_form.h"

namespace slipstream {
namespace {

class Sequence {
 public:
  Sequence(const LoadedExperiment& loaded, const SampleCounts& samples, bool forceLocal, int cores)
      : loaded_(loaded), samples_(samples), forceLocal_(forceLocal), cores_(cores) {}

  Result<RunPlan> run() {
    Failures failures;
    auto base = planOf(loaded_.experiment);
    if (collect(base, failures)) plan_ = std::move(*base);
    ofAll_ = plan_.decisions;
    const Failures shared = failures;
    plan_.totalSteps = 0;
    StageFailures ofStages;
    for (const LoadedStage& stage : loaded_.stages) {
      auto own = planOf(stage.experiment);
      if (own) {
        add(stage, *own, failures);
        continue;
      }
      std::erase_if(own.error(),
                    [&](const Failure& failure) { return std::ranges::find(shared, failure) != shared.end(); });
      ofStages.add(stage.name, own.error());
    }
    ofStages.appendTo(failures, loaded_.stages.size());
    if (!failures.empty()) return tl::unexpected(std::move(failures));
    // What was decided on the experiment alone and holds in no stage never ran.
    std::erase_if(plan_.decisions,
                  [&](const Decision& decision) { return contains(ofAll_, decision) && !contains(kept_, decision); });
    return std::move(plan_);
  }

 private:
  static bool contains(const std::vector<Decision>& decisions, const Decision& decision) {
    return std::find(decisions.begin(), decisions.end(), decision) != decisions.end();
  }

  /// Snapshots are counted in the steps of the run, which are known once the stage is in its row.
  Result<RunPlan> planOf(const Experiment& experiment) const {
    LoadedExperiment alone = loaded_;
    alone.experiment = experiment;
    alone.experiment.train.snapshots.reset();
    alone.stages.clear();
    SLIPSTREAM_TRY(plan, makeRunPlan(alone, samples_, forceLocal_, cores_));
    plan.experiment.train.snapshots = experiment.train.snapshots;
    return plan;
  }

  void add(const LoadedStage& loaded, const RunPlan& own, Failures& failures) {
    StagePlan stage{loaded.name,      own.experiment, loaded.start, plan_.totalSteps, plan_.totalSteps + own.totalSteps,
                    own.stepsPerEpoch};
    if (const StagePlan* source = findStage(plan_, loaded.start.stage)) follow(stage, *source, loaded, failures);
    keepSnapshots(stage, loaded, failures);
    sayWhatLiesPastTheSchedule(stage);
    shareNetwork(stage, loaded, failures);
    plan_.totalSteps = stage.endStep;
    for (const auto& [category, bytes] : own.memoryPerRank) {
      plan_.memoryPerRank[category] = std::max(plan_.memoryPerRank[category], bytes);
    }
    for (const Decision& decision : own.decisions) {
      if (contains(ofAll_, decision)) {
        kept_.push_back(decision);
        continue;
      }
      plan_.decisions.push_back(decision);
      plan_.decisions.back().subject = loaded.name + "." + decision.subject;
    }
    plan_.stages.push_back(std::move(stage));
  }

  /// The order of the data goes on where the source ended, at its next epoch where batches have another size.
  static void follow(StagePlan& stage, const StagePlan& source, const LoadedStage& loaded, Failures& failures) {
    const std::int64_t read = source.dataStep + source.updates();
    const bool sameEpochs = stage.stepsPerEpoch == source.stepsPerEpoch;
    const std::int64_t epochs = (read + source.stepsPerEpoch - 1) / source.stepsPerEpoch;
    stage.dataStep = sameEpochs ? read : epochs * stage.stepsPerEpoch;
    if (stage.start.continues) {
      stage.scheduleStep = source.scheduleStep + source.updates();
      stage.experiment.optimizer = source.experiment.optimizer;  // shares of schedules were the source's
    }
    const BoostConfig& boost = stage.experiment.boost;
    const int components = boost.of<DimReduceOptions>().nComponents;
    stage.readsSnapshots = readsStageSnapshots(boost);
    if (!stage.readsSnapshots || std::ssize(source.snapshotSteps) > components) return;
    failures.push_back({loaded.path + ".boost.dictionary.dim_reduce.n_components", std::to_string(components),
                        fmt::format("{} components need at least {} snapshots, and stage {} keeps {}", components,
                                    components + 1, source.name, source.snapshotSteps.size()),
                        "keep more of them (see its train.snapshots), or ask for fewer components"});
  }

  /// A rival that goes on at the last, smallest rate is no fair one.
  void sayWhatLiesPastTheSchedule(const StagePlan& stage) {
    const ScheduleSpec& schedule = stage.experiment.optimizer.schedule;
    if (!stage.start.continues || schedule.mode == ScheduleMode::constant) return;
    const std::int64_t end = std::llround(schedule.totalEpochs * static_cast<double>(stage.stepsPerEpoch));
    const std::int64_t past = std::min(stage.updates(), stage.scheduleStep + stage.updates() - end);
    if (past <= 0) return;
    plan_.decisions.push_back(adjusted(
        stage.name + ".learning_rate", "past its end", Reason::written,
        phrase("{} of {} lie behind the schedule and get its last rate; train for less, or let the stage before "
               "cover less of it",
               {std::to_string(past), countedText(stage.updates(), "update")})));
  }

  /// Weights of one stage must fit the next.
  void shareNetwork(const StagePlan& stage, const LoadedStage& loaded, Failures& failures) const {
    if (plan_.stages.empty()) return;
    const StagePlan& first = plan_.stages.front();
    if (toJson(stage.experiment)["network"] == toJson(first.experiment)["network"]) return;
    failures.push_back({loaded.path + ".boost", "", "rewrites the network (less_bn) otherwise than stage " + first.name,
                        "write less_bn's part of the dictionary beside `stages`: all stages share one network"});
  }

  static void keepSnapshots(StagePlan& stage, const LoadedStage& loaded, Failures& failures) {
    auto steps = plannedSnapshots(stage, loaded.path + ".train.snapshots");
    if (collect(steps, failures)) stage.snapshotSteps = std::move(*steps);
  }

  const LoadedExperiment& loaded_;
  const SampleCounts& samples_;
  const bool forceLocal_;
  const int cores_;
  RunPlan plan_;
  std::vector<Decision> ofAll_;  ///< on the experiment that all stages override
  std::vector<Decision> kept_;   ///< those of them that a stage has too
};

/// Ends of `count` equal parts of what follows the share; none where there are fewer steps than parts.
std::vector<std::int64_t> spreadEvenly(double firstFraction, std::int64_t count, std::int64_t updates) {
  const std::int64_t first = std::llround(firstFraction * static_cast<double>(updates));
  const std::int64_t rest = updates - first;
  if (rest < count) return {};
  std::vector<std::int64_t> steps;
  for (std::int64_t part = 1; part <= count; ++part) {
    const double share = static_cast<double>(part) / static_cast<double>(count);
    steps.push_back(first + std::llround(share * static_cast<double>(rest)));
  }
  return steps;
}

Failures tooFewSteps(const StagePlan& stage, const SnapshotSpec& spec, const std::string& path) {
  if (spec.firstFraction) {
    return {{path + ".keep", std::to_string(spec.keep),
             fmt::format("is more than there are steps after first_fraction: the stage has {}",
                         counted(stage.updates(), "step")),
             "keep fewer, begin earlier, or train for longer"}};
  }
  return {{path + ".first_epoch", numberText(spec.firstEpoch),
           fmt::format("is too late: the stage has {} steps of {} an epoch", stage.updates(), stage.stepsPerEpoch),
           "begin earlier, or train for longer"}};
}

}  // namespace

Result<std::vector<std::int64_t>> plannedSnapshots(const StagePlan& stage, const std::string& path) {
  const auto& spec = stage.experiment.train.snapshots;
  if (!spec) return std::vector<std::int64_t>{};
  if (!spec->firstFraction && spec->perEpoch > stage.stepsPerEpoch) {
    return fail(path + ".per_epoch", std::to_string(spec->perEpoch),
                fmt::format("is more than the {} steps of an epoch", stage.stepsPerEpoch), "keep fewer an epoch");
  }
  std::vector<std::int64_t> steps = snapshotUpdates(*spec, stage.stepsPerEpoch, stage.updates());
  if (steps.empty()) return tl::unexpected(tooFewSteps(stage, *spec, path));
  for (std::int64_t& step : steps) step += stage.firstStep;
  return steps;
}

std::vector<std::int64_t> snapshotUpdates(const SnapshotSpec& spec, std::int64_t stepsPerEpoch, std::int64_t updates) {
  if (spec.firstFraction) return spreadEvenly(*spec.firstFraction, spec.keep, updates);
  const double epochs = static_cast<double>(updates) / static_cast<double>(stepsPerEpoch);
  const double parts = std::floor((epochs - spec.firstEpoch) * static_cast<double>(spec.perEpoch)) + 1;
  if (parts < 1) return {};
  std::vector<std::int64_t> steps;
  // Of all parts only the last ones are kept; rounding may lose one or two of them again.
  constexpr std::int64_t spare = 2;
  const auto last = static_cast<std::int64_t>(parts);
  for (std::int64_t part = std::max<std::int64_t>(1, last - spec.keep - spare); part <= last; ++part) {
    const double epoch = spec.firstEpoch + static_cast<double>(part) / static_cast<double>(spec.perEpoch);
    const std::int64_t step = std::llround(epoch * static_cast<double>(stepsPerEpoch));
    if (step > updates) break;
    steps.push_back(step);
  }
  const std::int64_t surplus = std::max<std::int64_t>(0, std::ssize(steps) - spec.keep);
  steps.erase(steps.begin(), steps.begin() + surplus);
  return steps;
}

Result<RunPlan> planStages(const LoadedExperiment& loaded, const SampleCounts& samples, bool forceLocal, int cores) {
  return Sequence(loaded, samples, forceLocal, cores).run();
}

}  // namespace slipstream
