#include "engine/nn/layers/batch_norm_kernels.h"

#include "engine/base/processor_clones.h"

namespace slipstream {

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

}  // namespace slipstream
