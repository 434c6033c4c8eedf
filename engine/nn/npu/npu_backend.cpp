// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/npu/npu_backend.h"

#include "engine/base/error.h"
#include "engine/nn/npu/layers.h"

namespace slipstream {
namespace {

class NpuBackend final : public NetworkBackend {
 public:
  explicit NpuBackend(Device& device) : operators_(device) {}

  std::unique_ptr<Layer> makeLayer(const LayerConfig& parts) override {
    switch (parts.spec.kind) {
      case LayerKind::dense:
        return makeNpuDense(parts, operators_);
      case LayerKind::normalizedDense:
        return makeNpuNormalizedDense(parts, operators_);
      case LayerKind::conv2d:
        return makeNpuConv2d(parts, operators_);
      case LayerKind::maxPool:
        return makeNpuMaxPool(parts, operators_);
      case LayerKind::avgPool:
        return makeNpuAvgPool(parts, operators_);
      case LayerKind::globalAvgPool:
        return makeNpuGlobalAvgPool(parts, operators_);
      case LayerKind::batchNorm:
        return makeNpuBatchNorm(parts, operators_);
      case LayerKind::relu:
        return makeNpuRelu(parts, operators_);
      case LayerKind::add:
        return makeNpuAdd(parts, operators_);
      case LayerKind::flatten:
        return makeNpuFlatten(parts, operators_);
      case LayerKind::external:
        throw Error("layer " + parts.spec.name + " is computed by the program that described it");
    }
    throw Error("a layer of an unknown kind");
  }
  void convert(ConstActivation from, Activation to) override {
    if (from.size() != to.size()) throw Error("values are converted to another number of values");
    operators_.copy(vectorOf(to), vectorOf(from));
  }
  void add(ConstActivation first, ConstActivation second, Activation sum) override {
    operators_.add(vectorOf(first), vectorOf(second), vectorOf(sum));
  }
  void addWherePositive(ConstActivation output, ConstActivation first, ConstActivation second,
                        Activation sum) override {
    add(first, second, sum);
    operators_.passWhereAbove(0, vectorOf(sum), vectorOf(output), vectorOf(sum));
  }

 private:
  NpuOperators operators_;
};

}  // namespace

std::unique_ptr<NetworkBackend> makeNpuBackend(Device& device) {
  aclnnLibrary();
  return std::make_unique<NpuBackend>(device);
}

Failures missingNpuLibraries() {
  Failures missing;
  collect(findAclnn(), missing);
  collect(npuKernelFile(), missing);
  return missing;
}

}  // namespace slipstream
