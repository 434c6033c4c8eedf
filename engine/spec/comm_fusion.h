// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/spec/experiment.h"

namespace slipstream {

inline constexpr Limits fusionIds = between(0, 1'000'000);

/// Ids that name no layer, and equal ids of layers that are no neighbours: a bucket is one run of tensors, because it
/// is exchanged when backward has passed it.
Failures checkCommFusion(const Experiment& experiment, const NetworkShape& shape);

/// The buckets that the layers' ids ask for, as all_reduce_fusion_config has them (inclusive last tensors, rising).
/// Layers without an id are cut by bucket_bytes. Nothing where no layer has one.
std::vector<int> bucketsOfLayerIds(const Experiment& experiment, const NetworkShape& shape);

}  // namespace slipstream
