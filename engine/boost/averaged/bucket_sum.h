// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/boost/bucket_exchange.h"
#include "engine/boost/rank_memory.h"
#include "engine/boost/step_slots.h"
#include "engine/comm/communicator.h"

namespace slipstream {

/// scale * sum of every bucket over the ranks of `group`, the same on each of them. `values` are the gradients of all
/// ranks on this rank's host in `hosts`, in rank order, where they share memory: then the sum is made in place, by
/// slices, in rank order, and between several hosts by messages of our own. Otherwise it holds this rank's alone, with
/// `hosts` one, and started all-reduces do it.
std::unique_ptr<BucketExchange> makeBucketSum(Communicator& group, const HostLayout& hosts,
                                              std::vector<std::span<float>> values, std::vector<Bucket> buckets,
                                              float scale, Device& device, const VectorKernels& kernels);

/// The mean (or sum) of a run's gradients over all its ranks; null where there is one.
std::unique_ptr<BucketExchange> makeGradientSum(const UpdateContext& parts, const RankMemory& gradients, bool mean);

/// How such a sum travels, on which its bits depend.
std::string nameOfSum(const RankMemory& gradients);

}  // namespace slipstream
