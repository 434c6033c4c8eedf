// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/shard_sum.h"

#include <utility>

namespace slipstream {

std::unique_ptr<ShardSum> makeShardSum(const UpdateContext& parts, const ShardMap& map, std::vector<Bucket> buckets,
                                       std::vector<std::int64_t> starts, std::vector<std::span<float>> gradients,
                                       std::vector<std::span<float>> sums, bool sumsWhole) {
  const bool mean = parts.experiment.parallel.gradientsMean;
  const float scale = mean ? 1.0F / static_cast<float>(parts.communicator.size()) : 1.0F;
  const bool shared = gradients.size() > 1;
  ShardSumParts sum{parts.communicator,
                    map,
                    parts.device.queue(),
                    parts.kernels.of<VectorKernels>(),
                    std::move(buckets),
                    std::move(starts),
                    std::move(gradients),
                    std::move(sums),
                    sumsWhole,
                    scale};
  if (shared) return makeSharedMemoryShardSum(std::move(sum));
  return makeMessageShardSum(std::move(sum), parts.device);
}

}  // namespace slipstream
