// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/number_type.h"

namespace slipstream {

/// What a batch norm does to each channel: (x - mean) scale + beta.
struct ChannelLines {
  const float* mean;
  const float* scale;
  const float* beta;
};

// Sums, here and of gradients, are of doubles, each of up to four rows' floats, in a fixed order.

/// sums[c] += (x - shift)[c], squares[c] += (x - shift)²[c] over rows.
template <class Value>
void addMoments(const Value* x, const float* shift, double* sums, double* squares, std::int64_t rows,
                std::int64_t channels);

/// y = line(x), at least `lowest`; a NaN stays one.
template <class Value>
void normalize(const Value* x, Value* y, const ChannelLines& lines, float lowest, std::int64_t rows,
               std::int64_t channels);

/// y = line(x) + second, at least `lowest`; y may be second.
template <class Value>
void normalizeAndAdd(const Value* x, const Value* second, Value* y, const ChannelLines& lines, float lowest,
                     std::int64_t rows, std::int64_t channels);

/// sums[c] += g'[c], products[c] += (g' (x - mean))[c] over rows; g' is the gradient, where `cuts` only of positive
/// line(x).
template <class Value, bool cuts>
void addGradientSums(const Value* gradient, const Value* x, const ChannelLines& lines, double* sums, double* products,
                     std::int64_t rows, std::int64_t channels);

/// dx = scale (g' - meanOfG - (x - mean) slope)
template <class Value, bool cuts>
void inputGradientRows(const Value* gradient, const Value* x, Value* result, const ChannelLines& lines,
                       const float* meanOfG, const float* slope, std::int64_t rows, std::int64_t channels);

}  // namespace slipstream
