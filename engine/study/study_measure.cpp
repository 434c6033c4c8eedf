// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/study_measure.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/boost/grad_accumulation/spec.h"
#include "engine/runs/measure.h"

namespace slipstream {
namespace {

constexpr const char* samplesToTarget = "samples_to_target";

/// Of the rank that holds most.
std::optional<double> measuredBytes(RunStore& store, const std::string& run) {
  std::int64_t most = 0;
  for (const auto& [rank, categories] : store.memory(run)) {
    std::int64_t sum = 0;
    for (const auto& [category, bytes] : categories) sum += bytes;
    most = std::max(most, sum);
  }
  return most > 0 ? std::optional(static_cast<double>(most)) : std::nullopt;
}

struct Totals {
  std::int64_t batch = 0, updates = 0, samples = 0;
};

Totals totalsOf(const RunPlan& plan) {
  Totals totals;
  for (const StagePlan& stage : stagesOf(plan)) {
    totals.batch = std::max(totals.batch, samplesPerStep(stage, plan.ranks()));
    totals.updates += stage.updates();
    totals.samples += stage.updates() * samplesPerStep(stage, plan.ranks());
  }
  return totals;
}

}  // namespace

std::int64_t samplesPerStep(const StagePlan& stage, int ranks) {
  return samplesPerBatch(stage.experiment.dataset, ranks) * batchesPerStep(stage.experiment);
}

const std::vector<StudyMeasure>& studyMeasures() {
  static const std::vector<StudyMeasure> all = [] {
    std::vector<StudyMeasure> made;
    for (const Measure& measure : measures()) {
      made.push_back({.key = measure.key,
                      .name = measure.name(),
                      .quantity = measure.quantity,
                      .higherIsBetter = measure.higherIsBetter,
                      .ratio = measure.cost || measure.countsToTarget(),
                      .onTestSet = measure.onTestSet,
                      .countsToTarget = measure.countsToTarget(),
                      .cost = measure.cost,
                      .bestOfMany = measure.bestOfMany});
    }
    made.push_back({.key = samplesToTarget,
                    .name = message("Samples to target"),
                    .quantity = Quantity::meanCount,
                    .ratio = true,
                    .countsToTarget = true});
    made.push_back({.key = memoryBytes,
                    .name = message("Bytes of the rank that holds most"),
                    .quantity = Quantity::count,
                    .ratio = true,
                    .counted = true});
    return made;
  }();
  return all;
}

const StudyMeasure* findStudyMeasure(const std::string& key) {
  const auto found = std::ranges::find(studyMeasures(), key, &StudyMeasure::key);
  return found == studyMeasures().end() ? nullptr : &*found;
}

std::vector<std::string> studyMeasureKeys() {
  std::vector<std::string> keys;
  for (const StudyMeasure& measure : studyMeasures()) {
    if (!measure.bestOfMany) keys.push_back(measure.key);
  }
  return keys;
}

std::optional<MeasuredValue> measuredIn(RunStore& store, const RunOutcome& outcome, const StageOutcome& stage,
                                        const StudyMeasure& measure) {
  MeasuredValue measured{.reached = !measure.countsToTarget || stage.reachedTarget};
  if (measure.key == memoryBytes) {
    const auto bytes = measuredBytes(store, outcome.run.id);
    if (!bytes) return std::nullopt;
    measured.value = *bytes;
    return measured;
  }
  const bool inSamples = measure.key == samplesToTarget;
  const auto value = stage.value(inSamples ? measure::stepsToTarget : measure.key);
  if (!value) return std::nullopt;
  measured.value = inSamples ? *value * static_cast<double>(samplesPerStep(stage.stage, outcome.run.ranks)) : *value;
  if (measure.onTestSet) {
    const auto error = stage.testSetError.find(measure.key);
    measured.testSetError = error == stage.testSetError.end() ? NAN : error->second;
  }
  return measured;
}

std::vector<Unequal> unequalBetween(const RunPlan& one, const RunPlan& other) {
  std::vector<Unequal> unequal;
  const auto add = [&](const char* what, const std::string& before, const std::string& after) {
    if (before != after) unequal.push_back({what, phrase("{} and {}", {before, after})});
  };
  const Totals before = totalsOf(one), after = totalsOf(other);
  add(message("samples a step"), countText(before.batch), countText(after.batch));
  add(message("updates"), countText(before.updates), countText(after.updates));
  add(message("samples in all"), countText(before.samples), countText(after.samples));
  add(message("ranks"), countText(one.ranks()), countText(other.ranks()));
  add(message("threads a rank"), countText(one.threadsPerRank), countText(other.threadsPerRank));
  add(message("device"), one.experiment.device, other.experiment.device);
  add(message("instruction set"), one.instructionSet, other.instructionSet);
  return unequal;
}

}  // namespace slipstream
