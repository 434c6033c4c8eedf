#include "engine/nn/layers/batch_norm_kernels.h"

#include "engine/base/processor_clones.h"
#include "engine/nn/kept_where.h"

namespace slipstream {

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void addMoments(const Value* __restrict x, const double* __restrict shift,
                                            double* __restrict sums, double* __restrict squares, std::int64_t rows,
                                            std::int64_t channels) {
  for (std::int64_t row = 0; row < rows; ++row, x += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const double value = static_cast<double>(toFloat(x[c])) - shift[c];
      sums[c] += value;
      squares[c] += value * value;
    }
  }
}

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void normalize(const Value* __restrict x, Value* __restrict y, const ChannelLines& lines,
                                           float lowest, std::int64_t rows, std::int64_t channels) {
  const auto [mean, scale, beta] = lines;
  for (std::int64_t row = 0; row < rows; ++row, x += channels, y += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const float value = (toFloat(x[c]) - mean[c]) * scale[c] + beta[c];
      y[c] = fromFloat<Value>(value < lowest ? lowest : value);
    }
  }
}

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void normalizeAndAdd(const Value* __restrict x, const Value* second, Value* y,
                                                 const ChannelLines& lines, float lowest, std::int64_t rows,
                                                 std::int64_t channels) {
  const auto [mean, scale, beta] = lines;
  for (std::int64_t row = 0; row < rows; ++row, x += channels, second += channels, y += channels) {
#pragma GCC ivdep
    for (std::int64_t c = 0; c < channels; ++c) {
      const float own = (toFloat(x[c]) - mean[c]) * scale[c] + beta[c];
      const float value = own + toFloat(second[c]);
      y[c] = fromFloat<Value>(value < lowest ? lowest : value);
    }
  }
}

template <class Value, bool cuts>
SLIPSTREAM_PROCESSOR_CLONES void addGradientSums(const Value* __restrict gradient, const Value* __restrict x,
                                                 const double* __restrict center, const ChannelLines& lines,
                                                 double* __restrict sums, double* __restrict products,
                                                 std::int64_t rows, std::int64_t channels) {
  const auto [mean, scale, beta] = lines;
  for (std::int64_t row = 0; row < rows; ++row, x += channels, gradient += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const float value = toFloat(x[c]);
      float g = toFloat(gradient[c]);
      if constexpr (cuts) g = keptWhere((value - mean[c]) * scale[c] + beta[c] > 0.0F, g);
      sums[c] += static_cast<double>(g);
      products[c] += static_cast<double>(g) * (static_cast<double>(value) - center[c]);
    }
  }
}

template <class Value, bool cuts>
SLIPSTREAM_PROCESSOR_CLONES void inputGradientRows(const Value* __restrict gradient, const Value* __restrict x,
                                                   Value* __restrict result, const ChannelLines& lines,
                                                   const float* __restrict meanOfG, const float* __restrict slope,
                                                   std::int64_t rows, std::int64_t channels) {
  const auto [mean, scale, beta] = lines;
  for (std::int64_t row = 0; row < rows; ++row, x += channels, gradient += channels, result += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const float value = toFloat(x[c]) - mean[c];
      float g = toFloat(gradient[c]);
      if constexpr (cuts) g = keptWhere(value * scale[c] + beta[c] > 0.0F, g);
      result[c] = fromFloat<Value>(scale[c] * (g - meanOfG[c] - value * slope[c]));
    }
  }
}

#define SLIPSTREAM_KERNELS_OF(Value)                                                                                   \
  template void addMoments(const Value*, const double*, double*, double*, std::int64_t, std::int64_t);                 \
  template void normalize(const Value*, Value*, const ChannelLines&, float, std::int64_t, std::int64_t);               \
  template void normalizeAndAdd(const Value*, const Value*, Value*, const ChannelLines&, float, std::int64_t,          \
                                std::int64_t);                                                                         \
  template void addGradientSums<Value, false>(const Value*, const Value*, const double*, const ChannelLines&, double*, \
                                              double*, std::int64_t, std::int64_t);                                    \
  template void addGradientSums<Value, true>(const Value*, const Value*, const double*, const ChannelLines&, double*,  \
                                             double*, std::int64_t, std::int64_t);                                     \
  template void inputGradientRows<Value, false>(const Value*, const Value*, Value*, const ChannelLines&, const float*, \
                                                const float*, std::int64_t, std::int64_t);                             \
  template void inputGradientRows<Value, true>(const Value*, const Value*, Value*, const ChannelLines&, const float*,  \
                                               const float*, std::int64_t, std::int64_t);

SLIPSTREAM_KERNELS_OF(float)
SLIPSTREAM_KERNELS_OF(Bfloat16)

}  // namespace slipstream
