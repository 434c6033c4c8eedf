// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/run_outcome.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/boost/metrics.h"
#include "engine/record/series.h"
#include "engine/runs/measure.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream {
namespace {

/// Of a whole run or of one of its stages.
struct Curves {
  Series loss, stepSeconds, accuracy, evaluationLoss, evaluationSamples, evaluationLossError;

  Curves of(const StagePlan& stage) const {
    return {seriesOfStage(loss, metric::loss, stage),
            seriesOfStage(stepSeconds, metric::stepSeconds, stage),
            seriesOfStage(accuracy, metric::accuracy, stage),
            seriesOfStage(evaluationLoss, metric::evaluationLoss, stage),
            seriesOfStage(evaluationSamples, metric::evaluationSamples, stage),
            seriesOfStage(evaluationLossError, metric::evaluationLossError, stage)};
  }
  /// Steps done, counted over the whole run.
  std::int64_t done() const {
    std::int64_t steps = 0;
    for (const Series* series : {&loss, &stepSeconds}) {
      if (!series->steps.empty()) steps = std::max(steps, series->steps.back() + 1);
    }
    // What a stage without updates does shows in its evaluation alone.
    return accuracy.steps.empty() ? steps : std::max(steps, accuracy.steps.back());
  }
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double sumOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
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

void measureLoss(const Series& loss, StageOutcome& outcome) {
  if (loss.values.empty()) return;
  outcome.measured[measure::finalLoss] = finalLoss(loss);
  outcome.measured[measure::bestLoss] = summarize(loss, false)->best;
}

void measureTarget(const Curves& curves, double target, StageOutcome& outcome) {
  const auto reached = stepReaching(curves.accuracy, target);
  outcome.reachedTarget = reached.has_value();
  // Restricted: all steps where it never did.
  const std::int64_t step = reached.value_or(outcome.stage.firstStep + outcome.steps);
  outcome.measured[measure::stepsToTarget] = static_cast<double>(step - outcome.stage.firstStep);
  if (!curves.stepSeconds.values.empty())
    outcome.measured[measure::secondsToTarget] = sumBefore(curves.stepSeconds, step);
}

/// Samples that the last evaluation judged; an older run says so only where its plan does.
std::optional<double> samplesJudged(const Curves& curves, const StagePlan& stage) {
  if (!curves.evaluationSamples.values.empty()) return curves.evaluationSamples.values.back();
  const auto planned = static_cast<double>(stage.experiment.dataset.evaluationSamples);
  return planned > 0 ? std::optional(planned) : std::nullopt;
}

void addTestSetErrors(const Curves& curves, StageOutcome& outcome) {
  const auto samples = samplesJudged(curves, outcome.stage);
  if (samples && !curves.accuracy.values.empty()) {
    outcome.testSetError[measure::accuracy] =
        100 * std::sqrt(accuracyVariance(curves.accuracy.values.back(), *samples));
  }
  if (!curves.evaluationLossError.values.empty()) {
    outcome.testSetError[measure::testLoss] = curves.evaluationLossError.values.back();
  }
}

void addBits(const Series& series, Sha256& hash) {
  hash.add(std::as_bytes(std::span(series.steps)));
  hash.add(std::as_bytes(std::span(series.values)));
}

/// What the seed of a run can change, times left out.
std::string resultsHash(const Curves& run) {
  Sha256 hash;
  for (const Series* series : {&run.loss, &run.accuracy, &run.evaluationLoss}) addBits(*series, hash);
  return hash.text();
}

StageOutcome outcomeOf(const StagePlan& stage, const Curves& run, std::int64_t done) {
  StageOutcome outcome{stage, std::clamp(done, stage.firstStep, stage.endStep) - stage.firstStep, {}};
  const Curves curves = run.of(stage);
  addTestSetErrors(curves, outcome);
  measureLoss(curves.loss, outcome);
  if (!curves.evaluationLoss.values.empty()) outcome.measured[measure::testLoss] = curves.evaluationLoss.values.back();
  if (const auto& seconds = curves.stepSeconds.values; !seconds.empty()) {
    outcome.measured[measure::stepMilliseconds] = 1e3 * median(seconds);
    outcome.measured[measure::trainingSeconds] = sumOf(seconds);
  }
  if (curves.accuracy.values.empty()) return outcome;
  outcome.measured[measure::accuracy] = 100 * curves.accuracy.values.back();
  outcome.measured[measure::bestAccuracy] = 100 * summarize(curves.accuracy, true)->best;
  if (const auto target = stage.experiment.train.targetAccuracy) measureTarget(curves, *target, outcome);
  return outcome;
}

}  // namespace

double finalLoss(const Series& loss) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(finalLossSteps, loss.values.size()));
  return std::accumulate(loss.values.end() - count, loss.values.end(), 0.0) / static_cast<double>(count);
}

