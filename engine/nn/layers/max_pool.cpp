#include "engine/nn/layers/max_pool.h"

#include <algorithm>

#include "engine/nn/layers/window.h"

namespace slipstream {
namespace {

/// One window of one sample: rows and columns of the picture, `channels` values at each position.
struct Window {
  const float* sample;
  WindowExtent rows;
  WindowExtent columns;
  std::int64_t width;
  std::int64_t channels;
  std::int32_t at(std::int64_t row, std::int64_t column) const {
    return static_cast<std::int32_t>((row * width + column) * channels);
  }
};

/// Writes the largest value of each channel and the element number of the position where it stood, without the channel.
/// The first of equal values wins, and a NaN wins over everything.
[[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]] void largestOf(const Window& window,
                                                                                     float* __restrict best,
                                                                                     std::int32_t* __restrict where) {
  const auto first = window.at(window.rows.begin, window.columns.begin);
  for (std::int64_t c = 0; c < window.channels; ++c) best[c] = window.sample[first + c];
  for (std::int64_t c = 0; c < window.channels; ++c) where[c] = first;
  for (auto row = window.rows.begin; row < window.rows.end; ++row) {
    for (auto column = window.columns.begin; column < window.columns.end; ++column) {
      const auto position = window.at(row, column);
      const float* candidate = window.sample + position;
      for (std::int64_t c = 0; c < window.channels; ++c) {
        const bool larger = candidate[c] > best[c] || candidate[c] != candidate[c];
        best[c] = larger ? candidate[c] : best[c];
        where[c] = larger ? position : where[c];
      }
    }
  }
}

class MaxPool final : public Layer {
 public:
  explicit MaxPool(const LayerParts& parts)
      : spec_(parts.spec),
        input_(parts.input),
        output_(parts.output),
        where_(parts.device.allocate(
            static_cast<std::size_t>(parts.maximumBatch * parts.output.elements()) * sizeof(std::int32_t),
            MemoryCategory::activations)) {}

  void forward(const ForwardPass& pass) override {
#pragma omp parallel for
    for (std::int64_t row = 0; row < pass.batch * output_.height; ++row) forwardRow(pass, row);
  }

  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    std::fill(pass.inputGradient.begin(), pass.inputGradient.end(), 0.0F);
#pragma omp parallel for
    for (std::int64_t sample = 0; sample < pass.batch; ++sample) backwardSample(pass, sample);
  }

 private:
  /// `row` counts output rows over all samples.
  void forwardRow(const ForwardPass& pass, std::int64_t row) {
    const auto channels = input_.channels;
    const auto sample = row / output_.height;
    auto offset = row * output_.width * channels;
    Window window{pass.input.data() + sample * input_.elements(),
                  windowAt(row % output_.height, spec_, input_.height),
                  {0, 0},
                  input_.width,
                  channels};
    for (std::int64_t x = 0; x < output_.width; ++x, offset += channels) {
      window.columns = windowAt(x, spec_, input_.width);
      largestOf(window, pass.output.data() + offset, where_->as<std::int32_t>().data() + offset);
    }
  }

  void backwardSample(const BackwardPass& pass, std::int64_t sample) {
    const auto channels = input_.channels;
    const auto begin = sample * output_.elements();
    const auto* where = where_->as<std::int32_t>().data();
    float* gradient = pass.inputGradient.data() + sample * input_.elements();
    for (auto position = begin; position < begin + output_.elements(); position += channels) {
      for (std::int64_t c = 0; c < channels; ++c) {
        gradient[where[position + c] + c] += pass.outputGradient.data()[position + c];
      }
    }
  }

  LayerSpec spec_;
  SampleShape input_;
  SampleShape output_;
  std::unique_ptr<Buffer> where_;  ///< of the last forward, one element number an output, see largestOf
};

}  // namespace

std::unique_ptr<Layer> makeMaxPool(const LayerParts& parts) {
  return std::make_unique<MaxPool>(parts);
}

}  // namespace slipstream
