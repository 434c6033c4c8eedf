// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/train/compose.h"
#include "engine/train/weight_average.h"
#include "engine/wire/link.h"

namespace slipstream {

/// Everything of a run that a checkpoint holds, but the data set.
struct TrainingState {
  Network& network;
  StepSlots& slots;
  Device& device;                    ///< whose memory weights and optimizer state lie in
  WeightAverage* average = nullptr;  ///< where the run keeps one
};

/// What this rank adds to a checkpoint: weights and common state are shared out over the ranks, per-rank state is each
/// rank's own. Names: TENSOR (weights), "NAME/TENSOR" or NAME (an Update's state, and the weights' average),
/// "state/NAME" (running statistics).
class CheckpointContent {
 public:
  /// Collective: weights that are sharded are gathered one tensor at a time.
  CheckpointContent(const TrainingState& state, bool full, int rank, int ranks);
  /// The weights alone, for a snapshot. Collective.
  static CheckpointContent ofWeights(const TrainingState& state, int rank, int ranks);
  /// Valid while this and the training state live and stay unchanged.
  const std::vector<OutgoingTensor>& tensors() const { return tensors_; }

 private:
  CheckpointContent() = default;
  /// `prefix` precedes the names; `copied`: weights that do not stay where they are.
  void addWeights(const TrainingState& state, int rank, int ranks, const std::string& prefix = {}, bool copied = false);
  /// The values where the host can read them.
  std::span<const float> onHost(Device& device, std::span<const float> values);

  std::vector<OutgoingTensor> tensors_;
  std::vector<std::vector<float>> copies_;  ///< of weights that were only borrowed, and of what a device holds
};

/// The progress of a run beside its tensors, as a checkpoint keeps it.
struct TrainingProgress {
  std::int64_t step = 0;
  std::int64_t updatesDone = 0;
  std::uint64_t seed = 0;
  std::int64_t stepsPerEpoch = 0;
  std::string stage = "train";
};

/// JSON: the progress, the exchange in use and every policy's state.
std::string progressText(const TrainingProgress& progress, const StepSlots& slots, const Communicator& communicator);

/// Puts a checkpoint back: rank 0 fetches what all ranks share and broadcasts it. Collective. Throws Error where the
/// checkpoint lacks a tensor or holds one of another size, or where ranks exchange in another way than it was made
/// with (bits would differ) and that is not allowed.
TrainingProgress restoreCheckpoint(const CheckpointManifest& manifest, const TrainingState& state, Link& link,
                                   Communicator& communicator, bool allowDifferentBits);

/// Weights and running statistics only: what a stage takes over from another. Collective.
void restoreNetwork(const CheckpointManifest& manifest, const TrainingState& state, Link& link,
                    Communicator& communicator);

/// Writes the part of a whole tensor of weights that this rank keeps.
void putTensor(const TrainingState& state, Range tensor, std::span<const float> values);

}  // namespace slipstream