std::optional<double> StageOutcome::value(const std::string& measure) const {
  const auto found = measured.find(measure);
  return found == measured.end() ? std::nullopt : std::optional(found->second);
}

double RunOutcome::trainingSeconds() const {
  double seconds = 0;
  for (const StageOutcome& stage : stages) {
    seconds += stage.value(measure::trainingSeconds).value_or(0);
  }
  return seconds;
}

namespace {

/// The supervisor's last word on an attempt.
bool endsAttempt(const Event& event) {
  return event.code == "run.done" || event.code == "run.failed" || event.code == "run.stopped";
}

/// Wall nanoseconds of the last step that any rank reported; 0 where none did or its values are damaged.
std::int64_t lastStepOf(RunStore& store, const std::string& runId) {
  std::int64_t last = 0;
  try {
    for (const RankProgress& rank : store.rankProgress(runId)) last = std::max(last, rank.wallNanoseconds);
  } catch (const StoreDamaged&) {
    // Events and checkpoints tell about when it was.
  }
  return last;
}

}  // namespace

std::int64_t attemptNanoseconds(RunStore& store, const RunRecord& run) {
  struct Interval {
    std::int64_t begin = 0, end = 0;
    void include(std::int64_t wall) {
      begin = begin == 0 ? wall : begin;
      end = std::max(end, wall);
    }
  };
  std::map<int, Interval> attempts;
  bool hasEnded = false;
  for (const Event& event : store.events(run.id)) {
    if (event.attempt > 0) attempts[event.attempt].include(event.wallNanoseconds);
    hasEnded = hasEnded || (event.attempt == run.attempt && endsAttempt(event));
  }
  for (const CheckpointRow& row : store.checkpoints(run.id)) {
    if (attempts.contains(row.attempt)) attempts[row.attempt].include(row.wallNanoseconds);
  }
  if (!attempts.contains(run.attempt)) attempts[run.attempt].include(run.startedAt);
  const bool goesOn = run.state == RunState::running || run.state == RunState::stopping;
  if (goesOn) attempts[run.attempt].include(wallNanoseconds());
  // Of a lost run, the recorded end is when somebody noticed. A resume that failed before its attempt began has
  // recorded its own end as that of a run whose last attempt had ended long before.
  if (run.state == RunState::lost) {
    attempts[run.attempt].include(lastStepOf(store, run.id));
  } else if (!hasEnded) {
    attempts[run.attempt].include(run.endedAt);
  }
  std::int64_t sum = 0;
  for (const auto& [number, span] : attempts) sum += span.end - span.begin;
  return sum;
}

std::string shrinkingOf(RunStore& store, const std::string& runId) {
  std::string said;
  for (const Event& event : store.events(runId)) {
    if (event.code == shrunkEvent) said = event.text;
  }
  return said;
}

RunOutcome outcomeOf(RunStore& store, const RunRecord& run, const RunPlan& plan) {
  std::vector<std::string> damaged;
  const auto series = [&](const char* metric) { return readIntactSeries(store, run.id, metric, damaged); };
  const Curves curves{
      series(metric::loss),           series(metric::stepSeconds),       series(metric::accuracy),
      series(metric::evaluationLoss), series(metric::evaluationSamples), series(metric::evaluationLossError)};
  // Other programs have other metrics to tell it by.
  const std::int64_t done = isImported(plan.experiment) ? plan.totalSteps : curves.done();
  RunOutcome outcome{
      run, done, !plan.stages.empty(), {}, resultsHash(curves), damageText(damaged), shrinkingOf(store, run.id)};
  for (const StagePlan& stage : stagesOf(plan)) outcome.stages.push_back(outcomeOf(stage, curves, done));
  return outcome;
}

Series seriesOfStage(const Series& series, const std::string& metric, const StagePlan& stage) {
  const MetricInfo* info = findMetric(metric);
  const std::int64_t shift = info != nullptr && info->ofEvaluation ? 1 : 0;
  return between(series, stage.firstStep + shift, stage.endStep + shift);
}

double accuracyVariance(double accuracy, double samples) {
  const double share = (accuracy * samples + 1) / (samples + 2);
  return share * (1 - share) / (samples + 2);
}

}  // namespace slipstream
