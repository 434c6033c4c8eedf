// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/repeat_steps.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <span>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/launch/supervisor.h"
#include "engine/launch/worker_query.h"
#include "engine/store/checkpoint_store.h"

namespace slipstream {
namespace {

class Unwatched final : public RunObserver {
  void attemptStarted(int, std::int64_t) override {}
  void step(const StepReport&) override {}
  void evaluated(std::int64_t, double) override {}
  void event(const Event&) override {}
};

/// Steps of the checkpoints and snapshots that a run reads when it goes on from `from`.
struct NeededWeights {
  std::vector<std::int64_t> checkpoints;
  std::vector<std::int64_t> snapshots;
};

NeededWeights neededFrom(const RunPlan& plan, CheckpointStore& weights, std::int64_t from) {
  NeededWeights needed;
  const std::set<std::int64_t> stageStarts = startingSteps(plan);
  for (const std::int64_t step : weights.steps()) {
    if (step == from || (step < from && stageStarts.contains(step))) needed.checkpoints.push_back(step);
  }
  for (const std::int64_t step : weights.snapshotSteps()) {
    if (step <= from) needed.snapshots.push_back(step);
  }
  return needed;
}

/// Copies tensors that the other store does not have yet, then the checkpoint or snapshot itself.
std::int64_t copyWeights(CheckpointStore& from, CheckpointStore& to, const CheckpointManifest& manifest) {
  to.begin();
  for (const TensorRecord& tensor : manifest.tensors) {
    if (to.has(tensor.hash)) continue;
    const std::vector<std::byte> bytes = from.read(tensor.hash);
    const std::span<const std::byte> all(bytes);
    std::int64_t index = 0;
    for (std::size_t at = 0; at < all.size(); at += checkpointPartBytes) {
      to.addPart(tensor.hash, index++, all.subspan(at, std::min<std::size_t>(checkpointPartBytes, all.size() - at)));
    }
  }
  return to.complete(manifest);
}

/// A run in the state of the stored one at `from`: same plan, its weights copied.
struct PreparedRun {
  std::string id;
  std::optional<CheckpointManifest> from;
};

Result<PreparedRun> prepareRun(RunStore& scratch, RunStore& store, const RunRecord& run, const RunPlan& plan,
                               const StepInterval& interval) {
  NewRun copy = run;
  copy.planText = toJsonText(plan);
  PreparedRun prepared{scratch.createRun(copy), std::nullopt};
  if (interval.from == 0) return prepared;
  SLIPSTREAM_TRY(source, CheckpointStore::openToRead(store.folder(), run.id));
  SLIPSTREAM_TRY(target, CheckpointStore::openToWrite(scratch.folder(), prepared.id));
  const NeededWeights needed = neededFrom(plan, *source, interval.from);
  for (const std::int64_t step : needed.checkpoints) {
    SLIPSTREAM_TRY(manifest, source->manifest(step));
    const std::int64_t added = copyWeights(*source, *target, manifest);
    scratch.addCheckpoint(prepared.id, {step, 1, true, added, added, 0});
    if (step == interval.from) prepared.from = std::move(manifest);
  }
  for (const std::int64_t step : needed.snapshots) {
    SLIPSTREAM_TRY(manifest, source->snapshot(step));
    copyWeights(*source, *target, manifest);
  }
  if (prepared.from) return prepared;
  return fail("RUN", run.id, fmt::format("the checkpoint of step {} is not there any more", interval.from),
              "see slipstream checkpoints " + run.id);
}

std::string nameOf(const TensorRecord& tensor) {
  return tensor.shard < 0 ? tensor.name : fmt::format("{}, rank {}", tensor.name, tensor.shard);
}

std::map<std::string, std::string> hashesOf(const CheckpointManifest& manifest) {
  std::map<std::string, std::string> hashes;
  for (const TensorRecord& tensor : manifest.tensors) hashes[nameOf(tensor)] = tensor.hash;
  return hashes;
}

Repetition compared(const StepInterval& interval, const CheckpointManifest& stored,
                    const CheckpointManifest& repeated) {
  Repetition repetition{interval, {}, {}, 0};
  const auto before = hashesOf(stored);
  const auto after = hashesOf(repeated);
  for (const auto& [name, hash] : before) {
    const auto found = after.find(name);
    if (found == after.end()) {
      repetition.missing.push_back(name);
      continue;
    }
    ++repetition.compared;
    if (found->second != hash) repetition.different.push_back(name);
  }
  for (const auto& [name, hash] : after) {
    if (!before.contains(name)) repetition.missing.push_back(name);
  }
  return repetition;
}

}  // namespace

std::vector<StepInterval> repeatableIntervals(RunStore& store, const std::string& runId) {
  std::vector<StepInterval> intervals;
  std::optional<std::int64_t> from = 0;
  for (const CheckpointRow& row : store.checkpoints(runId)) {
    if (from && row.step > *from) intervals.push_back({*from, row.step});
    if (row.full) from = row.step;
  }
  return intervals;
}

std::vector<StepInterval> chooseIntervals(std::vector<StepInterval> all, std::int64_t steps, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<StepInterval> chosen;
  for (std::int64_t taken = 0; taken < steps && !all.empty();) {
    const auto at = random() % all.size();
    chosen.push_back(all[at]);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
    taken += chosen.back().steps();
  }
  return chosen;
}

Result<Repetition> repeatSteps(RunStore& store, const RunRecord& run, const RunPlan& plan, const StepInterval& interval,
                               const std::filesystem::path& scratch) {
  SLIPSTREAM_TRY(scratchStore, RunStore::open(scratch, StoreAccess::write));
  RunPlan shortened = plan;
  shortened.endAtStep = interval.to;
  SLIPSTREAM_TRY(prepared, prepareRun(*scratchStore, store, run, shortened, interval));
  Unwatched observer;
  const RunEnd end =
      supervise(*scratchStore, prepared.id, shortened, prepared.from, {workerProgram(), {}, {}}, observer);
  SLIPSTREAM_TRY(weights, CheckpointStore::openToRead(scratch, prepared.id));
  const auto repeated = weights->manifest(interval.to);
  if (!repeated) {
    return fail("RUN", run.id,
                fmt::format("the steps {} to {} could not be repeated: {}", interval.from, interval.to, end.why),
                "mend the cause and try again");
  }
  SLIPSTREAM_TRY(original, CheckpointStore::openToRead(store.folder(), run.id));
  SLIPSTREAM_TRY(stored, original->manifest(interval.to));
  return compared(interval, stored, *repeated);
}

}  // namespace slipstream
