// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/nn/cuda/convolution_runner.h"
#include "engine/nn/cuda/layers/ops_backend.h"
#include "engine/nn/cuda/matrix_products.h"

namespace slipstream::test {

/// Whether the host's convolutions apply the batch norms before them, of fp16 and whole packs of channels.
struct HostFusing {
  bool planned = true;                        ///< networks are planned for it
  std::vector<ConvolutionPattern> lacking{};  ///< patterns without a plan
  std::int64_t leastBatch = 1;                ///< smaller batches have no plan for any of it
};
inline const HostFusing fusesNothing{.planned = false};
/// Planned, but without a plan for any of it.
inline const HostFusing lacksPlans{true,
                                   {ConvolutionPattern::activatedForward, ConvolutionPattern::activatedWeightGradient}};

/// Convolutions by their definition, in double. Spoils the scratch memory it is given, as a plan would.
class HostConvolutions final : public ConvolutionRunner {
 public:
  explicit HostConvolutions(HostFusing fusing) : fusing_(std::move(fusing)) {}
  bool fuses() const override { return fusing_.planned; }
  bool has(const PlanRequest& request) override;
  std::int64_t prepare(const PlanRequest& request) override;
  void run(const PlanRequest& request, const PlanMemory& memory, void* scratch) override;
  std::string nameOf(const PlanRequest& request) override { return toText(request); }

 private:
  HostFusing fusing_;
};

/// Column-major C = op(A) op(B) + beta C by its definition: what cuBLASLt is asked for.
void multiplyColumnMajor(const ColumnMajorProduct& product, const Operands& of, float beta, float* result);

/// What the GPU's layers run on in tests: loops on the host, forward or, since no kernel may depend on the order of its
/// indices, backward.
class HostOps {
 public:
  explicit HostOps(bool reversed = false, const HostFusing& fusing = {})
      : reversed_(reversed), convolutions_(std::make_shared<HostConvolutions>(fusing)) {}

  template <class Work>
  void each(std::int64_t count, const Work& work) const {
    for (std::int64_t i = 0; i < count; ++i) work(static_cast<std::uint32_t>(reversed_ ? count - 1 - i : i));
  }

  template <class Work>
  static void withType(NumberType type, const Work& work) {
    if (type == NumberType::float32) return work(float{});
    if (type == NumberType::bfloat16) return work(Bfloat16{});
    work(Float16{});
  }

  void multiply(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns, std::int64_t inner,
                const Operands& of, float beta, float* c) const {
    multiplyColumnMajor(columnMajorProduct(transposeA, transposeB, rows, columns, inner), of, beta, c);
  }
  ConvolutionRunner& convolutions() const { return *convolutions_; }

 private:
  bool reversed_;
  std::shared_ptr<ConvolutionRunner> convolutions_;
};

inline std::unique_ptr<NetworkBackend> makeHostBackend(bool reversed = false, const HostFusing& fusing = {}) {
  return std::make_unique<OpsBackend<HostOps>>(HostOps(reversed, fusing));
}

}  // namespace slipstream::test
