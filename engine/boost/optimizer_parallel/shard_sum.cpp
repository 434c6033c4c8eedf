// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/shard_sum.h"

#include <utility>

#include "engine/boost/optimizer_parallel/messages.h"

namespace slipstream {

std::unique_ptr<ShardSum> makeShardSum(const UpdateContext& parts, const ShardMap& map, std::vector<Bucket> buckets,
                                       std::vector<std::int64_t> starts, std::vector<std::span<float>> gradients,
                                       std::vector<std::span<float>> sums, bool sumsWhole, const HostLayout& hosts) {
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
                    hosts,
                    sumsWhole,
                    scale};
  if (!hosts.oneHost()) return makeHostShardSum(std::move(sum), parts.device);
  if (shared) return makeSharedMemoryShardSum(std::move(sum));
  return makeMessageShardSum(std::move(sum), parts.device);
}

void exchangeSums(const ShardSumParts& parts, std::int64_t end) {
  const ShardMap& map = parts.map;
  const ShardedValues sums{parts.sums.front(), parts.sumsWhole};
  const auto& tensors = map.layout().tensors();
  std::vector<std::unique_ptr<Request>> requests;
  for (int tensor = 0; tensor < std::ssize(tensors); ++tensor) {
    if (tensors[static_cast<std::size_t>(tensor)].range.begin >= end) break;
    if (map.holders(tensor) == 1) continue;
    Letters letters(map.ranks());
    for (int rank = 0; rank < map.ranks(); ++rank) {
      if (rank == map.rank() || !map.keepsTheSame(tensor, rank)) continue;
      letters.send(rank, sums.at(map, tensor, map.work(tensor, map.rank())));
      letters.receive(rank, sums.at(map, tensor, map.work(tensor, rank)));
    }
    requests.push_back(letters.start(parts.communicator));
  }
  waitForAll(requests);
}

}  // namespace slipstream
