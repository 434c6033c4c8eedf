// SPDX-License-Identifier: GPL-3.0-or-later
// cuDNN's plans on a GPU: those that are chosen give the same bits each time. Prints how many of those that were tried
// do.
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include <gtest/gtest.h>

#include "engine/cuda/cuda_queue.h"
#include "engine/devices/open_device.h"
#include "engine/nn/cuda/cudnn/plan_trial.h"
#include "tests/nn/cuda/host_ops.h"
#include "tests/nn/cuda/planned_convolutions.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

constexpr int trialRuns = 8;
constexpr int checkedRuns = 40;

struct TriedPlans {
  int plans = 0;
  int repeat = 0;
  int requests = 0;
  int chosen = 0;
};

class GpuPlans : public testing::TestWithParam<ConvolutionPattern> {
 protected:
  void SetUp() override {
    auto opened = openDevice(cudaKind(), 0, meter_);
    if (!opened) GTEST_SKIP() << toText(opened.error());
    device_ = std::move(*opened);
  }
  CudaQueue& queue() { return cudaQueue(device_->queue()); }

  void check(const PlanRequest& request, const CudnnHandle& handle) {
    const CudnnDevice gpu(handle);
    const TryPlans once = tryPlansIn(queue(), handle.get(), trialRuns);
    std::vector<TensorBytes> tensors;
    const auto choice = CudnnPlan::build(request, gpu, [&](const PlanRequest& wanted, auto plans, auto of) {
      tensors.assign(of.begin(), of.end());
      const auto trials = once(wanted, plans, of);
      for (std::size_t i = 0; i < trials.size(); ++i) count(plans[i].name(), trials[i].repeats);
      return trials;
    });
    ++all_.requests;
    if (!choice.plan) return;
    ++all_.chosen;
    const auto again = tryPlansIn(queue(), handle.get(), checkedRuns)(request, std::span(&*choice.plan, 1), tensors);
    if (again.empty()) return;
    EXPECT_TRUE(again.front().repeats) << toText(request) << ": " << choice.plan->name();
  }
  void count(const std::string& engine, bool repeats) {
    for (TriedPlans* of : {&all_, &engines_[engine]}) {
      ++of->plans;
      of->repeat += repeats ? 1 : 0;
    }
  }
  void print() const {
    std::printf("%d of %d convolutions have a plan that repeats; %d of %d plans repeat\n", all_.chosen, all_.requests,
                all_.repeat, all_.plans);
    for (const auto& [engine, of] : engines_)
      if (of.repeat < of.plans) std::printf("  %s: %d of %d repeat\n", engine.c_str(), of.repeat, of.plans);
  }

  MemoryMeter meter_;
  std::unique_ptr<Device> device_;
  TriedPlans all_;
  std::map<std::string, TriedPlans> engines_;
};

TEST_P(GpuPlans, ThatAreChosenGiveTheSameBitsEachTime) {
  const CudnnHandle handle(queue().stream());
  for (const char* network : {"small_resnet", "small_resnet_bottleneck"}) {
    for (const ConvolutionShape& shape : convolutionsOf(network, {28, 28, 1}, 32)) {
      const bool isFirst = shape.input.channels == 1;
      if (isFirst && GetParam() != ConvolutionPattern::forward) continue;
      check({GetParam(), shape, NumberType::float16}, handle);
    }
  }
  print();
}

