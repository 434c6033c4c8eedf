// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/cudnn_convolutions.h"

#include "engine/base/files.h"
#include "engine/cuda/cuda_queue.h"
#include "engine/nn/cuda/cudnn/plan_cache.h"
#include "engine/nn/cuda/cudnn/plan_trial.h"
#include "engine/plan/network_memory.h"

namespace slipstream {
namespace {

class CudnnConvolutions final : public ConvolutionRunner {
 public:
  explicit CudnnConvolutions(CudaQueue& queue)
      : handle_(queue.stream()),
        plans_(CudnnDevice(handle_), userDataFolder() / "cudnn_plans", tryPlansIn(queue, handle_.get())) {}

  bool fuses() const override { return convolutionsOfGpus == Convolutions::fused; }
  bool has(const PlanRequest& request) override { return plans_.find(request) != nullptr; }
  std::int64_t prepare(const PlanRequest& request) override { return plans_.plan(request).workspaceBytes(); }
  void run(const PlanRequest& request, const PlanMemory& memory, void* scratch) override {
    plans_.plan(request).run(handle_.get(), memory, scratch);
  }
  std::string nameOf(const PlanRequest& request) override { return plans_.plan(request).name(); }

 private:
  CudnnHandle handle_;
  PlanCache plans_;
};

}  // namespace

std::unique_ptr<ConvolutionRunner> makeCudnnConvolutions(DeviceQueue& queue) {
  return std::make_unique<CudnnConvolutions>(cudaQueue(queue));
}

}  // namespace slipstream
