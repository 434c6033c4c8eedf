// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/weight_lookup.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/runs/run_selection.h"
#include "engine/store/checkpoint_store.h"

namespace slipstream {
namespace {

std::vector<StoredSize> sizesOf(const RunStore& store, const std::string& runId) {
  const auto checkpoints = CheckpointStore::openToRead(store.folder(), runId);
  return checkpoints ? (*checkpoints)->sizes() : std::vector<StoredSize>{};
}

StoredWeights ofCheckpoint(const CheckpointRow& row, const std::vector<StoredSize>& sizes) {
  StoredWeights one;
  one.step = row.step;
  one.kind = row.full ? WeightsKind::full : WeightsKind::weights;
  one.attempt = row.attempt;
  one.bytes = row.bytes;
  one.newBytes = row.newBytes;
  one.wallNanoseconds = row.wallNanoseconds;
  for (const StoredSize& size : sizes) {
    if (!size.snapshot && size.step == row.step) one.ownBytes = size.ownBytes;
  }
  return one;
}

StoredWeights ofSnapshot(const StoredSize& size) {
  StoredWeights one;
  one.step = size.step;
  one.kind = WeightsKind::snapshot;
  one.attempt = size.attempt;
  one.bytes = size.bytes;
  one.ownBytes = size.ownBytes;
  return one;
}

std::vector<std::string> stepsOf(const std::vector<StoredWeights>& all, bool snapshots) {
  std::vector<std::string> steps;
  for (const StoredWeights& one : all) {
    if ((one.kind == WeightsKind::snapshot) == snapshots) steps.push_back(std::to_string(one.step));
  }
  return steps;
}

/// What there is to name.
std::string choiceOf(const std::vector<StoredWeights>& all) {
  const auto checkpoints = stepsOf(all, false);
  const auto snapshots = stepsOf(all, true);
  std::vector<std::string> parts;
  if (!checkpoints.empty()) parts.push_back("a checkpoint's step: " + join(checkpoints, ", "));
  if (!snapshots.empty()) parts.push_back("a snapshot's: " + join(snapshots, ", "));
  return "name RUN@STEP with " + join(parts, ", or ");
}

}  // namespace

std::string_view nameOf(WeightsKind kind) {
  constexpr std::array<std::string_view, 3> names{"full", "weights", "snapshot"};
  return names.at(static_cast<std::size_t>(kind));
}

std::vector<StoredWeights> storedWeights(RunStore& store, const std::string& runId, const RunPlan& plan) {
  std::vector<StoredWeights> all;
  const std::vector<StoredSize> sizes = sizesOf(store, runId);
  for (const CheckpointRow& row : store.checkpoints(runId)) all.push_back(ofCheckpoint(row, sizes));
  for (const StoredSize& size : sizes) {
    if (size.snapshot) all.push_back(ofSnapshot(size));
  }
  const std::vector<StagePlan> stages = stagesOf(plan);
  for (StoredWeights& one : all) {
    const StagePlan& stage = stageOfStep(stages, one.step - 1);
    if (!plan.stages.empty()) one.stage = stage.name;
    // A step that refreshes statistics trains nothing.
    const std::int64_t updates = std::min(one.step - stage.firstStep, stage.updates());
    one.epoch = static_cast<double>(updates) / static_cast<double>(stage.stepsPerEpoch);
  }
  std::sort(all.begin(), all.end(), [](const StoredWeights& a, const StoredWeights& b) {
    return a.step != b.step ? a.step < b.step : a.kind > b.kind;
  });
  return all;
}

Result<WeightsReference> findWeights(RunStore& store, const std::string& reference) {
  const auto at = reference.find('@');
  SLIPSTREAM_TRY(run, findRun(store, reference.substr(0, at)));
  SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
  const std::vector<StoredWeights> all = storedWeights(store, run.id, plan);
  if (all.empty()) {
    return fail("RUN", reference, "the run has no checkpoint", "save some with train.checkpoint in the experiment");
  }
  constexpr std::int64_t none = -1;
  const std::int64_t step = at == std::string::npos ? none : parseInteger(reference.substr(at + 1)).value_or(none);
  const auto isMeant = [&](const StoredWeights& one) {
    return at == std::string::npos ? one.kind != WeightsKind::snapshot : one.step == step;
  };
  const auto found = std::find_if(all.rbegin(), all.rend(), isMeant);
  if (found != all.rend()) return WeightsReference{run, found->step, found->kind == WeightsKind::snapshot};
  if (at == std::string::npos) return fail("RUN", reference, "the run has snapshots only", choiceOf(all));
  return fail("RUN@STEP", reference, "the run has no checkpoint and no snapshot of this step", choiceOf(all));
}

}  // namespace slipstream
