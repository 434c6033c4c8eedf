#include "engine/record/live_status.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/clock.h"
#include "engine/plan/run_plan.h"

namespace slipstream {
namespace {

/// Steps over which the time left is estimated.
constexpr std::size_t recentSteps = 100;
/// A rank whose newest step is so much older than that of the others has fallen silent.
constexpr std::int64_t silentNanoseconds = 5'000'000'000;

/// Seconds from one step to the next lately, evaluations and checkpoints included.
std::optional<double> secondsPerStep(const Series& series) {
  if (series.steps.size() < 2) return std::nullopt;
  const std::size_t first = series.steps.size() - std::min(recentSteps, series.steps.size());
  const std::int64_t steps = series.steps.back() - series.steps[first];
  if (steps <= 0) return std::nullopt;
  return 1e-9 * static_cast<double>(series.wallNanoseconds.back() - series.wallNanoseconds[first]) /
         static_cast<double>(steps);
}

/// Runs that one launch of this experiment makes.
int variantsOf(const RunRecord& run) {
  const auto experiment = nlohmann::json::parse(run.experimentText, nullptr, false);
  if (!experiment.is_object()) return 1;
  const auto variants = experiment.find("variants");
  return variants == experiment.end() ? 1 : std::max(1, static_cast<int>(variants->size()));
}

void placeInLaunch(RunStore& store, const RunRecord& run, LiveStatus& status) {
  const std::vector<std::string> made = store.runsOfGroup(run.group);
  const auto mine = std::find(made.begin(), made.end(), run.id);
  if (mine != made.end()) status.runOfLaunch = static_cast<int>(mine - made.begin()) + 1;
  status.runOfLaunch = std::max(1, status.runOfLaunch);
  status.runsOfLaunch = std::max({static_cast<int>(made.size()), variantsOf(run), status.runOfLaunch});
}

}  // namespace

LiveStatus liveStatus(RunStore& store, const RunRecord& wholeRun) {
  LiveStatus status;
  if (const auto plan = parseRunPlan(wholeRun.planText)) status.totalSteps = plan->totalSteps;
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
  const auto pace = secondsPerStep(store.rankSeries(wholeRun.id, "loss", ranks.front().rank));
  if (pace)
    status.secondsLeft = *pace * static_cast<double>(std::max<std::int64_t>(0, status.totalSteps - status.steps));
  const double age = 1e-9 * static_cast<double>(wallNanoseconds() - newest);
  status.lagSeconds = std::max(0.0, age - pace.value_or(0));
  return status;
}

}  // namespace slipstream
