// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace slipstream {

/// Norm squares below it are taken for zero: sqrt of the smallest normal double (Horovod's rule).
inline constexpr double adasumTinyNorm = 1.4916681462400413e-154;

/// Where pair (i, j), i <= j, of n leaves is in a packed upper triangle of n (n + 1) / 2 dot products.
constexpr std::size_t gramIndex(std::size_t i, std::size_t j, std::size_t leaves) {
  return i * leaves - i * (i + 1) / 2 + j;
}
constexpr std::size_t gramSize(std::size_t leaves) {
  return leaves * (leaves + 1) / 2;
}

/// How Adasum treats two vectors: ca * a + cb * b.
struct PairCoefficients {
  double a = 1;
  double b = 1;
};
PairCoefficients pairCoefficients(double dot, double normA, double normB);

/// |ca * a + cb * b|^2
double combinedNorm(double dot, double normA, double normB);

/// What is shown of a tensor's combination. Both are 1 for parallel vectors of equal length on one rank, and NaN where
/// every leaf is zero: there was nothing to combine.
struct TensorStatistics {
  double orthogonality = 0;  ///< |combined|^2 / sum |leaf|^2: 1 for orthogonal leaves, 1/n for equal ones
  double cosine = 0;         ///< mean over the n - 1 pairs that the tree combines
  bool operator==(const TensorStatistics&) const = default;
};

/// From the sum of the leaves' norm squares, the root's, and the mean cosine of the pairs.
TensorStatistics tensorStatistics(double leafNorms, double rootNorm, double cosine);

/// The cosine of a pair; 0 where a side is taken for zero.
double pairCosine(double dot, double normA, double normB);

/// The whole tree of one tensor: adjacent leaves are paired, level by level, an odd one is carried up. Every node is a
/// linear combination of the leaves, so their Gram matrix (all dot products) decides everything.
struct AdasumTree {
  std::vector<double> coefficients;  ///< the root is the sum of coefficient * leaf
  std::vector<double> corrections;   ///< what rounding took from each coefficient; zero but in the exact tree
  TensorStatistics statistics;
  /// Leaves cancelled so far that a node has lost digits: the Gram matrix and the combination are needed with more.
  bool needsExact = false;
};

/// `gram` is packed (gramIndex), in double. A node whose norm square is below `cancellation` times the sum of its
/// terms' sizes needs the exact one.
AdasumTree adasumTree(std::span<const double> gram, std::size_t leaves, double cancellation);
/// The same from dot products given as high + low: gram[2 k] + gram[2 k + 1]. Never needs more.
AdasumTree adasumTreeExact(std::span<const double> gram, std::size_t leaves);

}  // namespace slipstream
