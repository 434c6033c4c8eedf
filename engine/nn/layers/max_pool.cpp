// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/max_pool.h"

#include <algorithm>

#include "engine/base/processor_clones.h"
#include "engine/nn/layers/pool_region.h"

namespace slipstream {
namespace {

/// The largest values of several rows, element by element, and the offsets of the rows where they were.
template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void largestOfRows(const Value* __restrict rows, std::int32_t firstOffset,
                                               std::int64_t count, std::int64_t width, float* __restrict best,
                                               std::int32_t* __restrict offsets) {
  for (std::int64_t i = 0; i < width; ++i) best[i] = toFloat(rows[i]);
  for (std::int64_t i = 0; i < width; ++i) offsets[i] = firstOffset;
  for (std::int64_t row = 1; row < count; ++row) {
    const Value* candidates = rows + row * width;
    const auto offset = static_cast<std::int32_t>(firstOffset + row * width);
    for (std::int64_t i = 0; i < width; ++i) {
      const float candidate = toFloat(candidates[i]);
      const bool larger = candidate > best[i] || candidate != candidate;
      best[i] = larger ? candidate : best[i];
      offsets[i] = larger ? offset : offsets[i];
    }
  }
}

/// Takes over values[from[i]] where it is larger than best[i], and notes from[i].
SLIPSTREAM_PROCESSOR_CLONES void takeLarger(const float* __restrict values, const std::int32_t* __restrict from,
                                            std::int64_t count, float* __restrict best,
                                            std::int32_t* __restrict winners) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float candidate = values[from[i]];
    const bool larger = candidate > best[i] || candidate != candidate;
    best[i] = larger ? candidate : best[i];
    winners[i] = larger ? from[i] : winners[i];
  }
}

/// First the largest of each column of a window, then of these: both run over whole rows of all channels.
class MaxPool final : public Layer {
 public:
  explicit MaxPool(const LayerConfig& parts)
      : spec_(parts.spec), input_(parts.input), output_(parts.output), where_(parts.maxima.data()) {
    const auto padding = paddingOf(spec_, input_.width).before;
    for (std::int64_t column = 0; column < spec_.kernel; ++column) {
      for (std::int64_t x = 0; x < output_.width; ++x) {
        // Outside the image the nearest column, which is in the window too, stands in.
        const auto from = std::clamp<std::int64_t>(x * spec_.stride - padding + column, 0, input_.width - 1);
        for (std::int64_t c = 0; c < input_.channels; ++c) {
          columns_.push_back(static_cast<std::int32_t>(from * input_.channels + c));
        }
      }
    }
  }

  void forward(const ForwardPass& pass) override {
    withType(pass.output.type(), [&](auto type) {
#pragma omp parallel for
      for (std::int64_t sample = 0; sample < pass.batch; ++sample) forwardSample<decltype(type)>(pass, sample);
    });
  }

  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    withType(pass.inputGradient.type(), [&](auto type) {
#pragma omp parallel for
      for (std::int64_t sample = 0; sample < pass.batch; ++sample) backwardSample<decltype(type)>(pass, sample);
    });
  }

 private:
  /// Windows overlap: gradients are summed in fp32.
  template <class Value>
  void backwardSample(const BackwardPass& pass, std::int64_t sample) {
    const auto* where = where_ + sample * output_.elements();
    const Value* from = pass.outputGradient.as<Value>() + sample * output_.elements();
    Value* to = pass.inputGradient.as<Value>() + sample * input_.elements();
    std::vector<float> sums(static_cast<std::size_t>(input_.elements()));
    for (std::int64_t i = 0; i < output_.elements(); ++i) sums[static_cast<std::size_t>(where[i])] += toFloat(from[i]);
    for (const float sum : sums) *to++ = fromFloat<Value>(sum);
  }

  template <class Value>
  void forwardSample(const ForwardPass& pass, std::int64_t sample) {
    const auto rowLength = input_.width * input_.channels;
    std::vector<float> best(static_cast<std::size_t>(rowLength));
    std::vector<std::int32_t> offsets(static_cast<std::size_t>(rowLength));
    const Value* picture = pass.input.as<Value>() + sample * input_.elements();
    const auto outputLength = output_.width * output_.channels;
    std::vector<float> row(static_cast<std::size_t>(outputLength));
    auto at = sample * output_.elements();
    for (std::int64_t y = 0; y < output_.height; ++y, at += outputLength) {
      const auto rows = poolRegionAt(y, spec_, input_.height);
      const auto first = rows.begin * rowLength;
      largestOfRows(picture + first, static_cast<std::int32_t>(first), rows.end - rows.begin, rowLength, best.data(),
                    offsets.data());
      largestOfColumns(best.data(), offsets.data(), row.data(), where_ + at, outputLength);
      std::transform(row.begin(), row.end(), pass.output.as<Value>() + at, fromFloat<Value>);
    }
  }

  void largestOfColumns(const float* best, const std::int32_t* offsets, float* output, std::int32_t* where,
                        std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) output[i] = best[columns_[static_cast<std::size_t>(i)]];
    std::copy_n(columns_.begin(), count, where);
    for (std::int64_t column = 1; column < spec_.kernel; ++column) {
      takeLarger(best, columns_.data() + column * count, count, output, where);
    }
    for (std::int64_t i = 0; i < count; ++i) where[i] += offsets[where[i]];
  }

  LayerSpec spec_;
  SampleShape input_;
  SampleShape output_;
  std::vector<std::int32_t> columns_;  ///< [kernel][output width][channels]: elements of an input row
  std::int32_t* where_;                ///< of the last forward: the winners' element numbers in their samples
};

}  // namespace

std::unique_ptr<Layer> makeMaxPool(const LayerConfig& parts) {
  return std::make_unique<MaxPool>(parts);
}

}  // namespace slipstream
