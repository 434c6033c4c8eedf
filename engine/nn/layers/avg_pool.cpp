// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/avg_pool.h"

#include <algorithm>

#include "engine/nn/layers/pool_region.h"

namespace slipstream {
namespace {

/// Sums in fp32 of values that are written once they are complete.
template <class Value>
class Sums {
 public:
  Sums(Value* values, std::int64_t count) : values_(values), sums_(static_cast<std::size_t>(count)) {}
  ~Sums() { std::transform(sums_.begin(), sums_.end(), values_, fromFloat<Value>); }
  Sums(const Sums&) = delete;
  Sums& operator=(const Sums&) = delete;
  float* at(std::int64_t element) { return sums_.data() + element; }

 private:
  Value* values_;
  std::vector<float> sums_;
};

class AvgPool final : public Layer {
 public:
  explicit AvgPool(const LayerConfig& parts) : spec_(parts.spec), input_(parts.input), output_(parts.output) {}

  void forward(const ForwardPass& pass) override {
    withType(pass.output.type(), [&](auto type) {
      using Value = decltype(type);
#pragma omp parallel for
      for (std::int64_t sample = 0; sample < pass.batch; ++sample) {
        const Value* input = pass.input.as<Value>() + sample * input_.elements();
        Sums<Value> output(pass.output.as<Value>() + sample * output_.elements(), output_.elements());
        visit([&](std::int64_t to, std::int64_t from, float share) { addScaled(input + from, share, output.at(to)); });
      }
    });
  }

  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    withType(pass.inputGradient.type(), [&](auto type) {
      using Value = decltype(type);
#pragma omp parallel for
      for (std::int64_t sample = 0; sample < pass.batch; ++sample) {
        const Value* output = pass.outputGradient.as<Value>() + sample * output_.elements();
        Sums<Value> input(pass.inputGradient.as<Value>() + sample * input_.elements(), input_.elements());
        visit([&](std::int64_t to, std::int64_t from, float share) { addScaled(output + to, share, input.at(from)); });
      }
    });
  }

 private:
  /// Calls `each(output element, input element, share)` for every position of every window, first channel only.
  template <class Each>
  void visit(const Each& each) const {
    for (std::int64_t y = 0; y < output_.height; ++y) {
      const auto rows = poolRegionAt(y, spec_, input_.height);
      for (std::int64_t x = 0; x < output_.width; ++x) {
        const auto columns = poolRegionAt(x, spec_, input_.width);
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

  template <class Value>
  void addScaled(const Value* __restrict from, float share, float* __restrict to) const {
    for (std::int64_t c = 0; c < input_.channels; ++c) to[c] += share * toFloat(from[c]);
  }

  LayerSpec spec_;
  SampleShape input_;
  SampleShape output_;
};

}  // namespace

std::unique_ptr<Layer> makeAvgPool(const LayerConfig& parts) {
  return std::make_unique<AvgPool>(parts);
}

}  // namespace slipstream
