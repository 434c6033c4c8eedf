// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/interchange/tensor_source.h"
#include "engine/record/checkpoint_store.h"

namespace slipstream {

/// The network's tensors of a checkpoint or snapshot of the store; of what ranks hold each for themselves, the mean.
/// Reading throws Error where a checksum does not hold.
std::unique_ptr<TensorSource> checkpointSource(std::unique_ptr<CheckpointStore> store, CheckpointManifest manifest);

/// Whether it is a weight or a running statistic, not optimizer state.
bool belongsToNetwork(const TensorRecord& tensor);

}  // namespace slipstream
