#include "engine/nn/layers/flatten.h"

namespace slipstream {
namespace {

/// The same values under another shape.
class Flatten final : public Layer {
 public:
  void forward(const ForwardPass&) override {}
  void backward(const BackwardPass&) override {}
};

}  // namespace

std::unique_ptr<Layer> makeFlatten(const LayerParts&) {
  return std::make_unique<Flatten>();
}

}  // namespace slipstream
