// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/boost/step_slots.h"
#include "engine/data/dataset.h"

namespace slipstream {

/// A part of a step's samples that passes through the network at once.
struct MicroBatch {
  std::span<const std::uint8_t> pictures;  ///< [count, elements]
  std::span<const float> inputs;           ///< of samples that are no images
  std::span<const std::int32_t> labels;    ///< [count]
  std::int64_t count = 0;
  std::int64_t counted = 0;  ///< samples among them that are no stand-ins: all of them, or none
  double share = 1;          ///< what its mean loss counts for in the step's
};

/// All of a batch at once.
MicroBatch wholeOf(const Batch& batch);

/// Each of the step's batches in nearly equal parts: as many as the plan says, or as there are samples on the rank that
/// has most, so that ranks pass as many. Shares are those of the samples among all ranks': the mean over ranks of what
/// the parts add up to is the mean over all samples of the step. Where the plan sums micro-batches they are as many
/// times larger as it makes of a batch.
std::vector<MicroBatch> microBatchesOf(const Batch& batch, const StepPlan& plan);

/// What turns those shares into the ones of a mean over this rank's own samples, for an exchange that does not add.
double shareAmongOwn(const Batch& batch);

}  // namespace slipstream
