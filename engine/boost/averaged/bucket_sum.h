// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/boost/bucket_exchange.h"
#include "engine/boost/rank_memory.h"
#include "engine/boost/step_slots.h"
#include "engine/comm/communicator.h"

namespace slipstream {

/// scale * sum of every bucket over the ranks of `group`, the same on each of them. `values` are all ranks' gradients
/// in the group's rank order where they share memory; then the sum is made in place, by slices, in rank order.
/// Otherwise it holds this rank's alone, and started all-reduces do it.
std::unique_ptr<BucketExchange> makeBucketSum(Communicator& group, std::vector<std::span<float>> values,
                                              std::vector<Bucket> buckets, float scale, DeviceQueue& queue,
                                              const VectorKernels& kernels);

/// The mean (or sum) of a run's gradients over all its ranks; null where there is one.
std::unique_ptr<BucketExchange> makeGradientSum(const UpdateContext& parts, const RankMemory& gradients, bool mean);

}  // namespace slipstream
