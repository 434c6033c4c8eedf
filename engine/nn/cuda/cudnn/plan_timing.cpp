// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/cudnn/plan_timing.h"

#include <algorithm>
#include <limits>

#include "engine/base/error.h"

namespace slipstream {
namespace {

/// The first run of a plan loads its code, and is not counted; of the others the fastest is what nothing disturbed.
constexpr int timedRuns = 3;

/// Aligned as the pool's memory is.
std::size_t placeOf(std::int64_t bytes) {
  constexpr std::size_t alignment = 256;
  return (static_cast<std::size_t>(bytes) + alignment - 1) / alignment * alignment;
}

/// Memory for the tensors of a request and the largest workspace, filled with small numbers: what a GPU takes depends
/// on the values too, and zeros are the cheapest. No meter counts it: it is gone before a step is taken, and where it
/// does not fit, nothing is timed.
class TimingMemory {
 public:
  TimingMemory(CudaQueue& queue, std::span<const CudnnPlan> plans, std::span<const TensorBytes> tensors) {
    constexpr int smallNumbers = 0x2b;
    const std::size_t bytes = bytesOf(plans, tensors);
    queue.withRelief([&] { return cudaMalloc(&memory_, bytes); }, "take memory to time convolutions");
    checkCuda(cudaMemsetAsync(memory_, smallNumbers, bytes, queue.stream()), "fill memory to time convolutions");
    auto* place = static_cast<std::byte*>(memory_);
    for (const auto& [tensor, size] : tensors) {
      named_.emplace_back(tensor, place);
      place += placeOf(size);
    }
    workspace_ = place;
  }
  /// Waits for the GPU.
  ~TimingMemory() { cudaFree(memory_); }
  TimingMemory(const TimingMemory&) = delete;
  TimingMemory& operator=(const TimingMemory&) = delete;

  const PlanMemory& named() const { return named_; }
  void* workspace() const { return workspace_; }

 private:
  static std::size_t bytesOf(std::span<const CudnnPlan> plans, std::span<const TensorBytes> tensors) {
    std::size_t bytes = 0;
    for (const CudnnPlan& plan : plans) bytes = std::max(bytes, placeOf(plan.workspaceBytes()));
    for (const TensorBytes& tensor : tensors) bytes += placeOf(tensor.bytes);
    return bytes;
  }

  void* memory_ = nullptr;
  PlanMemory named_;
  std::byte* workspace_ = nullptr;
};

double secondsOf(const CudnnPlan& plan, const TimingMemory& memory, cudaStream_t stream, cudnnHandle_t handle) {
  const CudaEvent begin(cudaEventDefault);
  const CudaEvent end(cudaEventDefault);
  float fastest = std::numeric_limits<float>::infinity();
  for (int run = 0; run <= timedRuns; ++run) {
    checkCuda(cudaEventRecord(begin.handle(), stream), "begin to time a convolution");
    plan.run(handle, memory.named(), memory.workspace());
    checkCuda(cudaEventRecord(end.handle(), stream), "time a convolution");
    end.wait();
    float milliseconds = 0;
    checkCuda(cudaEventElapsedTime(&milliseconds, begin.handle(), end.handle()), "time a convolution");
    if (run > 0) fastest = std::min(fastest, milliseconds);
  }
  return static_cast<double>(fastest) / 1000;
}

std::vector<double> timed(CudaQueue& queue, cudnnHandle_t handle, std::span<const CudnnPlan> plans,
                          std::span<const TensorBytes> tensors) {
  const TimingMemory memory(queue, plans, tensors);
  std::vector<double> seconds;
  for (const CudnnPlan& plan : plans) {
    try {
      seconds.push_back(secondsOf(plan, memory, queue.stream(), handle));
    } catch (const Error&) {
      seconds.push_back(std::numeric_limits<double>::infinity());
    }
  }
  return seconds;
}

}  // namespace

TimePlans timePlansIn(CudaQueue& queue, cudnnHandle_t handle) {
  return [&queue, handle](std::span<const CudnnPlan> plans, std::span<const TensorBytes> tensors) {
    try {
      refuseWhileRecording("time convolutions");
      return timed(queue, handle, plans, tensors);
    } catch (const Error&) {
      return std::vector<double>{};
    }
  };
}

}  // namespace slipstream
