// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/batch_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/nn/layers/batch_norm_kernels.h"

namespace slipstream {
namespace {

/// Rows are summed in blocks of this many, the blocks in order: the same bits with any number of threads.
constexpr std::int64_t blockRows = 512;

/// So many rows side by side are worked on as one row, up to this width: sums of few channels would wait for each
/// other. A power of two, which divides blockRows.
constexpr std::int64_t foldedWidth = 64;

std::int64_t foldOf(std::int64_t channels) {
  std::int64_t fold = 1;
  while (2 * fold * channels <= foldedWidth) fold *= 2;
  return fold;
}

std::int64_t blocksOf(std::int64_t rows) {
  return (rows + blockRows - 1) / blockRows;
}

/// Calls `each(first row, rows, block)` for every block, on all threads.
template <class Each>
void forEachBlock(std::int64_t rows, const Each& each) {
  const auto blocks = blocksOf(rows);
#pragma omp parallel for
  for (std::int64_t block = 0; block < blocks; ++block) {
    const auto first = block * blockRows;
    each(first, std::min(blockRows, rows - first), block);
  }
}

class BatchNorm final : public Layer {
 public:
  explicit BatchNorm(const LayerConfig& parts)
      : spec_(parts.spec),
        channels_(parts.input.channels),
        fold_(foldOf(channels_)),
        rowsPerSample_(parts.input.elements() / parts.input.channels),
        fused_(parts.fused),
        lowest_(fused_.relu ? 0.0F : -std::numeric_limits<float>::infinity()),
        running_(parts.device.allocate(2 * width() * sizeof(float), MemoryCategory::weights)),
        mean_(width()),
        inverseDeviation_(width()),
        beta_(wide()),
        floats_(4 * wide()),
        scratch_(parts.scratch) {
    std::fill(runningVariance().begin(), runningVariance().end(), 1.0F);
    const std::int64_t rows = parts.maximumBatch * rowsPerSample_;
    scratch_.reserve<CpuParts>([&](CpuParts& counted) { listPartial(counted, rows); });
  }

  void forward(const ForwardPass& pass) override {
    withType(pass.input.type(), [&](auto type) { forwardOf<decltype(type)>(pass); });
  }

  void backward(const BackwardPass& pass) override {
    withType(pass.input.type(), [&](auto type) {
      using Value = decltype(type);
      fused_.reluGradient ? backwardOf<Value, true>(pass) : backwardOf<Value, false>(pass);
    });
  }

  std::vector<NetworkState> states() override {
    return {{spec_.name + ".moving_mean", runningMean()}, {spec_.name + ".moving_variance", runningVariance()}};
  }

 private:
  struct Sums {
    std::span<double> first;
    std::span<double> second;
  };

  template <class Value>
  void forwardOf(const ForwardPass& pass) {
    const auto rows = pass.batch * rowsPerSample_;
    const Value* input = pass.input.as<Value>();
    if (pass.mode == NetworkMode::training) {
      batchStatistics(input, rows);
    } else {
      runningStatistics();
    }
    setLines(pass.weights);
    Value* output = pass.output.as<Value>();
    const Value* second = fused_.sum ? pass.second.as<Value>() : nullptr;
    forEachBlock(rows, [&](std::int64_t first, std::int64_t count, std::int64_t) {
      folded(first, count, [&](std::int64_t at, std::int64_t height, std::int64_t length) {
        if (second == nullptr) {
          normalize(input + at, output + at, lines(), lowest_, height, length);
        } else {
          normalizeAndAdd(input + at, second + at, output + at, lines(), lowest_, height, length);
        }
      });
    });
  }

  /// `cuts`: the gradient is the one of the ReLU that was applied.
  template <class Value, bool cuts>
  void backwardOf(const BackwardPass& pass) {
    const auto rows = pass.batch * rowsPerSample_;
    const Value* gradient = pass.outputGradient.as<Value>();
    const Value* input = pass.input.as<Value>();
    const auto add = [&](std::int64_t at, std::int64_t height, std::int64_t length, double* sums, double* products) {
      addGradientSums<Value, cuts>(gradient + at, input + at, lines(), sums, products, height, length);
    };
    const auto [sums, products] = blockSums(rows, add);
    for (std::size_t c = 0; c < width(); ++c) {
      products[c] -= (mean_[c] - static_cast<double>(floats(0)[c])) * sums[c];  // products were taken with the float
      deliver(pass.gradients.weight[c], products[c] * inverseDeviation_[c], pass.accumulate);
      deliver(pass.gradients.bias[c], sums[c], pass.accumulate);
    }
    if (pass.inputGradient.empty()) return;
    const auto meanOfGradient = floats(2);
    const auto slope = floats(3);
    for (std::size_t c = 0; c < width(); ++c) {
      meanOfGradient[c] = static_cast<float>(sums[c] / static_cast<double>(rows));
      slope[c] =
          static_cast<float>(products[c] * inverseDeviation_[c] * inverseDeviation_[c] / static_cast<double>(rows));
    }
    spread(meanOfGradient);
    spread(slope);
    Value* result = pass.inputGradient.as<Value>();
    forEachBlock(rows, [&](std::int64_t first, std::int64_t count, std::int64_t) {
      folded(first, count, [&](std::int64_t at, std::int64_t height, std::int64_t length) {
        inputGradientRows<Value, cuts>(gradient + at, input + at, result + at, lines(), meanOfGradient.data(),
                                       slope.data(), height, length);
      });
    });
  }

