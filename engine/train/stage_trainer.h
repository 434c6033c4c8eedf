// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/train/trainer.h"

namespace slipstream {

/// Trains one stage of the link's task, to its end or until the ranks agree to stop. `from`: the checkpoint inside the
/// stage to go on from; null: from its beginning. Collective; throws as train() does.
TrainingEnd trainStage(Link& link, Communicator& communicator, Device& device, const TrainingTools& tools,
                       const TrainingData& data, const StagePlan& stage, const CheckpointManifest* from);

}  // namespace slipstream
