// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <vector>

#include "engine/cuda/launch.h"
#include "engine/nn/cuda/cuda_ops.h"
#include "engine/nn/cuda/cudnn/plan_checks.h"
#include "engine/nn/cuda/cudnn/result_samples.h"

namespace slipstream {
namespace {

/// All threads that write *differs write the same value.
__global__ void compareFours(const uint4* one, const uint4* other, std::size_t count, int* differs) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const uint4 a = one[i];
    const uint4 b = other[i];
    if (a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w) *differs = 1;
  }
}

}  // namespace

void noteDifference(const void* one, const void* other, std::size_t bytes, int* differs, cudaStream_t stream) {
  constexpr std::size_t threads = 256, mostBlocks = 4096;
  const std::size_t count = bytes / sizeof(uint4);
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>(std::min((count + threads - 1) / threads, mostBlocks));
  launchOn(stream, "compare the results of a plan", compareFours, blocks, static_cast<unsigned>(threads),
           static_cast<const uint4*>(one), static_cast<const uint4*>(other), count, differs);
}

ResultCheck::ResultCheck(CudaQueue& queue, const PlanRequest& request, const PlanMemory& memory)
    : queue_(queue),
      request_(request),
      samples_(static_cast<std::size_t>(resultSamples(request).count)),
      memory_(queue, samples_ * (sampleLanes + 1) * sizeof(double), "allocate samples of a convolution"),
      sums_(samples_ * sampleLanes) {
  auto* sums = reinterpret_cast<double*>(memory_.data());
  sumSamples(CudaOps(queue, nullptr, nullptr), request, memory, sums);
  queue.download(std::span(sums_), sums, "sum samples of a convolution");
}

double ResultCheck::distance(const PlanMemory& memory) const {
  auto* values = reinterpret_cast<double*>(memory_.data()) + sums_.size();
  gatherSamples(CudaOps(queue_, nullptr, nullptr), request_, memory, values);
  std::vector<double> samples(samples_);
  queue_.download(std::span(samples), values, "read samples of a convolution");
  return sampleDistance(samples, sums_);
}

}  // namespace slipstream