  /// From the statistics at hand; backward uses them again.
  void setLines(const LayerTensors<const float>& weights) {
    for (std::size_t c = 0; c < width(); ++c) {
      floats(0)[c] = static_cast<float>(mean_[c]);
      floats(1)[c] = static_cast<float>(inverseDeviation_[c] * static_cast<double>(weights.weight[c]));
      beta_[c] = weights.bias[c];
    }
    spread(floats(0));
    spread(floats(1));
    spread(std::span(beta_));
  }

  ChannelLines lines() { return {floats(0).data(), floats(1).data(), beta_.data()}; }

  std::size_t width() const { return static_cast<std::size_t>(channels_); }
  std::size_t wide() const { return static_cast<std::size_t>(fold_ * channels_); }
  std::span<float> runningMean() { return running_->as<float>().first(width()); }
  std::span<float> runningVariance() { return running_->as<float>().last(width()); }
  std::span<float> floats(std::size_t part) { return std::span(floats_).subspan(part * wide(), wide()); }

  /// Two sums a channel and folded row for each block.
  double* listPartial(CpuParts& parts, std::int64_t rows) const {
    return parts.take<double>(blocksOf(rows) * 2 * fold_ * channels_);
  }

  /// Repeats the values of all channels for every row of a folded one.
  template <class Value>
  void spread(std::span<Value> values) const {
    for (std::size_t i = width(); i < wide(); ++i) values[i] = values[i - width()];
  }

  /// Calls `work(first element, rows, their width)` for the folded rows of a block, then for the rows left over.
  template <class Work>
  void folded(std::int64_t first, std::int64_t count, const Work& work) const {
    const auto left = count % fold_;
    if (count > left) work(first * channels_, count / fold_, fold_ * channels_);
    if (left > 0) work((first + count - left) * channels_, left, channels_);
  }

  static void deliver(float& gradient, double value, bool accumulate) {
    gradient = static_cast<float>(accumulate ? static_cast<double>(gradient) + value : value);
  }

  /// Two sums a channel over all rows, in the scratch memory; `add(first element, rows, width, sums, sums)` adds rows
  /// of one block.
  template <class Add>
  Sums blockSums(std::int64_t rows, const Add& add) {
    double* all = scratch_.place<CpuParts>([&](CpuParts& parts) { return listPartial(parts, rows); });
    const auto partial = [&](std::int64_t block) { return all + static_cast<std::size_t>(block) * 2 * wide(); };
    forEachBlock(rows, [&](std::int64_t first, std::int64_t count, std::int64_t block) {
      double* sums = partial(block);
      std::fill_n(sums, 2 * wide(), 0.0);
      folded(first, count, [&](std::int64_t at, std::int64_t lines, std::int64_t length) {
        add(at, lines, length, sums, sums + wide());
      });
    });
    for (std::int64_t block = 1; block < blocksOf(rows); ++block) {
      for (std::size_t i = 0; i < 2 * wide(); ++i) partial(0)[i] += partial(block)[i];
    }
    const Sums result{{partial(0), width()}, {partial(0) + wide(), width()}};
    for (std::size_t i = width(); i < wide(); ++i) {
      result.first[i % width()] += partial(0)[i];
      result.second[i % width()] += partial(0)[wide() + i];
    }
    return result;
  }

  /// Sums are taken of the distance to the first row, so that a large mean does not eat the variance.
  template <class Value>
  void batchStatistics(const Value* input, std::int64_t rows) {
    const std::span<float> shift = floats(0);
    for (std::size_t c = 0; c < width(); ++c) shift[c] = toFloat(input[c]);
    spread(shift);
    const auto add = [&](std::int64_t at, std::int64_t height, std::int64_t length, double* a, double* b) {
      addMoments(input + at, shift.data(), a, b, height, length);
    };
    const auto [sums, squares] = blockSums(rows, add);
    const auto count = static_cast<double>(rows);
    const double unbiased = rows > 1 ? count / (count - 1.0) : 1.0;
    for (std::size_t c = 0; c < width(); ++c) {
      const double distance = sums[c] / count;
      const double variance = std::max(squares[c] / count - distance * distance, 0.0);
      mean_[c] = static_cast<double>(shift[c]) + distance;
      inverseDeviation_[c] = 1.0 / std::sqrt(variance + spec_.epsilon);
      move(runningMean()[c], mean_[c]);
      move(runningVariance()[c], variance * unbiased);
    }
  }

  void move(float& running, double batch) const {
    running = static_cast<float>(spec_.momentum * static_cast<double>(running) + (1.0 - spec_.momentum) * batch);
  }

  void runningStatistics() {
    for (std::size_t c = 0; c < width(); ++c) {
      mean_[c] = static_cast<double>(runningMean()[c]);
      inverseDeviation_[c] = 1.0 / std::sqrt(static_cast<double>(runningVariance()[c]) + spec_.epsilon);
    }
  }

  LayerSpec spec_;
  std::int64_t channels_;
  std::int64_t fold_;  ///< rows that are worked on as one
  std::int64_t rowsPerSample_;
  FusedWork fused_;
  float lowest_;                     ///< of an output: 0 with a fused ReLU
  std::unique_ptr<Buffer> running_;  ///< means, then variances
  std::vector<double> mean_;         ///< of the last forward
  std::vector<double> inverseDeviation_;
  std::vector<float> beta_;    ///< spread
  std::vector<float> floats_;  ///< mean, scale, and of the gradient mean and slope, each spread
  Scratch& scratch_;
};

}  // namespace

std::unique_ptr<Layer> makeBatchNorm(const LayerConfig& parts) {
  return std::make_unique<BatchNorm>(parts);
}

}  // namespace slipstream
