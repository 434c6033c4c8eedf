// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runs/run_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/streams/output.h"
#include "engine/base/clock.h"
#include "engine/boost/metrics.h"
#include "engine/report/rank_times_text.h"
#include "engine/report/stage_text.h"
#include "engine/runs/measure.h"
#include "engine/runs/run_outcome.h"
#include "engine/spec/device_kind.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream::cli {
namespace {

/// Decisions on whole algorithms; those on single keys have a path.
bool isAlgorithm(const Decision& decision) {
  return decision.subject.find('.') == std::string::npos;
}

/// Percent as a fraction.
nlohmann::ordered_json measureJson(const StageOutcome& outcome, const char* key) {
  const auto value = outcome.value(key);
  if (!value) return {};
  return jsonNumber(measureOf(key).quantity == Quantity::percent ? *value / 100 : *value);
}

nlohmann::ordered_json stagesJson(const RunOutcome& outcome) {
  nlohmann::ordered_json stages = nlohmann::ordered_json::array();
  for (const StageOutcome& one : outcome.stages) {
    stages.push_back({{"name", one.stage.name},
                      {"starts_from", startText(one.stage).in()},
                      {"length", lengthText(one.stage, outcome.run.ranks).in()},
                      {"optimizer", optimizerText(one.stage).in()},
                      {"algorithms", algorithmsText(one.stage.experiment).in()},
                      {"first_step", one.stage.firstStep},
                      {"end_step", one.stage.endStep},
                      {"steps_done", one.steps},
                      {"accuracy", measureJson(one, measure::accuracy)},
                      {"loss", measureJson(one, measure::testLoss)},
                      {"training_loss", measureJson(one, measure::finalLoss)}});
  }
  return stages;
}

/// An algorithm is on in a run where it is on in one of the stages.
void addStage(nlohmann::ordered_json& boost, const StagePlan& stage) {
  for (const Decision& decision : stage.experiment.boost.decisions) {
    if (!isAlgorithm(decision) || decision.effect != Effect::on) continue;
    boost[decision.subject] = {{"state", "on"}, {"why", fmt::format("in stage {}: {}", stage.name, decision.why.in())}};
  }
}

/// Null where the run's program did not measure it.
nlohmann::ordered_json measured(bool was, double seconds) {
  return was ? nlohmann::ordered_json(seconds) : nlohmann::ordered_json();
}

nlohmann::ordered_json timeJson(const StepTiming& timing) {
  return {{"steps", timing.steps},
          {"step_seconds", timing.whole},
          {"compute_seconds", timing.compute},
          {"optimizer_seconds", measured(timing.optimizer > 0, timing.optimizer)},
          {"communication_seconds", timing.communication},
          {"data_seconds", timing.data},
          {"record_seconds", timing.recording},
          {"other_seconds", timing.other()},
          {"hidden_communication_seconds", measured(timing.hidden.has_value(), timing.hidden.value_or(0))},
          {"checkpoint_seconds", measured(timing.hidden.has_value(), timing.checkpoints)},
          {"evaluation_seconds", measured(timing.hidden.has_value(), timing.evaluation)}};
}

/// Seconds of all steps together.
nlohmann::ordered_json timesJson(const std::vector<RankTime>& times) {
  nlohmann::ordered_json ranks = nlohmann::ordered_json::array();
  for (const RankTime& time : times) {
    nlohmann::ordered_json row{{"rank", time.rank}};
    row.update(timeJson(time.timing));
    ranks.push_back(std::move(row));
  }
  nlohmann::ordered_json json{{"ranks", std::move(ranks)}};
  if (times.empty()) return json;
  const RankBalance balance = balanceOf(times);
  json["mean"] = timeJson(meanTiming(times));
  json["slowest_rank"] = balance.slowest;
  json["straggler_index"] = balance.stragglerIndex;
  json["delay"] = delayText(balance.cause).in();
  return json;
}

}  // namespace

nlohmann::ordered_json headJson(const RunRecord& run) {
  nlohmann::ordered_json json{{"run", run.id},
                              {"name", run.name},
                              {"experiment", run.experimentName},
                              {"variant", run.variant},
                              {"group", run.group},
                              {"state", nameOf(run.state)},
                              {"why", run.why},
                              {"slurm_job", run.job},
                              {"ranks", run.ranks},
                              {"device", run.device},
                              {"seed", run.seed},
                              {"attempt", run.attempt},
                              {"created", wallText(run.createdAt)},
                              {"emulated", isEmulated(run.device)}};
  if (!run.remote.empty()) json["copy_of"] = run.remote;
  return json;
}

nlohmann::ordered_json runJson(RunStore& store, const RunRecord& run, const RunPlan& plan) {
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();
  std::vector<std::string> damaged;
  for (const auto& [metric, summary] : summaries(store, run, damaged)) {
    metrics[metric] = {{"last", jsonNumber(summary.last)}};
    if (betterOf(metric) != Better::neither) metrics[metric]["best"] = jsonNumber(summary.best);
  }
  nlohmann::ordered_json boost = nlohmann::ordered_json::object();
  for (const Decision& decision : plan.experiment.boost.decisions) {
    if (isAlgorithm(decision)) boost[decision.subject] = {{"state", decision.state}, {"why", decision.why.in()}};
  }
  for (const StagePlan& stage : plan.stages) addStage(boost, stage);
  nlohmann::ordered_json memory = nlohmann::ordered_json::array();
  for (const auto& [rank, categories] : store.memory(run.id)) {
    nlohmann::ordered_json row{{"rank", rank}};
    for (const auto& [category, bytes] : categories) row[category] = bytes;
    memory.push_back(std::move(row));
  }
  nlohmann::ordered_json json = headJson(run);
  json["shrunk"] = shrinkingOf(store, run.id);
  json.update({{"repeat", run.commandText},
               {"stages", stagesJson(outcomeOf(store, run, plan))},
               {"metrics", metrics},
               {"damaged", damaged},
               {"boost", boost},
               {"time", timesJson(intactRankTimes(store, run.id, run.ranks))},
               {"memory", memory}});
  if (const auto imported = parseImportedRun(run.planText)) {
    json["imported"] = {{"format", imported->format}, {"source", imported->source}, {"settings", imported->settings}};
  }
  return json;
}

std::vector<NamedSummary> summaries(RunStore& store, const RunRecord& run, std::vector<std::string>& damaged) {
  std::vector<NamedSummary> all;
  for (const std::string& metric : intactMetricNames(store, run.id, damaged)) {
    const Series series = readIntactSeries(store, run.id, metric, damaged);
    const auto summary = summarize(series, betterOf(metric) == Better::higher);
    if (summary) all.push_back({metric, *summary});
  }
  return all;
}

}  // namespace slipstream::cli
