// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/convert.h"
#include "engine/nn/layers/make_layer.h"
#include "engine/nn/network_backend.h"
#include "engine/nn/team_denormals.h"

namespace slipstream {
namespace {

class CpuBackend final : public NetworkBackend {
 public:
  std::unique_ptr<Layer> makeLayer(const LayerConfig& parts) override { return slipstream::makeLayer(parts); }
  void forward(Layer& layer, const ForwardPass& pass) override {
    const TeamFlushDenormals flush;
    layer.forward(pass);
  }
  void backward(Layer& layer, const BackwardPass& pass) override {
    const TeamFlushDenormals flush;
    layer.backward(pass);
  }
  void convert(ConstActivation from, Activation to) override { slipstream::convert(from, to); }
  void add(ConstActivation first, ConstActivation second, Activation sum) override {
    addActivations(first, second, sum);
  }
  void addWherePositive(ConstActivation output, ConstActivation first, ConstActivation second,
                        Activation sum) override {
    addActivationsWherePositive(output, first, second, sum);
  }
};

}  // namespace

std::unique_ptr<NetworkBackend> makeCpuBackend() {
  return std::make_unique<CpuBackend>();
}

}  // namespace slipstream
