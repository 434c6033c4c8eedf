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
  std::span<const float> inputs;           ///< of samples that are no pictures
  std::span<const std::int32_t> labels;    ///< [count]
  std::int64_t count = 0;
  double share = 1;  ///< what its mean loss counts for in the step's
};

/// All of a batch at once.
MicroBatch wholeOf(const Batch& batch);

/// Each of the step's batches in nearly equal parts: as many as the plan says, or as it has samples. Shares are those
/// of the samples, so that the parts add up to the step's mean; where the plan sums micro-batches they are as many
/// times larger as it makes of a batch.
std::vector<MicroBatch> microBatchesOf(const Batch& batch, const StepPlan& plan);

}  // namespace slipstream
