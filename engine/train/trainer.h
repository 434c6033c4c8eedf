#pragma once

#include <cstdint>
#include <optional>

#include "engine/comm/communicator.h"
#include "engine/data/dataset.h"
#include "engine/device/memory.h"
#include "engine/wire/link.h"

namespace slipstream {

struct TrainingData {
  Images training;
  Images evaluation;
};

/// Loads both parts on this rank; failures name the file.
Result<TrainingData> loadTrainingData(const Experiment& experiment);

struct TrainingEnd {
  std::int64_t stepsDone = 0;
  bool stopped = false;  ///< asked to end before its time
};

/// Trains the link's task from its checkpoint or from the start, to its end or until the ranks agree to stop: records
/// every step, evaluates, keeps checkpoints. Collective. Throws Error on an invalid loss where the experiment ends on
/// one.
TrainingEnd train(Link& link, Communicator& communicator, Device& device, const TrainingData& data);

}  // namespace slipstream
