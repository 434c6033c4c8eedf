// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/launch.h"
#include "engine/cuda/sums.h"

namespace slipstream {
namespace {

constexpr unsigned blockThreads = 256;

/// A warp a total: lane k takes every 32nd chunk from the k-th on, then the lanes are added up.
__global__ void totalOfEach(const double* partials, unsigned chunks, const std::uint32_t* first, unsigned kinds,
                            unsigned totalCount, double* totals) {
  const unsigned index = (blockIdx.x * blockDim.x + threadIdx.x) / warpThreads;
  if (index >= totalCount) return;
  const unsigned segment = index / kinds;
  const unsigned begin = first == nullptr ? 0 : first[segment];
  const unsigned end = first == nullptr ? chunks : first[segment + 1];
  const double* mine = partials + static_cast<std::size_t>(index % kinds) * chunks;
  double sum = 0;
  for (unsigned chunk = begin + threadIdx.x % warpThreads; chunk < end; chunk += warpThreads) sum += mine[chunk];
  sum = warpSum(sum);
  if (threadIdx.x % warpThreads == 0) totals[index] = sum;
}

}  // namespace

void totalChunks(DeviceQueue& queue, const double* partials, unsigned chunks, const std::uint32_t* first,
                 unsigned segments, unsigned kinds, double* totals) {
  const unsigned count = segments * kinds;
  if (count == 0) return;
  constexpr unsigned totalsOfBlock = blockThreads / warpThreads;
  launch(queue, "add up chunks", totalOfEach, (count + totalsOfBlock - 1) / totalsOfBlock, blockThreads, partials,
         chunks, first, kinds, count, totals);
}

}  // namespace slipstream
