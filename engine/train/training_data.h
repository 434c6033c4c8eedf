// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/comm/communicator.h"
#include "engine/data/sample_source.h"

namespace slipstream {

struct TrainingData {
  PartContent training;
  PartContent evaluation;
};

/// Loads both parts; failures name the file.
Result<TrainingData> loadTrainingData(const Experiment& experiment);

/// The same on every rank, loaded (of an image folder: listed) by rank 0 alone: eight ranks on two cores would else
/// unpack everything eight times before the first step. Of digits every rank draws its part. Collective. Throws Error
/// where rank 0 cannot load it.
TrainingData shareTrainingData(const Experiment& experiment, Communicator& communicator);

}  // namespace slipstream
