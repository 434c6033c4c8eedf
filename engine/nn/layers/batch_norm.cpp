#include "engine/nn/layers/batch_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/processor_clones.h"

namespace slipstream {
namespace {

/// Rows are summed in blocks of this many, the blocks in order: the same bits with any number of threads.
constexpr std::int64_t blockRows = 512;

/// sums[c] += (x - shift)[c], squares[c] += (x - shift)²[c] over rows.
SLIPSTREAM_PROCESSOR_CLONES void addMoments(const float* __restrict x, const double* __restrict shift,
                                            double* __restrict sums, double* __restrict squares, std::int64_t rows,
                                            std::int64_t channels) {
  for (std::int64_t row = 0; row < rows; ++row, x += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const double value = static_cast<double>(x[c]) - shift[c];
      sums[c] += value;
      squares[c] += value * value;
    }
  }
}

/// sums[c] += g[c], products[c] += (g (x - mean))[c] over rows.
SLIPSTREAM_PROCESSOR_CLONES void addGradientSums(const float* __restrict gradient, const float* __restrict x,
                                                 const double* __restrict mean, double* __restrict sums,
                                                 double* __restrict products, std::int64_t rows,
                                                 std::int64_t channels) {
  for (std::int64_t row = 0; row < rows; ++row, x += channels, gradient += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      sums[c] += static_cast<double>(gradient[c]);
      products[c] += static_cast<double>(gradient[c]) * (static_cast<double>(x[c]) - mean[c]);
    }
  }
}

/// y = (x - mean) scale + beta
SLIPSTREAM_PROCESSOR_CLONES void normalize(const float* __restrict x, float* __restrict y, const float* __restrict mean,
                                           const float* __restrict scale, const float* __restrict beta, float lowest,
                                           std::int64_t rows, std::int64_t channels) {
  for (std::int64_t row = 0; row < rows; ++row, x += channels, y += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const float value = (x[c] - mean[c]) * scale[c] + beta[c];
      y[c] = value < lowest ? lowest : value;
    }
  }
}

/// dx = scale (g - meanOfG - (x - mean) slope)
SLIPSTREAM_PROCESSOR_CLONES void inputGradientRows(const float* __restrict gradient, const float* __restrict x,
                                                   float* __restrict result, const float* __restrict mean,
                                                   const float* __restrict scale, const float* __restrict meanOfG,
                                                   const float* __restrict slope, std::int64_t rows,
                                                   std::int64_t channels) {
  for (std::int64_t row = 0; row < rows; ++row, x += channels, gradient += channels, result += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      result[c] = scale[c] * (gradient[c] - meanOfG[c] - (x[c] - mean[c]) * slope[c]);
    }
  }
}

/// Calls `each(first row, rows, block)` for every block, on all threads.
template <class Each>
void forEachBlock(std::int64_t rows, const Each& each) {
  const auto blocks = (rows + blockRows - 1) / blockRows;
#pragma omp parallel for
  for (std::int64_t block = 0; block < blocks; ++block) {
    const auto first = block * blockRows;
    each(first, std::min(blockRows, rows - first), block);
  }
}

class BatchNorm final : public Layer {
 public:
  explicit BatchNorm(const LayerParts& parts)
      : spec_(parts.spec),
        channels_(parts.input.channels),
        rowsPerSample_(parts.input.elements() / parts.input.channels),
        lowest_(parts.fusedRelu ? 0.0F : -std::numeric_limits<float>::infinity()),
        running_(parts.device.allocate(2 * width() * sizeof(float), MemoryCategory::weights)),
        mean_(width()),
        inverseDeviation_(width()),
        floats_(4 * width()) {
    std::fill(runningVariance().begin(), runningVariance().end(), 1.0F);
    const auto blocks = (parts.maximumBatch * rowsPerSample_ + blockRows - 1) / blockRows;
    partial_.resize(static_cast<std::size_t>(blocks) * 2 * width());
  }

