// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/runs/run_removal.h"
#include "engine/store/checkpoint_removal.h"
#include "engine/store/checkpoint_store.h"

namespace slipstream {
namespace {

bool hasFailed(const RunRecord& run) {
  return run.state == RunState::failed || run.state == RunState::lost;
}

/// Checkpoints but the newest `keep`, less those that must stay.
std::vector<std::int64_t> olderCheckpoints(RunStore& store, const RunRecord& head, std::int64_t keep) {
  const auto run = store.find(head.id);
  if (!run) return {};
  const auto rows = store.checkpoints(head.id);
  const auto count = std::max<std::int64_t>(0, std::ssize(rows) - keep);
  std::vector<std::int64_t> steps;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t step = rows[static_cast<std::size_t>(i)].step;
    if (whyKept(*run, step).empty()) steps.push_back(step);
  }
  return steps;
}

/// What only these checkpoints hold.
std::int64_t ownBytes(const RunStore& store, const std::string& runId, const std::vector<std::int64_t>& steps) {
  const auto checkpoints = CheckpointStore::openToRead(store.folder(), runId);
  if (!checkpoints) return 0;
  std::int64_t bytes = 0;
  for (const StoredSize& size : (*checkpoints)->sizes()) {
    const bool goes = !size.snapshot && std::find(steps.begin(), steps.end(), size.step) != steps.end();
    if (goes) bytes += size.ownBytes;
  }
  return bytes;
}

}  // namespace

std::vector<Prunable> prunable(RunStore& store, const std::vector<RunRecord>& runs, const PruneRequest& request) {
  const auto labels = store.labels();
  std::vector<Prunable> all;
  for (const RunRecord& run : runs) {
    const auto label = labels.find(run.id);
    if (!run.remote.empty() || isLiving(run.state) || (label != labels.end() && label->second.pinned)) continue;
    Prunable one{run, request.failedRuns && hasFailed(run), {}, 0};
    if (one.wholeRun) {
      one.bytes = sizeOfRun(store, run.id).total();
    } else if (request.keepCheckpoints) {
      one.checkpointSteps = olderCheckpoints(store, run, *request.keepCheckpoints);
      one.bytes = ownBytes(store, run.id, one.checkpointSteps);
    }
    if (one.wholeRun || !one.checkpointSteps.empty()) all.push_back(std::move(one));
  }
  return all;
}

Status prune(RunStore& store, const Prunable& prunable) {
  if (prunable.wholeRun) return removeRun(store, prunable.run.id);
  return deleteCheckpoints(store, prunable.run.id, prunable.checkpointSteps);
}

}  // namespace slipstream
