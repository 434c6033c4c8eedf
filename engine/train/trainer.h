#pragma once

#include <cstdint>

#include "engine/comm/communicator.h"
#include "engine/device/memory.h"
#include "engine/train/training_data.h"
#include "engine/wire/link.h"

namespace slipstream {

struct TrainingEnd {
  std::int64_t stepsDone = 0;
  bool stopped = false;  ///< asked to end before its time
};

/// Trains the link's task from its checkpoint or from the start, to its end or until the ranks agree to stop: records
/// every step, evaluates, keeps checkpoints. Collective. Throws Error on an invalid loss where the experiment ends on
/// one.
TrainingEnd train(Link& link, Communicator& communicator, Device& device, const TrainingData& data);

}  // namespace slipstream
