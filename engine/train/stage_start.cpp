// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/stage_start.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/train/pre_trained_start.h"

namespace slipstream {
namespace {

/// In double, oldest first: the same bits on any number of ranks.
std::vector<float> meanOf(StoredSnapshots& snapshots, const FlatTensor& tensor) {
  const auto size = static_cast<std::size_t>(tensor.range.size());
  std::vector<double> sums(size);
  std::vector<float> values(size);
  for (int i = 0; i < snapshots.count(); ++i) {
    snapshots.read(i, tensor, values);
    for (std::size_t k = 0; k < size; ++k) sums[k] += static_cast<double>(values[k]);
  }
  for (std::size_t k = 0; k < size; ++k) values[k] = static_cast<float>(sums[k] / snapshots.count());
  return values;
}

void takeMean(StoredSnapshots& snapshots, const TrainingState& state, Communicator& communicator) {
  for (const FlatTensor& tensor : state.network.layout().tensors()) {
    std::vector<float> values(static_cast<std::size_t>(tensor.range.size()));
    if (communicator.rank() == 0) values = meanOf(snapshots, tensor);
    communicator.broadcast(std::as_writable_bytes(std::span(values)), 0);
    putTensor(state, tensor.range, values);
  }
}

CheckpointManifest endOf(const StagePlan& source, Link& link) {
  auto manifest = link.checkpointAt(source.endStep);
  if (manifest) return std::move(*manifest);
  throw Error(
      fmt::format("the store lacks the end of stage {} (step {}): resume the run from an earlier checkpoint "
                  "(--from STEP), which makes it again",
                  source.name, source.endStep));
}

}  // namespace

std::int64_t startStage(const RunPlan& plan, const StagePlan& stage, const TrainingState& state,
                        StoredSnapshots* snapshots, Link& link, Communicator& communicator) {
  const StagePlan* source = findStage(plan, stage.start.stage);
  if (source == nullptr) {
    initializeWeights(state.network.layout(), state.slots.update->weights(), stage.experiment.seed, state.device);
    takePreTrained(plan, stage.experiment, state, link, communicator);
    return 0;
  }
  const CheckpointManifest end = endOf(*source, link);
  if (stage.start.continues) {
    return restoreCheckpoint(end, state, link, communicator, plan.allowDifferentBits).updatesDone;
  }
  restoreNetwork(end, state, link, communicator);
  if (stage.start.wantsMean()) takeMean(*snapshots, state, communicator);
  return 0;
}

}  // namespace slipstream
