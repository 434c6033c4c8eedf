// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace slipstream::test {

/// Adasum of one tensor the plain way, vector by vector in long double: what every exchange must come close to.
inline std::vector<double> referenceAdasum(std::vector<std::vector<double>> vectors) {
  while (vectors.size() > 1) {
    std::vector<std::vector<double>> above;
    for (std::size_t n = 0; n + 1 < vectors.size(); n += 2) {
      const auto& a = vectors[n];
      const auto& b = vectors[n + 1];
      long double dot = 0;
      long double normA = 0;
      long double normB = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        dot += static_cast<long double>(a[i]) * b[i];
        normA += static_cast<long double>(a[i]) * a[i];
        normB += static_cast<long double>(b[i]) * b[i];
      }
      constexpr long double tiny = 1.4916681462400413e-154L;
      const long double byA = normA < tiny ? 1 : 1 - dot / (2 * normA);
      const long double byB = normB < tiny ? 1 : 1 - dot / (2 * normB);
      std::vector<double> combined(a.size());
      for (std::size_t i = 0; i < a.size(); ++i) combined[i] = static_cast<double>(byA * a[i] + byB * b[i]);
      above.push_back(std::move(combined));
    }
    if (vectors.size() % 2 == 1) above.push_back(vectors.back());
    vectors = std::move(above);
  }
  return vectors.front();
}

/// |values - expected| / |expected|, or |values| where nothing is expected.
template <class T>
double relativeError(const T* values, const std::vector<double>& expected) {
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = static_cast<double>(values[i]) - expected[i];
    error += off * off;
    size += expected[i] * expected[i];
  }
  return size > 0 ? std::sqrt(error / size) : std::sqrt(error);
}

}  // namespace slipstream::test
