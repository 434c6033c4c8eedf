// SPDX-License-Identifier: GPL-3.0-or-later
// In place of cuBLASLt and cuDNN: products and convolutions by their definition, in the stream's order.
#include <memory>

#include "engine/cuda/cuda_queue.h"
#include "engine/nn/cuda/cudnn_convolutions.h"
#include "engine/nn/cuda/matrix_products.h"
#include "tests/emulated_gpu/runtime/give_work.h"
#include "tests/nn/cuda/host_ops.h"

namespace slipstream {
namespace {

class EmulatedConvolutions final : public ConvolutionRunner {
 public:
  explicit EmulatedConvolutions(cudaStream_t stream) : stream_(stream) {}

  bool fuses() const override { return host_->fuses(); }
  bool has(const PlanRequest& request) override { return host_->has(request); }
  std::int64_t prepare(const PlanRequest& request) override { return host_->prepare(request); }
  void run(const PlanRequest& request, const PlanMemory& memory, void* scratch) override {
    emulated_gpu::giveWork(stream_, [host = host_, request, memory, scratch] { host->run(request, memory, scratch); });
  }
  std::string nameOf(const PlanRequest& request) override { return host_->nameOf(request); }

 private:
  cudaStream_t stream_;
  std::shared_ptr<test::HostConvolutions> host_ = std::make_shared<test::HostConvolutions>(test::HostFusing{});
};

}  // namespace

struct MatrixProducts::State {
  cudaStream_t stream;
};

MatrixProducts::MatrixProducts(Device& device) : state_(new State{cudaQueue(device.queue()).stream()}) {}
MatrixProducts::~MatrixProducts() = default;

void MatrixProducts::multiply(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns,
                              std::int64_t inner, const Operands& of, float beta, float* c) {
  emulated_gpu::giveWork(state_->stream,
                         [=] { test::HostOps().multiply(transposeA, transposeB, rows, columns, inner, of, beta, c); });
}

std::unique_ptr<ConvolutionRunner> makeCudnnConvolutions(DeviceQueue& queue) {
  return std::make_unique<EmulatedConvolutions>(cudaQueue(queue).stream());
}

}  // namespace slipstream
