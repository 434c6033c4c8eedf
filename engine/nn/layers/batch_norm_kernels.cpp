// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/batch_norm_kernels.h"

#include "engine/base/processor_clones.h"
#include "engine/nn/masked.h"

namespace slipstream {

namespace {

/// So many rows are summed in floats before they go to the doubles, which are four times as dear.
constexpr std::int64_t rowsTogether = 4;

/// Asks for what comes this far behind: the processor's own fetching ahead stops at the end of every page.
template <class Value>
[[gnu::always_inline]] inline void fetchAhead(const Value* from, std::int64_t count) {
  constexpr std::int64_t ahead = 4096, line = 64;
  const auto* bytes = reinterpret_cast<const char*>(from);
  const auto size = count * static_cast<std::int64_t>(sizeof(Value));
  for (std::int64_t at = 0; at < size; at += line) __builtin_prefetch(bytes + ahead + at);
}

template <class Value>
[[gnu::always_inline]] inline void addMomentsOfRow(const Value* __restrict x, const float* __restrict shift,
                                                   double* __restrict sums, double* __restrict squares,
                                                   std::int64_t channels) {
  for (std::int64_t c = 0; c < channels; ++c) {
    const float value = toFloat(x[c]) - shift[c];
    sums[c] += static_cast<double>(value);
    squares[c] += static_cast<double>(value * value);
  }
}

/// The gradient and its product with the distance from the mean.
struct GradientTerms {
  float gradient;
  float product;
};

template <class Value, bool cuts>
[[gnu::always_inline]] inline GradientTerms termsOf(Value gradient, Value x, float mean, float scale, float beta) {
  const float distance = toFloat(x) - mean;
  float g = toFloat(gradient);
  if constexpr (cuts) g = keptWhere(distance * scale + beta > 0.0F, g);
  return {g, g * distance};
}

}  // namespace

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void addMoments(const Value* __restrict x, const float* __restrict shift,
                                            double* __restrict sums, double* __restrict squares, std::int64_t rows,
                                            std::int64_t channels) {
  std::int64_t row = 0;
  for (; row + rowsTogether <= rows; row += rowsTogether, x += rowsTogether * channels) {
    fetchAhead(x, rowsTogether * channels);
    for (std::int64_t c = 0; c < channels; ++c) {
      const float first = toFloat(x[c]) - shift[c];
      const float second = toFloat(x[c + channels]) - shift[c];
      const float third = toFloat(x[c + 2 * channels]) - shift[c];
      const float fourth = toFloat(x[c + 3 * channels]) - shift[c];
      sums[c] += static_cast<double>((first + second) + (third + fourth));
      squares[c] += static_cast<double>((first * first + second * second) + (third * third + fourth * fourth));
    }
  }
  for (; row < rows; ++row, x += channels) addMomentsOfRow(x, shift, sums, squares, channels);
}

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void normalize(const Value* __restrict x, Value* __restrict y, const ChannelLines& lines,
                                           float lowest, std::int64_t rows, std::int64_t channels) {
  const auto [mean, scale, beta] = lines;
  for (std::int64_t row = 0; row < rows; ++row, x += channels, y += channels) {
    fetchAhead(x, channels);
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
    fetchAhead(x, channels);
    fetchAhead(second, channels);
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
                                                 const ChannelLines& lines, double* __restrict sums,
                                                 double* __restrict products, std::int64_t rows,
                                                 std::int64_t channels) {
  const auto [mean, scale, beta] = lines;
  const auto terms = [&](std::int64_t at, std::int64_t c) __attribute__((always_inline)) {
    return termsOf<Value, cuts>(gradient[at], x[at], mean[c], scale[c], beta[c]);
  };
  std::int64_t row = 0;
  const auto step = rowsTogether * channels;
  for (; row + rowsTogether <= rows; row += rowsTogether, x += step, gradient += step) {
    fetchAhead(x, step);
    fetchAhead(gradient, step);
    for (std::int64_t c = 0; c < channels; ++c) {
      const GradientTerms first = terms(c, c);
      const GradientTerms second = terms(c + channels, c);
      const GradientTerms third = terms(c + 2 * channels, c);
      const GradientTerms fourth = terms(c + 3 * channels, c);
      sums[c] += static_cast<double>((first.gradient + second.gradient) + (third.gradient + fourth.gradient));
      products[c] += static_cast<double>((first.product + second.product) + (third.product + fourth.product));
    }
  }
  for (; row < rows; ++row, x += channels, gradient += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const GradientTerms term = terms(c, c);
      sums[c] += static_cast<double>(term.gradient);
      products[c] += static_cast<double>(term.product);
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
    fetchAhead(x, channels);
    fetchAhead(gradient, channels);
    for (std::int64_t c = 0; c < channels; ++c) {
      const float value = toFloat(x[c]) - mean[c];
      float g = toFloat(gradient[c]);
      if constexpr (cuts) g = keptWhere(value * scale[c] + beta[c] > 0.0F, g);
      result[c] = fromFloat<Value>(scale[c] * (g - meanOfG[c] - value * slope[c]));
    }
  }
}

#define SLIPSTREAM_KERNELS_OF(Value)                                                                                   \
  template void addMoments(const Value*, const float*, double*, double*, std::int64_t, std::int64_t);                  \
  template void normalize(const Value*, Value*, const ChannelLines&, float, std::int64_t, std::int64_t);               \
  template void normalizeAndAdd(const Value*, const Value*, Value*, const ChannelLines&, float, std::int64_t,          \
                                std::int64_t);                                                                         \
  template void addGradientSums<Value, false>(const Value*, const Value*, const ChannelLines&, double*, double*,       \
                                              std::int64_t, std::int64_t);                                             \
  template void addGradientSums<Value, true>(const Value*, const Value*, const ChannelLines&, double*, double*,        \
                                             std::int64_t, std::int64_t);                                              \
  template void inputGradientRows<Value, false>(const Value*, const Value*, Value*, const ChannelLines&, const float*, \
                                                const float*, std::int64_t, std::int64_t);                             \
  template void inputGradientRows<Value, true>(const Value*, const Value*, Value*, const ChannelLines&, const float*,  \
                                               const float*, std::int64_t, std::int64_t);

SLIPSTREAM_KERNELS_OF(float)
SLIPSTREAM_KERNELS_OF(Bfloat16)

}  // namespace slipstream
