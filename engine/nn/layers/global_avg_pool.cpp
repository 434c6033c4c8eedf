// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/global_avg_pool.h"

#include <algorithm>

#include "engine/base/chunks.h"
#include "engine/base/processor_clones.h"

namespace slipstream {
namespace {

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void addRows(const Value* __restrict rows, double* __restrict sums, std::int64_t count,
                                         std::int64_t channels) {
  for (std::int64_t row = 0; row < count; ++row, rows += channels) {
    for (std::int64_t c = 0; c < channels; ++c) sums[c] += static_cast<double>(toFloat(rows[c]));
  }
}

class GlobalAvgPool final : public Layer {
 public:
  explicit GlobalAvgPool(const LayerConfig& parts)
      : channels_(parts.output.channels), rows_(parts.input.elements() / channels_) {}

  void forward(const ForwardPass& pass) override {
    withType(pass.input.type(), [&](auto type) { forwardOf<decltype(type)>(pass); });
  }

  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    withType(pass.inputGradient.type(), [&](auto type) { backwardOf<decltype(type)>(pass); });
  }

 private:
  template <class Value>
  void forwardOf(const ForwardPass& pass) {
    forEachSamples(pass.batch, [&](std::int64_t first, std::int64_t end) {
      std::vector<double> sums(static_cast<std::size_t>(channels_));
      for (std::int64_t sample = first; sample < end; ++sample) {
        std::ranges::fill(sums, 0.0);
        addRows(pass.input.as<Value>() + sample * rows_ * channels_, sums.data(), rows_, channels_);
        float* output = pass.output.as<float>() + sample * channels_;
        for (const double sum : sums) *output++ = static_cast<float>(sum / static_cast<double>(rows_));
      }
    });
  }

  template <class Value>
  void backwardOf(const BackwardPass& pass) const {
    const float share = 1.0F / static_cast<float>(rows_);
    forEachSamples(pass.batch, [&](std::int64_t begin, std::int64_t end) {
      Value* to = pass.inputGradient.as<Value>() + begin * rows_ * channels_;
      for (std::int64_t sample = begin; sample < end; ++sample) {
        const float* from = pass.outputGradient.as<float>() + sample * channels_;
        const Value* first = to;
        for (std::int64_t c = 0; c < channels_; ++c) *to++ = fromFloat<Value>(share * from[c]);
        for (std::int64_t row = 1; row < rows_; ++row) to = std::copy_n(first, channels_, to);
      }
    });
  }

  /// Calls `work(first sample, end)` on all threads.
  template <class Work>
  void forEachSamples(std::int64_t batch, const Work& work) const {
    forEachRows(static_cast<std::size_t>(batch), static_cast<std::size_t>(rows_ * channels_),
                [&](std::size_t first, std::size_t count) {
                  work(static_cast<std::int64_t>(first), static_cast<std::int64_t>(first + count));
                });
  }

  std::int64_t channels_;
  std::int64_t rows_;  ///< positions of an image
};

}  // namespace

std::unique_ptr<Layer> makeGlobalAvgPool(const LayerConfig& parts) {
  return std::make_unique<GlobalAvgPool>(parts);
}

}  // namespace slipstream
