// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/spec/experiment.h"

namespace slipstream {

/// Consecutive tensors in backward order that are exchanged together.
struct BucketSize {
  int tensors = 0;
  std::int64_t elements = 0;
  bool operator==(const BucketSize&) const = default;
};

/// The buckets of a network, by the rules of nn's bucketsBySize and bucketsByIndex.
std::vector<BucketSize> bucketSizes(const ParallelSpec& parallel, const NetworkShape& shape);

std::int64_t largestBucket(const std::vector<BucketSize>& buckets);

}  // namespace slipstream
