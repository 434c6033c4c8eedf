// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/flatten.h"

#include "engine/nn/convert.h"

namespace slipstream {
namespace {

/// The same values under another shape; of another type where images are not fp32.
class Flatten final : public Layer {
 public:
  void forward(const ForwardPass& pass) override {
    if (pass.input.type() != pass.output.type()) convert(pass.input, pass.output);
  }
  void backward(const BackwardPass& pass) override {
    if (!pass.inputGradient.empty() && pass.inputGradient.type() != pass.outputGradient.type())
      convert(pass.outputGradient, pass.inputGradient);
  }
};

}  // namespace

std::unique_ptr<Layer> makeFlatten(const LayerConfig&) {
  return std::make_unique<Flatten>();
}

}  // namespace slipstream
