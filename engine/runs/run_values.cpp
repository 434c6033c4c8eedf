// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <numeric>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/plan/run_plan.h"
#include "engine/record/series.h"
#include "engine/runs/run_columns.h"
#include "engine/runs/run_outcome.h"
#include "engine/runs/run_selection.h"
#include "engine/store/study_table.h"
#include "engine/store/verified_checkpoint.h"

// What is read of a run to fill the columns of a list.
namespace slipstream {
namespace {

constexpr double bytesPerMegabyte = 1e6, nanosecondsPerSecond = 1e9;

RunValue& valueOf(RunValues& values, std::string_view key) {
  return values.columns[*findRunColumn(key)];
}

void put(RunValues& values, std::string_view key, std::string text) {
  valueOf(values, key) = {std::nullopt, std::move(text), false};
}

void put(RunValues& values, std::string_view key, double number) {
  valueOf(values, key) = {number, {}, false};
}

/// Of a run that has ended, across its attempts; what attemptNanoseconds says more exactly for one run.
void putDuration(RunValues& values, const RunRecord& run) {
  if (run.startedAt == 0 || run.endedAt < run.startedAt) return;
  put(values, "duration", static_cast<double>(run.endedAt - run.startedAt) / nanosecondsPerSecond);
}

void putOptimizer(RunValues& values, const OptimizerSpec& optimizer) {
  constexpr std::array kinds{"sgd", "momentum"};
  constexpr std::array modes{"constant", "linear", "poly", "cosine", "steps", "step", "warmup_cosine"};
  put(values, "optimizer", std::string(kinds.at(static_cast<std::size_t>(optimizer.kind))));
  put(values, "schedule", std::string(modes.at(static_cast<std::size_t>(optimizer.schedule.mode))));
  put(values, "lr", optimizer.schedule.maximum);
  put(values, "momentum", optimizer.momentum);
  put(values, "weight_decay", optimizer.weightDecay);
}

/// Of a run of stages, what the file asks of all of them.
void putSettings(RunValues& values, const RunPlan& plan) {
  const Experiment& asked = plan.experiment;
  const std::string acting = algorithmsText(values.acting);
  put(values, "algorithms", acting.empty() ? "averaged" : acting);
  put(values, "network", asked.network.name);
  put(values, "dataset", asked.dataset.name);
  putOptimizer(values, asked.optimizer);
  put(values, "batch", static_cast<double>(asked.dataset.batchSize));
  put(values, "global_batch",
      static_cast<double>(samplesPerBatch(asked.dataset, plan.ranks()) * batchesPerStep(asked)));
  put(values, "precision", asked.ampLevel);
  put(values, "planned_steps", static_cast<double>(plan.totalSteps));
  if (asked.train.targetAccuracy) put(values, "target", *asked.train.targetAccuracy);
}

double middleOf(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

/// Seconds of the steps before `step`.
double secondsBefore(const Series& stepSeconds, std::int64_t step) {
  double sum = 0;
  for (std::size_t i = 0; i < stepSeconds.steps.size() && stepSeconds.steps[i] < step; ++i) {
    sum += stepSeconds.values[i];
  }
  return sum;
}

/// To the first evaluation that reached the target; "never" where the run ended without one.
void putTimeToTarget(RunValues& values, const RunRecord& run, const Series& accuracy, const Series& stepSeconds) {
  const std::optional<double> target = values.at("target").number;
  if (!target || accuracy.values.empty()) return;
  const auto reached = std::ranges::find_if(accuracy.values, [&](double value) { return value >= *target; });
  if (reached != accuracy.values.end()) {
    const std::int64_t step = accuracy.steps[static_cast<std::size_t>(reached - accuracy.values.begin())];
    if (!stepSeconds.values.empty()) put(values, "seconds_to_target", secondsBefore(stepSeconds, step));
  } else if (isTerminal(run.state)) {
    valueOf(values, "seconds_to_target") = {std::nullopt, {}, true};
  }
}

void putResults(RunStore& store, const RunRecord& run, RunValues& values) {
  std::vector<std::string> damaged;
  const auto series = [&](const char* metric) { return readIntactSeries(store, run.id, metric, damaged); };
  const Series loss = series(metric::loss), stepSeconds = series(metric::stepSeconds),
               accuracy = series(metric::accuracy), testLoss = series(metric::evaluationLoss);
  if (!loss.values.empty()) {
    put(values, "loss", finalLoss(loss));
    put(values, "best_loss", summarize(loss, false)->best);
    put(values, "steps", static_cast<double>(loss.steps.back() + 1));
  }
  if (!stepSeconds.values.empty()) {
    put(values, "training_seconds", std::accumulate(stepSeconds.values.begin(), stepSeconds.values.end(), 0.0));
    put(values, "step_milliseconds", 1e3 * middleOf(stepSeconds.values));
  }
  if (!accuracy.values.empty()) {
    put(values, "accuracy", accuracy.values.back());
    put(values, "best_accuracy", summarize(accuracy, true)->best);
  }
  if (!testLoss.values.empty()) put(values, "test_loss", testLoss.values.back());
  putTimeToTarget(values, run, accuracy, stepSeconds);
}

/// Of the rank that holds most.
void putMemory(RunStore& store, const std::string& runId, RunValues& values) {
  std::int64_t most = 0;
  for (const auto& [rank, categories] : store.memory(runId)) {
    std::int64_t bytes = 0;
    for (const auto& [category, size] : categories) bytes += size;
    most = std::max(most, bytes);
  }
  if (most > 0) put(values, "memory", static_cast<double>(most) / bytesPerMegabyte);
}

}  // namespace

StudiesOfRuns studiesOfRuns(RunStore& store) {
  StudiesOfRuns names;
  for (const StudyRecord& study : store.studies().all()) {
    for (const StudyCell& cell : store.studies().cells(study.number)) {
      if (!cell.run.empty()) names[cell.run] = study.name;
    }
  }
  return names;
}

void refreshHead(RunValues& values, const RunRecord& run, const RunLabel& label) {
  const std::string& named = run.variant.empty() ? run.name : run.variant;
  put(values, "name", label.title.empty() ? named : label.title);
  put(values, "state", std::string(nameOf(run.state)));
  put(values, "experiment", run.experimentName);
  put(values, "variant", run.variant);
  put(values, "group", run.group);
  put(values, "tag", join(label.tags, ", "));
  put(values, "note", label.note);
  put(values, "created", static_cast<double>(run.createdAt));
  put(values, "attempt", run.attempt);
  put(values, "id", run.id);
  put(values, "ranks", run.ranks);
  put(values, "seed", static_cast<double>(run.seed));
  put(values, "device", run.device);
  putDuration(values, run);
}

RunValues valuesOfHead(const RunRecord& run, const RunLabel& label) {
  RunValues values{std::vector<RunValue>(runColumns().size()), {}};
  refreshHead(values, run, label);
  return values;
}

std::string algorithmsText(const std::vector<std::string>& acting) {
  std::vector<std::string> names;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    const bool acts = std::ranges::find(acting, algorithm.key) != acting.end();
    if (acts && algorithm.key != "averaged") names.push_back(algorithm.key);
  }
  return join(names, ", ");
}

RunValues readRunValues(RunStore& store, const RunRecord& wholeRun, const RunLabel& label,
                        const StudiesOfRuns& studies) {
  RunValues values = valuesOfHead(wholeRun, label);
  if (const auto study = studies.find(wholeRun.id); study != studies.end()) put(values, "study", study->second);
  if (const auto plan = parseRunPlan(wholeRun.planText)) {
    values.acting = algorithmsOf(*plan);
    putSettings(values, *plan);
  }
  putResults(store, wholeRun, values);
  putMemory(store, wholeRun.id, values);
  return values;
}

}  // namespace slipstream