  void forward(const ForwardPass& pass) override {
    const auto rows = pass.batch * rowsPerSample_;
    if (pass.mode == NetworkMode::training) {
      batchStatistics(pass.input, rows);
    } else {
      runningStatistics();
    }
    const auto mean = floats(0);
    const auto scale = floats(1);
    for (std::size_t c = 0; c < width(); ++c) {
      mean[c] = static_cast<float>(mean_[c]);
      scale[c] = static_cast<float>(inverseDeviation_[c] * static_cast<double>(pass.weights.weight[c]));
    }
    forEachBlock(rows, [&](std::int64_t first, std::int64_t count, std::int64_t) {
      normalize(pass.input.data() + first * channels_, pass.output.data() + first * channels_, mean.data(),
                scale.data(), pass.weights.bias.data(), lowest_, count, channels_);
    });
  }

  void backward(const BackwardPass& pass) override {
    const auto rows = pass.batch * rowsPerSample_;
    const auto [sums, products] = blockSums(rows, [&](std::int64_t first, std::int64_t count, double* a, double* b) {
      addGradientSums(pass.outputGradient.data() + first * channels_, pass.input.data() + first * channels_,
                      mean_.data(), a, b, count, channels_);
    });
    for (std::size_t c = 0; c < width(); ++c) {
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
    forEachBlock(rows, [&](std::int64_t first, std::int64_t count, std::int64_t) {
      const auto offset = first * channels_;
      inputGradientRows(pass.outputGradient.data() + offset, pass.input.data() + offset,
                        pass.inputGradient.data() + offset, floats(0).data(), floats(1).data(), meanOfGradient.data(),
                        slope.data(), count, channels_);
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

  std::size_t width() const { return static_cast<std::size_t>(channels_); }
  std::span<float> runningMean() { return running_->as<float>().first(width()); }
  std::span<float> runningVariance() { return running_->as<float>().last(width()); }
  std::span<float> floats(std::size_t part) { return std::span(floats_).subspan(part * width(), width()); }
  double* partial(std::int64_t block) { return partial_.data() + static_cast<std::size_t>(block) * 2 * width(); }

  static void deliver(float& gradient, double value, bool accumulate) {
    gradient = static_cast<float>(accumulate ? static_cast<double>(gradient) + value : value);
  }

  /// Two sums a channel over all rows; `add(first row, rows, sums, sums)` adds those of one block.
  template <class Add>
  Sums blockSums(std::int64_t rows, const Add& add) {
    forEachBlock(rows, [&](std::int64_t first, std::int64_t count, std::int64_t block) {
      std::fill_n(partial(block), 2 * width(), 0.0);
      add(first, count, partial(block), partial(block) + width());
    });
    const auto blocks = (rows + blockRows - 1) / blockRows;
    for (std::int64_t block = 1; block < blocks; ++block) {
      for (std::size_t i = 0; i < 2 * width(); ++i) partial(0)[i] += partial(block)[i];
    }
    return {{partial(0), width()}, {partial(0) + width(), width()}};
  }

  /// Sums are taken of the distance to the first row, so that a large mean does not eat the variance.
  void batchStatistics(std::span<const float> input, std::int64_t rows) {
    std::copy_n(input.begin(), width(), mean_.begin());
    const auto [sums, squares] = blockSums(rows, [&](std::int64_t first, std::int64_t count, double* a, double* b) {
      addMoments(input.data() + first * channels_, mean_.data(), a, b, count, channels_);
    });
    const auto count = static_cast<double>(rows);
    const double unbiased = rows > 1 ? count / (count - 1.0) : 1.0;
    for (std::size_t c = 0; c < width(); ++c) {
      const double distance = sums[c] / count;
      const double variance = std::max(squares[c] / count - distance * distance, 0.0);
      mean_[c] += distance;
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
  std::int64_t rowsPerSample_;
  float lowest_;                     ///< of an output: 0 with a fused ReLU
  std::unique_ptr<Buffer> running_;  ///< means, then variances
  std::vector<double> mean_;         ///< of the last forward
  std::vector<double> inverseDeviation_;
  std::vector<float> floats_;    ///< mean, scale, and of the gradient mean and slope
  std::vector<double> partial_;  ///< two sums a channel for each block
};

}  // namespace

std::unique_ptr<Layer> makeBatchNorm(const LayerParts& parts) {
  return std::make_unique<BatchNorm>(parts);
}

}  // namespace slipstream
