// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/run_plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/config/fields.h"
#include "engine/experiment/resolved_form.h"

namespace slipstream {
namespace {

void describePlace(Fields& fields, RankPlacement& place) {
  fields.integer("rank", place.rank, atLeast(0));
  fields.integer("server", place.server, atLeast(0));
  fields.text("host", place.host, {});
  fields.integer("device_id", place.deviceId, atLeast(0));
}

void describeStage(Fields& fields, StagePlan& stage, Json& experiment) {
  fields.text("name", stage.name, {});
  fields.section("start", [&](Fields& inner) {
    inner.text("stage", stage.start.stage, {});
    choice(inner, "weights", stage.start.weights, startingWeights);
  });
  fields.flag("continue", stage.start.continues);
  fields.integer("first_step", stage.firstStep, atLeast(0));
  fields.integer("end_step", stage.endStep, atLeast(0));
  fields.integer("steps_per_epoch", stage.stepsPerEpoch, atLeast(1));
  fields.integer("schedule_step", stage.scheduleStep, atLeast(0));
  fields.integer("data_step", stage.dataStep, atLeast(0));
  Json snapshots(stage.snapshotSteps);
  fields.raw("snapshot_steps", snapshots);
  stage.snapshotSteps = snapshots.get<std::vector<std::int64_t>>();
  fields.flag("reads_snapshots", stage.readsSnapshots);
  fields.raw("experiment", experiment);
}

void describeStages(Fields& fields, std::vector<StagePlan>& stages, std::vector<Json>& experiments) {
  if (!fields.wants("stages", !stages.empty())) return;
  fields.list(
      "stages", stages.size(),
      [&](std::size_t count) {
        stages.resize(count);
        experiments.resize(count);
      },
      [&](Fields& inner, std::size_t i) { describeStage(inner, stages[i], experiments[i]); });
}

void describePlan(Fields& fields, RunPlan& plan, Json& experiment, std::vector<Json>& stageExperiments) {
  fields.raw("experiment", experiment);
  describeStages(fields, plan.stages, stageExperiments);
  fields.list(
      "places", plan.places.size(), [&](std::size_t count) { plan.places.resize(count); },
      [&](Fields& inner, std::size_t i) { describePlace(inner, plan.places[i]); });
  fields.flag("local", plan.local);
  fields.integer("threads_per_rank", plan.threadsPerRank, atLeast(1));
  if (fields.wants("class_names", !plan.classNames.empty())) fields.texts("class_names", plan.classNames);
  if (fields.wants("picture_names_sha256", !plan.pictureNamesHash.empty())) {
    fields.text("picture_names_sha256", plan.pictureNamesHash, {});
  }
  if (fields.wants("pre_trained_sha256", !plan.preTrainedHash.empty())) {
    fields.text("pre_trained_sha256", plan.preTrainedHash, {});
  }
  fields.integer("train_samples", plan.trainSamples, atLeast(0));
  fields.integer("steps_per_epoch", plan.stepsPerEpoch, atLeast(0));
  fields.integer("total_steps", plan.totalSteps, atLeast(0));
  fields.text("instruction_set", plan.instructionSet, {});
  fields.flag("allow_different_bits", plan.allowDifferentBits);
  if (fields.wants("end_at_step", plan.endAtStep > 0)) fields.integer("end_at_step", plan.endAtStep, atLeast(0));
  fields.list(
      "decisions", plan.decisions.size(), [&](std::size_t count) { plan.decisions.resize(count); },
      [&](Fields& inner, std::size_t i) { describeDecision(inner, plan.decisions[i]); });
  fields.section("memory_per_rank", [&](Fields& inner) {
    for (const char* category : {"weights", "gradients", "optimizer_state", "gather", "boost", "activations", "data"}) {
      inner.integer(category, plan.memoryPerRank[category], atLeast(0));
    }
  });
}

bool has(const StagePlan& stage, const Decision& decision) {
  const auto& own = stage.experiment.boost.decisions;
  return std::find(own.begin(), own.end(), decision) != own.end();
}

/// Decisions without a stage: those of the experiment that stages follow, and those that all stages make instead.
std::vector<Decision> sharedDecisions(const RunPlan& plan) {
  std::vector<Decision> shared = plan.experiment.boost.decisions;
  if (plan.stages.empty()) return shared;
  const auto& stages = plan.stages;
  std::erase_if(shared, [&](const Decision& decision) {
    return std::ranges::none_of(stages, [&](const StagePlan& stage) { return has(stage, decision); });
  });
  for (const Decision& decision : stages.front().experiment.boost.decisions) {
    if (std::find(shared.begin(), shared.end(), decision) != shared.end()) continue;
    if (std::ranges::all_of(stages, [&](const StagePlan& stage) { return has(stage, decision); })) {
      shared.push_back(decision);
    }
  }
  return shared;
}

}  // namespace

std::vector<Decision> allDecisions(const RunPlan& plan) {
  std::vector<Decision> all = sharedDecisions(plan);
  all.insert(all.end(), plan.decisions.begin(), plan.decisions.end());
  const std::vector<Decision> shared = all;
  for (const StagePlan& stage : plan.stages) {
    for (const Decision& decision : stage.experiment.boost.decisions) {
      if (std::find(shared.begin(), shared.end(), decision) != shared.end()) continue;
      all.push_back(decision);
      all.back().subject = stage.name + "." + decision.subject;
    }
  }
  return all;
}

std::vector<StagePlan> stagesOf(const RunPlan& plan) {
  if (!plan.stages.empty()) return plan.stages;
  StagePlan whole{"train", plan.experiment, {}, 0, plan.totalSteps, plan.stepsPerEpoch};
  whole.snapshotSteps = plannedSnapshots(whole, "train.snapshots").value_or(std::vector<std::int64_t>{});
  return {std::move(whole)};
}

const StagePlan* findStage(const RunPlan& plan, const std::string& name) {
  const auto found =
      std::find_if(plan.stages.begin(), plan.stages.end(), [&](const auto& stage) { return stage.name == name; });
  return found == plan.stages.end() ? nullptr : &*found;
}

const StagePlan& stageOfStep(const std::vector<StagePlan>& stages, std::int64_t step) {
  const auto found =
      std::find_if(stages.begin(), stages.end(), [&](const auto& stage) { return step < stage.endStep; });
  return found == stages.end() ? stages.back() : *found;
}

std::set<std::int64_t> startingSteps(const RunPlan& plan) {
  std::set<std::int64_t> steps;
  for (const StagePlan& stage : plan.stages) {
    if (const StagePlan* source = findStage(plan, stage.start.stage)) steps.insert(source->endStep);
  }
  return steps;
}

std::string toJsonText(const RunPlan& plan) {
  RunPlan copy = plan;
  Json experiment = toJson(plan.experiment);
  std::vector<Json> stages;
  for (const StagePlan& stage : plan.stages) stages.push_back(toJson(stage.experiment));
  return writeFields([&](Fields& fields) { describePlan(fields, copy, experiment, stages); }).dump(2);
}

Result<RunPlan> parseRunPlan(const std::string& jsonText) {
  if (const auto imported = parseImportedRun(jsonText)) {
    return fail("RUN", "",
                fmt::format("was imported ({}, {}): it has values, but neither weights nor a plan", imported->format,
                            imported->source),
                "name a run that slipstream trained");
  }
  SLIPSTREAM_TRY(value, parseJson(jsonText, "run plan"));
  RunPlan plan;
  Json experiment;
  std::vector<Json> stages;
  Failures failures;
  readFields(value, "", failures, [&](Fields& fields) { describePlan(fields, plan, experiment, stages); });
  auto resolved = experimentFromJson(experiment, "experiment");
  collect(resolved, failures);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    auto own = experimentFromJson(stages[i], fmt::format("stages[{}].experiment", i));
    if (collect(own, failures)) plan.stages[i].experiment = std::move(*own);
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  plan.experiment = std::move(*resolved);
  return plan;
}

}  // namespace slipstream
