#include "engine/nn/layers/avg_pool.h"

#include <algorithm>

#include "engine/nn/layers/window.h"

namespace slipstream {
namespace {

class AvgPool final : public Layer {
 public:
  explicit AvgPool(const LayerParts& parts) : spec_(parts.spec), input_(parts.input), output_(parts.output) {}

  void forward(const ForwardPass& pass) override {
    std::fill(pass.output.begin(), pass.output.end(), 0.0F);
#pragma omp parallel for
    for (std::int64_t sample = 0; sample < pass.batch; ++sample) {
      const float* input = pass.input.data() + sample * input_.elements();
      float* output = pass.output.data() + sample * output_.elements();
      visit([&](std::int64_t to, std::int64_t from, float share) { addScaled(input + from, share, output + to); });
    }
  }

  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    std::fill(pass.inputGradient.begin(), pass.inputGradient.end(), 0.0F);
#pragma omp parallel for
    for (std::int64_t sample = 0; sample < pass.batch; ++sample) {
      const float* output = pass.outputGradient.data() + sample * output_.elements();
      float* input = pass.inputGradient.data() + sample * input_.elements();
      visit([&](std::int64_t to, std::int64_t from, float share) { addScaled(output + to, share, input + from); });
    }
  }

 private:
  /// Calls `each(output element, input element, share)` for every position of every window, first channel only.
  template <class Each>
  void visit(const Each& each) const {
    for (std::int64_t y = 0; y < output_.height; ++y) {
      const auto rows = windowAt(y, spec_, input_.height);
      for (std::int64_t x = 0; x < output_.width; ++x) {
        const auto columns = windowAt(x, spec_, input_.width);
        const auto positions = (rows.end - rows.begin) * (columns.end - columns.begin);
        const float share = 1.0F / static_cast<float>(positions);
        const auto to = (y * output_.width + x) * output_.channels;
        for (auto row = rows.begin; row < rows.end; ++row) {
          for (auto column = columns.begin; column < columns.end; ++column) {
            each(to, (row * input_.width + column) * input_.channels, share);
          }
        }
      }
    }
  }

  void addScaled(const float* __restrict from, float share, float* __restrict to) const {
    for (std::int64_t c = 0; c < input_.channels; ++c) to[c] += share * from[c];
  }

  LayerSpec spec_;
  SampleShape input_;
  SampleShape output_;
};

}  // namespace

std::unique_ptr<Layer> makeAvgPool(const LayerParts& parts) {
  return std::make_unique<AvgPool>(parts);
}

}  // namespace slipstream
