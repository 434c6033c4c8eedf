// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/adasum/tree.h"

#include <algorithm>
#include <cmath>

namespace slipstream {
namespace {

/// 113 bits: gcc's own arithmetic, slow and rarely needed.
using Quad = __float128;

struct Node {
  std::size_t begin;
  std::size_t end;
};

/// x' G y over two ranges of leaves, and the same of the terms' absolute values.
template <class Scalar>
struct Product {
  Scalar value = 0;
  Scalar size = 0;
};

template <class Scalar>
class Tree {
 public:
  Tree(const std::vector<Scalar>& gram, std::size_t leaves, double cancellation)
      : gram_(gram), leaves_(leaves), cancellation_(cancellation), coefficients_(leaves, Scalar(1)) {}

  AdasumTree grow() {
    std::vector<Node> level;
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) level.push_back({leaf, leaf + 1});
    while (level.size() > 1) level = combineNeighbours(level);
    finish(level.front());
    return std::move(result_);
  }

 private:
  std::vector<Node> combineNeighbours(const std::vector<Node>& level) {
    std::vector<Node> above;
    for (std::size_t n = 0; n + 1 < level.size(); n += 2) above.push_back(combine(level[n], level[n + 1]));
    if (level.size() % 2 == 1) above.push_back(level.back());
    return above;
  }

  Node combine(Node a, Node b) {
    const Scalar normA = norm(a);
    const Scalar normB = norm(b);
    const Scalar dot = product(a, b).value;
    cosines_ += pairCosine(static_cast<double>(dot), static_cast<double>(normA), static_cast<double>(normB));
    scale(a, coefficient(dot, normA));
    scale(b, coefficient(dot, normB));
    return {a.begin, b.end};
  }

  Scalar norm(Node node) {
    const auto square = product(node, node);
    if (square.value < Scalar(cancellation_) * square.size) result_.needsExact = true;
    return square.value < 0 ? Scalar(0) : square.value;
  }

  Product<Scalar> product(Node x, Node y) const {
    Product<Scalar> sum;
    for (std::size_t i = x.begin; i < x.end; ++i) {
      for (std::size_t j = y.begin; j < y.end; ++j) {
        const Scalar dot = gram_[i <= j ? gramIndex(i, j, leaves_) : gramIndex(j, i, leaves_)];
        const Scalar term = coefficients_[i] * coefficients_[j] * dot;
        sum.value += term;
        sum.size += term < 0 ? -term : term;
      }
    }
    return sum;
  }

  static Scalar coefficient(Scalar dot, Scalar norm) {
    return norm < Scalar(adasumTinyNorm) ? Scalar(1) : Scalar(1) - dot / (Scalar(2) * norm);
  }

  void scale(Node node, Scalar factor) {
    for (std::size_t i = node.begin; i < node.end; ++i) coefficients_[i] *= factor;
  }

  void finish(Node root) {
    double leafNorms = 0;
    for (std::size_t i = 0; i < leaves_; ++i) leafNorms += static_cast<double>(gram_[gramIndex(i, i, leaves_)]);
    const double rootNorm = static_cast<double>(norm(root));
    const double pairs = std::max(1.0, static_cast<double>(leaves_) - 1);
    result_.statistics = tensorStatistics(leafNorms, rootNorm, cosines_ / pairs);
    for (const Scalar value : coefficients_) {
      const auto rounded = static_cast<double>(value);
      result_.coefficients.push_back(rounded);
      result_.corrections.push_back(static_cast<double>(value - Scalar(rounded)));
    }
  }

  const std::vector<Scalar>& gram_;
  std::size_t leaves_;
  double cancellation_;
  std::vector<Scalar> coefficients_;
  double cosines_ = 0;
  AdasumTree result_;
};

}  // namespace

PairCoefficients pairCoefficients(double dot, double normA, double normB) {
  PairCoefficients pair;
  if (!(normA < adasumTinyNorm)) pair.a = 1 - dot / (2 * normA);
  if (!(normB < adasumTinyNorm)) pair.b = 1 - dot / (2 * normB);
  return pair;
}

double combinedNorm(double dot, double normA, double normB) {
  const PairCoefficients by = pairCoefficients(dot, normA, normB);
  const double norm = by.a * by.a * normA + 2 * by.a * by.b * dot + by.b * by.b * normB;
  return norm < 0 ? 0 : norm;  // rounding may leave a little less than nothing; NaN stays
}

TensorStatistics tensorStatistics(double leafNorms, double rootNorm, double cosine) {
  if (leafNorms == 0) return {std::nan(""), std::nan("")};
  return {rootNorm / leafNorms, cosine};
}

double pairCosine(double dot, double normA, double normB) {
  if (normA < adasumTinyNorm || normB < adasumTinyNorm) return 0;
  return dot / (std::sqrt(normA) * std::sqrt(normB));
}

AdasumTree adasumTree(std::span<const double> gram, std::size_t leaves, double cancellation) {
  const std::vector<double> values(gram.begin(), gram.end());
  return Tree<double>(values, leaves, cancellation).grow();
}

AdasumTree adasumTreeExact(std::span<const double> gram, std::size_t leaves) {
  std::vector<Quad> values;
  for (std::size_t k = 0; k < gramSize(leaves); ++k) values.push_back(Quad(gram[2 * k]) + Quad(gram[2 * k + 1]));
  return Tree<Quad>(values, leaves, 0).grow();
}

}  // namespace slipstream
