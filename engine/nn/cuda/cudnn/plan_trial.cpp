// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/cudnn/plan_trial.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <utility>

#include "engine/base/error.h"
#include "engine/nn/cuda/cudnn/plan_checks.h"

namespace slipstream {
namespace {

/// Aligned as the pool's memory is.
std::size_t placeOf(std::int64_t bytes) {
  constexpr std::size_t alignment = 256;
  return (static_cast<std::size_t>(bytes) + alignment - 1) / alignment * alignment;
}

/// As fp16 numbers of both signs between 0.03 and 0.06, as bf16 and fp32 small ones: sums of them depend on their
/// order, and none overflows.
std::vector<std::byte> smallNumbers(std::size_t bytes) {
  std::mt19937 draw(1);
  std::vector<std::byte> drawn(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    const auto bits = static_cast<std::uint32_t>(draw() >> 16U);
    const bool isHigh = i % 2 == 1;
    drawn[i] = static_cast<std::byte>(isHigh ? (0x28U | (bits & 0x83U)) : (bits & 0xffU));
  }
  return drawn;
}

constexpr PlanTrial didNotRun{std::numeric_limits<double>::infinity(), false, 0};

/// A result of a plan, and what its first run made it.
struct TrialResult {
  std::byte* made;
  std::byte* first;
  std::size_t bytes;
};

/// Memory for the tensors of a request, each result twice, and the largest workspace, filled with small numbers. No
/// meter counts it: it is gone before a step is taken.
class TrialMemory {
 public:
  TrialMemory(CudaQueue& queue, std::span<const CudnnPlan> plans, std::span<const TensorBytes> tensors)
      : stream_(queue.stream()) {
    const std::size_t workspace = workspaceOf(plans);
    bytes_ = workspace + placeOf(sizeof(int));
    for (const auto& [tensor, size] : tensors) bytes_ += placeOf(size) * (isResult(tensor) ? 2 : 1);
    void* taken = nullptr;
    queue.withRelief([&] { return cudaMalloc(&taken, bytes_); }, "take memory to try convolutions");
    memory_.reset(taken);
    fill(queue);
    std::byte* place = base();
    const auto take = [&](std::size_t size) { return std::exchange(place, place + size); };
    workspace_ = take(workspace);
    differs_ = reinterpret_cast<int*>(take(placeOf(sizeof(int))));
    for (const auto& [tensor, size] : tensors) {
      std::byte* made = take(placeOf(size));
      named_.emplace_back(tensor, made);
      if (isResult(tensor)) results_.push_back({made, take(placeOf(size)), placeOf(size)});
    }
  }
  const PlanMemory& named() const { return named_; }
  void* workspace() const { return workspace_; }

  void keepResults() const {
    checkCuda(cudaMemsetAsync(differs_, 0, sizeof(int), stream_), "try convolutions");
    for (const TrialResult& result : results_) {
      checkCuda(cudaMemcpyAsync(result.first, result.made, result.bytes, cudaMemcpyDeviceToDevice, stream_),
                "keep what a convolution made");
    }
  }
  void compareResults() const {
    for (const TrialResult& result : results_)
      noteDifference(result.made, result.first, result.bytes, differs_, stream_);
  }
  /// Of all comparisons since results were kept.
  bool areSame(CudaQueue& queue) const {
    int differs = 0;
    queue.download(std::span(&differs, 1), differs_, "compare what a convolution made");
    return differs == 0;
  }

 private:
  /// Waits for the GPU.
  struct GiveBack {
    void operator()(void* memory) const { cudaFree(memory); }
  };

  std::byte* base() const { return static_cast<std::byte*>(memory_.get()); }
  static std::size_t workspaceOf(std::span<const CudnnPlan> plans) {
    std::size_t bytes = 0;
    for (const CudnnPlan& plan : plans) bytes = std::max(bytes, placeOf(plan.workspaceBytes()));
    return bytes;
  }
  void fill(CudaQueue& queue) const {
    constexpr std::size_t most = std::size_t{1} << 20U;
    const auto numbers = smallNumbers(std::min(bytes_, most));
    queue.upload(base(), std::span<const std::byte>(numbers));
    for (std::size_t filled = numbers.size(); filled < bytes_; filled *= 2) {
      checkCuda(cudaMemcpyAsync(base() + filled, base(), std::min(filled, bytes_ - filled), cudaMemcpyDeviceToDevice,
                                stream_),
                "fill memory to try convolutions");
    }
  }

  cudaStream_t stream_;
  std::size_t bytes_ = 0;
  std::unique_ptr<void, GiveBack> memory_;
  PlanMemory named_;
  std::vector<TrialResult> results_;
  std::byte* workspace_ = nullptr;
  int* differs_ = nullptr;
};

/// The first run of a plan loads its code, and its time does not count; of the others the fastest is what nothing
/// disturbed.
class Trial {
 public:
  Trial(CudaQueue& queue, cudnnHandle_t handle, const PlanRequest& request, const TrialMemory& memory)
      : queue_(queue), handle_(handle), memory_(memory), check_(queue, request, memory.named()) {}

  PlanTrial of(const CudnnPlan& plan, int runs) {
    run(plan);
    const double distance = check_.distance(memory_.named());
    memory_.keepResults();
    float fastest = std::numeric_limits<float>::infinity();
    for (int i = 0; i < runs; ++i) {
      fastest = std::min(fastest, millisecondsOf(plan));
      memory_.compareResults();
    }
    return {static_cast<double>(fastest) / 1000, memory_.areSame(queue_), distance};
  }

 private:
  void run(const CudnnPlan& plan) { plan.run(handle_, memory_.named(), memory_.workspace()); }
  float millisecondsOf(const CudnnPlan& plan) {
    checkCuda(cudaEventRecord(begin_.handle(), queue_.stream()), "begin to time a convolution");
    run(plan);
    checkCuda(cudaEventRecord(end_.handle(), queue_.stream()), "time a convolution");
    end_.wait();
    float milliseconds = 0;
    checkCuda(cudaEventElapsedTime(&milliseconds, begin_.handle(), end_.handle()), "time a convolution");
    return milliseconds;
  }

  CudaQueue& queue_;
  cudnnHandle_t handle_;
  const TrialMemory& memory_;
  ResultCheck check_;
  CudaEvent begin_{cudaEventDefault};
  CudaEvent end_{cudaEventDefault};
};

std::vector<PlanTrial> tried(CudaQueue& queue, cudnnHandle_t handle, const PlanRequest& request,
                             std::span<const CudnnPlan> plans, std::span<const TensorBytes> tensors, int runs) {
  const TrialMemory memory(queue, plans, tensors);
  Trial trial(queue, handle, request, memory);
  std::vector<PlanTrial> trials;
  for (const CudnnPlan& plan : plans) {
    try {
      trials.push_back(trial.of(plan, runs));
    } catch (const Error&) {
      trials.push_back(didNotRun);
    }
  }
  return trials;
}

}  // namespace

TryPlans tryPlansIn(CudaQueue& queue, cudnnHandle_t handle, int runs) {
  return [&queue, handle, runs](const PlanRequest& request, std::span<const CudnnPlan> plans,
                                std::span<const TensorBytes> tensors) {
    try {
      refuseWhileRecording("try convolutions");
      return tried(queue, handle, request, plans, tensors, runs);
    } catch (const Error&) {
      return std::vector<PlanTrial>{};
    }
  };
}

}  // namespace slipstream