/// Memory of one request, on the host and on the GPU.
class PlanData {
 public:
  PlanData(Device& device, std::span<const TensorBytes> tensors) : device_(device) {
    std::uint64_t seed = 1;
    for (const auto& [tensor, bytes] : tensors) {
      const std::int64_t count = bytes / static_cast<std::int64_t>(sizeof(float));
      values_.push_back(drawn(count, ++seed));
      memory_.push_back(device.allocate(static_cast<std::size_t>(bytes), MemoryCategory::data));
      tensors_.push_back(tensor);
    }
  }
  PlanMemory onHost() {
    PlanMemory memory;
    for (std::size_t i = 0; i < tensors_.size(); ++i) memory.emplace_back(tensors_[i], values_[i].data());
    return memory;
  }
  PlanMemory onDevice() {
    PlanMemory memory;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      device_.copyIn(memory_[i]->bytes(), std::as_bytes(std::span(values_[i])));
      memory.emplace_back(tensors_[i], memory_[i]->bytes().data());
    }
    return memory;
  }
  /// Of the result there from the host's, by the norm of the host's.
  double distance() {
    double difference = 0, whole = 0;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (!isResult(tensors_[i])) continue;
      std::vector<float> there(values_[i].size());
      device_.copyOut(std::as_writable_bytes(std::span(there)), memory_[i]->bytes());
      for (std::size_t e = 0; e < there.size(); ++e) {
        const double expected = static_cast<double>(values_[i][e]);
        difference += std::pow(static_cast<double>(there[e]) - expected, 2);
        whole += expected * expected;
      }
    }
    return std::sqrt(difference / whole);
  }

 private:
  Device& device_;
  std::vector<PlanTensor> tensors_;
  std::vector<std::vector<float>> values_;
  std::vector<std::unique_ptr<Buffer>> memory_;
};

class GpuPlansInFp32 : public GpuPlans {
 protected:
  /// Of each plan that is tried.
  void compare(const PlanRequest& request, const CudnnHandle& handle) {
    const TryPlans trial = tryPlansIn(queue(), handle.get(), trialRuns);
    std::map<std::string, double> distances;
    const auto choice =
        CudnnPlan::build(request, CudnnDevice(handle), [&](const PlanRequest& wanted, auto plans, auto tensors) {
          PlanData data(*device_, tensors);
          HostConvolutions host(fusesNothing);
          std::vector<float> scratch(250);
          const PlanMemory there = data.onDevice();
          host.run(request, data.onHost(), scratch.data());
          for (const CudnnPlan& plan : plans) {
            const auto workspace =
                device_->allocate(static_cast<std::size_t>(plan.workspaceBytes()) + 256, MemoryCategory::data);
            plan.run(handle.get(), there, workspace->bytes().data());
            distances[plan.serialised()] = data.distance();
            double& worst = worst_[plan.name()];
            worst = std::max(worst, distances[plan.serialised()]);
          }
          return trial(wanted, plans, tensors);
        });
    ASSERT_TRUE(choice.plan);
    EXPECT_LT(distances.at(choice.plan->serialised()), 2e-6) << toText(request) << ": " << choice.plan->name();
  }

  std::map<std::string, double> worst_;  ///< by engine
};

/// TF32 has ten bits of 23: results would be 3e-4 away.
TEST_P(GpuPlansInFp32, ThatAreChosenComputeInFp32) {
  const CudnnHandle handle(queue().stream());
  for (const char* network : {"small_resnet", "lenet5"}) {
    for (const std::int64_t batch : {2, 8}) {
      for (const ConvolutionShape& shape : convolutionsOf(network, {28, 28, 1}, batch)) {
        compare({GetParam(), shape, NumberType::float32}, handle);
      }
    }
  }
  for (const auto& [engine, distance] : worst_) std::printf("  %s: at most %.1e away\n", engine.c_str(), distance);
}

std::string nameOfPattern(const testing::TestParamInfo<ConvolutionPattern>& instance) {
  constexpr std::array names{"Forward", "InputGradient", "WeightGradient", "ActivatedForward",
                             "ActivatedWeightGradient"};
  return names.at(static_cast<std::size_t>(instance.param));
}

INSTANTIATE_TEST_SUITE_P(Patterns, GpuPlans,
                         testing::Values(ConvolutionPattern::forward, ConvolutionPattern::inputGradient,
                                         ConvolutionPattern::weightGradient, ConvolutionPattern::activatedForward,
                                         ConvolutionPattern::activatedWeightGradient),
                         nameOfPattern);
INSTANTIATE_TEST_SUITE_P(Patterns, GpuPlansInFp32,
                         testing::Values(ConvolutionPattern::forward, ConvolutionPattern::inputGradient,
                                         ConvolutionPattern::weightGradient),
                         nameOfPattern);

}  // namespace
}  // namespace slipstream::test
