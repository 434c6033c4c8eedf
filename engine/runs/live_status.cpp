// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/live_status.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/plan/run_plan.h"
#include "engine/record/metric_info.h"

namespace slipstream {
namespace {

/// The time left is estimated over half of the steps of the attempt's stage, so that it does not follow each change of
/// pace, and over so many at least.
constexpr std::size_t leastSteps = 100;
/// A rank whose newest step is so much older than that of the others has fallen silent.
constexpr std::int64_t silentNanoseconds = 5'000'000'000;

/// Seconds from one step to the next lately, evaluations and checkpoints included; of steps since `began`, because a
/// run that was resumed did nothing in between, and since the stage's first step, because each has a pace of its own.
std::optional<double> secondsPerStep(const Series& series, std::int64_t began, std::int64_t firstStep) {
  const auto since = std::find_if(series.wallNanoseconds.begin(), series.wallNanoseconds.end(),
                                  [began](std::int64_t time) { return time >= began; });
  const auto stage = std::ranges::lower_bound(series.steps, firstStep);
  const std::size_t own =
      static_cast<std::size_t>(std::min(series.wallNanoseconds.end() - since, series.steps.end() - stage));
  if (own < 2) return std::nullopt;
  const std::size_t first = series.steps.size() - std::min(std::max(leastSteps, own / 2), own);
  const std::int64_t steps = series.steps.back() - series.steps[first];
  if (steps <= 0) return std::nullopt;
  return 1e-9 * static_cast<double>(series.wallNanoseconds.back() - series.wallNanoseconds[first]) /
         static_cast<double>(steps);
}

/// The first step of the stage that so many steps have come to.
std::int64_t stageBegan(const RunPlan& plan, std::int64_t steps) {
  std::int64_t first = 0;
  for (const StagePlan& stage : plan.stages) {
    if (stage.firstStep < steps) first = std::max(first, stage.firstStep);
  }
  return first;
}

void placeInLaunch(RunStore& store, const RunRecord& run, LiveStatus& status) {
  status.runOfLaunch = status.runsOfLaunch = 1;
  if (wasResumed(store, run)) return;
  const std::vector<std::string> made = store.runsOfGroup(run.group);
  const auto mine = std::find(made.begin(), made.end(), run.id);
  if (mine != made.end()) status.runOfLaunch = static_cast<int>(mine - made.begin()) + 1;
  const int planned = static_cast<int>(runsOfLaunch(run).size());
  status.runsOfLaunch = std::max({static_cast<int>(made.size()), planned, status.runOfLaunch});
}

}  // namespace

LiveStatus liveStatus(RunStore& store, const RunRecord& wholeRun) {
  LiveStatus status;
  const auto plan = parseRunPlan(wholeRun.planText);
  if (plan) status.totalSteps = plan->totalSteps;
  status.ranks = wholeRun.ranks;
  status.reporting.assign(static_cast<std::size_t>(wholeRun.ranks), false);
  placeInLaunch(store, wholeRun, status);
  std::int64_t newest = 0;
  const std::vector<RankProgress> ranks = store.rankProgress(wholeRun.id);
  for (const RankProgress& rank : ranks) newest = std::max(newest, rank.wallNanoseconds);
  for (const RankProgress& rank : ranks) {
    status.steps = std::max(status.steps, rank.step + 1);
    if (rank.rank >= 0 && rank.rank < wholeRun.ranks) {
      status.reporting[static_cast<std::size_t>(rank.rank)] = newest - rank.wallNanoseconds < silentNanoseconds;
    }
  }
  if (newest == 0) return status;
  const auto pace = secondsPerStep(store.rankSeries(wholeRun.id, metric::loss, ranks.front().rank),
                                   attemptBegan(store, wholeRun), plan ? stageBegan(*plan, status.steps) : 0);
  if (pace)
    status.secondsLeft = *pace * static_cast<double>(std::max<std::int64_t>(0, status.totalSteps - status.steps));
  const double age = 1e-9 * static_cast<double>(wallNanoseconds() - newest);
  status.lagSeconds = std::max(0.0, age - pace.value_or(0));
  return status;
}

}  // namespace slipstream
