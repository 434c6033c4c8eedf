// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/bucket_sizes.h"

#include <algorithm>

namespace slipstream {

std::vector<BucketSize> bucketSizes(const ParallelSpec& parallel, const NetworkShape& shape) {
  constexpr std::int64_t valueBytes = 4;
  const std::vector<int>& last = parallel.allReduceFusion;
  std::vector<BucketSize> buckets;
  for (std::size_t t = shape.tensors.size(); t-- > 0;) {
    const std::int64_t elements = shape.tensors[t].elements();
    const bool full = !buckets.empty() && buckets.back().elements + elements > parallel.bucketBytes / valueBytes;
    const bool starts = last.empty() ? full : std::ranges::count(last, static_cast<int>(t)) > 0;
    if (buckets.empty() || starts) buckets.emplace_back();
    ++buckets.back().tensors;
    buckets.back().elements += elements;
  }
  return buckets;
}

std::int64_t largestBucket(const std::vector<BucketSize>& buckets) {
  std::int64_t largest = 0;
  for (const BucketSize& bucket : buckets) largest = std::max(largest, bucket.elements);
  return largest;
}

}  // namespace slipstream
