#pragma once

#include <cstdint>

namespace slipstream {

/// sums[c] += (x - shift)[c], squares[c] += (x - shift)²[c] over rows.
void addMoments(const float* x, const double* shift, double* sums, double* squares, std::int64_t rows,
                std::int64_t channels);

/// sums[c] += g[c], products[c] += (g (x - mean))[c] over rows.
void addGradientSums(const float* gradient, const float* x, const double* mean, double* sums, double* products,
                     std::int64_t rows, std::int64_t channels);

/// y = (x - mean) scale + beta, at least `lowest`; a NaN stays one.
void normalize(const float* x, float* y, const float* mean, const float* scale, const float* beta, float lowest,
               std::int64_t rows, std::int64_t channels);

/// dx = scale (g - meanOfG - (x - mean) slope)
void inputGradientRows(const float* gradient, const float* x, float* result, const float* mean, const float* scale,
                       const float* meanOfG, const float* slope, std::int64_t rows, std::int64_t channels);

}  // namespace slipstream
