#include "engine/record/run_outcome.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/record/series.h"

namespace slipstream {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double sumBefore(const Series& series, std::int64_t step) {
  double sum = 0;
  for (std::size_t i = 0; i < series.steps.size() && series.steps[i] < step; ++i) sum += series.values[i];
  return sum;
}

/// The first evaluation that reached the target, in updates done; nothing where none did.
std::optional<std::int64_t> stepReaching(const Series& accuracy, double target) {
  for (std::size_t i = 0; i < accuracy.values.size(); ++i) {
    if (accuracy.values[i] >= target) return accuracy.steps[i];
  }
  return std::nullopt;
}

void measureLoss(const Series& loss, RunOutcome& outcome) {
  if (loss.values.empty()) return;
  outcome.steps = loss.steps.back() + 1;
  const std::size_t count = std::min(finalLossSteps, loss.values.size());
  outcome.measured["final_loss"] =
      std::accumulate(loss.values.end() - static_cast<std::ptrdiff_t>(count), loss.values.end(), 0.0) /
      static_cast<double>(count);
  outcome.measured["best_loss"] = summarize(loss, false)->best;
}

}  // namespace

RunOutcome outcomeOf(RunStore& store, const RunRecord& run, const RunPlan& plan) {
  RunOutcome outcome;
  outcome.run = run;
  // The last of several stages is not what the run came to: they stand in a table of their own (stage_results.h).
  const bool staged = !plan.stages.empty();
  if (!staged) measureLoss(store.series(run.id, "loss"), outcome);
  const Series stepSeconds = store.series(run.id, "step_seconds");
  if (!stepSeconds.values.empty()) {
    outcome.steps = std::max(outcome.steps, stepSeconds.steps.back() + 1);
    outcome.measured["step_milliseconds"] = 1e3 * median(stepSeconds.values);
    outcome.measured["training_seconds"] = std::accumulate(stepSeconds.values.begin(), stepSeconds.values.end(), 0.0);
  }
  const Series accuracy = store.series(run.id, "accuracy");
  if (staged || accuracy.values.empty()) return outcome;
  outcome.measured["accuracy"] = 100 * accuracy.values.back();
  outcome.measured["best_accuracy"] = 100 * summarize(accuracy, true)->best;
  if (!plan.experiment.train.targetAccuracy) return outcome;

  const auto reached = stepReaching(accuracy, *plan.experiment.train.targetAccuracy);
  outcome.reachedTarget = reached.has_value();
  const std::int64_t step = reached.value_or(outcome.steps);  // restricted: all steps where it never did
  outcome.measured["steps_to_target"] = static_cast<double>(step);
  if (!stepSeconds.values.empty()) outcome.measured["seconds_to_target"] = sumBefore(stepSeconds, step);
  return outcome;
}

}  // namespace slipstream
