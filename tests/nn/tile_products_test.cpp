// SPDX-License-Identifier: GPL-3.0-or-later
// Products of fp32 matrices on the processor's matrix unit, beside the same in float64.
#include "engine/nn/layers/tile_products.h"

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "engine/base/random.h"
#include "engine/nn/layers/matrix_product.h"
#include "engine/probe/processor.h"

namespace slipstream::test {
namespace {

std::vector<float> normalNumbers(std::int64_t count, std::uint64_t number) {
  Random random(3, RandomStream::test, number);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(random.normal() * std::pow(2.0, random.below(20)));
  return values;
}

struct Product {
  ProductShape shape;
  bool transposeA;
  bool transposeB;

  std::vector<float> a = normalNumbers(shape.rows * shape.inner, 1);
  std::vector<float> b = normalNumbers(shape.inner * shape.columns, 2);

  float ofA(std::int64_t row, std::int64_t inner) const {
    return a[static_cast<std::size_t>(transposeA ? inner * shape.rows + row : row * shape.inner + inner)];
  }
  float ofB(std::int64_t inner, std::int64_t column) const {
    return b[static_cast<std::size_t>(transposeB ? column * shape.inner + inner : inner * shape.columns + column)];
  }
  std::vector<float> onTiles(const std::vector<float>* before = nullptr) const {
    std::vector<float> c(static_cast<std::size_t>(shape.rows * shape.columns), std::numeric_limits<float>::quiet_NaN());
    if (before != nullptr) c = *before;
    multiplyTiles({a.data(), transposeA ? shape.rows : shape.inner, transposeA},
                  {b.data(), transposeB ? shape.inner : shape.columns, !transposeB}, shape, before != nullptr,
                  c.data());
    return c;
  }
  /// Largest difference from the product in float64 after `before`, as a share of the sum of its terms' sizes.
  double error(const std::vector<float>& c, const std::vector<float>* before = nullptr) const {
    double largest = 0;
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      for (std::int64_t column = 0; column < shape.columns; ++column) {
        const auto at = static_cast<std::size_t>(row * shape.columns + column);
        double sum = before == nullptr ? 0.0 : (*before)[at];
        double sizes = std::abs(sum);
        for (std::int64_t inner = 0; inner < shape.inner; ++inner) {
          const double term = static_cast<double>(ofA(row, inner)) * ofB(inner, column);
          sum += term;
          sizes += std::abs(term);
        }
        const double error = std::abs(c[at] - sum) / sizes;
        if (std::isnan(error)) return error;
        largest = std::max(largest, error);
      }
    }
    return largest;
  }
};

/// A sum in fp32 rounds at every step; by chance its error grows as the root of their number. 2^-24 is half a unit in
/// the last place.
constexpr double halfUnit = 0x1p-24;
double allowed(const ProductShape& shape) {
  return halfUnit * (2 + std::sqrt(static_cast<double>(shape.inner)));
}

/// What a sum in fp32 cannot exceed in any order of its terms (Higham 2002, Accuracy and Stability of Numerical
/// Algorithms, section 3.1): a library adds as its processor likes it.
double bound(const ProductShape& shape) {
  const double terms = static_cast<double>(shape.inner) + 1;
  return terms * halfUnit / (1 - terms * halfUnit);
}

struct NamedShape {
  const char* name;
  ProductShape shape;
};

class TileProducts : public testing::TestWithParam<std::tuple<NamedShape, bool, bool>> {
 protected:
  void SetUp() override {
    if (!multipliesTiles()) GTEST_SKIP() << "this processor has no matrix unit";
  }
  static Product product() {
    const auto& [named, transposeA, transposeB] = GetParam();
    return {named.shape, transposeA, transposeB};
  }
};

TEST_P(TileProducts, AreThoseOfFloat64) {
  const Product product = TileProducts::product();
  EXPECT_LT(product.error(product.onTiles()), allowed(product.shape));
}

TEST_P(TileProducts, AreAddedToWhatIsThere) {
  const Product product = TileProducts::product();
  const auto before = normalNumbers(product.shape.rows * product.shape.columns, 3);
  EXPECT_LT(product.error(product.onTiles(&before), &before), allowed(product.shape));
}

TEST_P(TileProducts, HaveTheSameBitsForAnyNumberOfThreads) {
  const Product product = TileProducts::product();
  const int usual = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto alone = product.onTiles();
  for (const int threads : {2, 3, 4, 6}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(product.onTiles(), alone) << threads;
  }
  omp_set_num_threads(usual);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, TileProducts,
    testing::Combine(testing::Values(NamedShape{"One", {1, 1, 1}}, NamedShape{"WholeTiles", {64, 96, 128}},
                                     NamedShape{"NothingWhole", {45, 77, 51}}, NamedShape{"OneRow", {1, 130, 70}},
                                     NamedShape{"OneColumn", {130, 1, 33}}, NamedShape{"SeveralChunks", {33, 40, 1100}},
                                     NamedShape{"SeveralBlocks", {545, 530, 40}}),
                     testing::Bool(), testing::Bool()),
    [](const auto& tested) {
      return std::string(std::get<0>(tested.param).name) + (std::get<1>(tested.param) ? "_T" : "_N") +
             (std::get<2>(tested.param) ? "T" : "N");
    });

TEST(TileProducts, AreAsCloseAsSumsOfFloat32) {
  if (!multipliesTiles()) GTEST_SKIP() << "this processor has no matrix unit";
  const Product product{{96, 96, 800}, false, true};
  std::vector<float> summed(96 * 96, 0.0F);
  for (std::size_t i = 0; i < summed.size(); ++i) {
    for (std::int64_t inner = 0; inner < 800; ++inner) {
      summed[i] +=
          product.ofA(static_cast<std::int64_t>(i / 96), inner) * product.ofB(inner, static_cast<std::int64_t>(i % 96));
    }
  }
  EXPECT_LT(product.error(product.onTiles()), product.error(summed));
}

TEST(TileProducts, WhatIsNotFiniteStaysSo) {
  if (!multipliesTiles()) GTEST_SKIP() << "this processor has no matrix unit";
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Product product{{64, 64, 64}, false, false};
    product.a[5 * 64 + 7] = bad;
    const auto c = product.onTiles();
    for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(std::isfinite(c[i]), i / 64 != 5) << i;
  }
}

TEST(MatrixProduct, LargeAndSmallOnesAreThoseOfFloat64) {
  for (const ProductShape& shape : {ProductShape{160, 150, 90}, ProductShape{7, 150, 90}}) {
    const Product product{shape, true, false};
    std::vector<float> c(static_cast<std::size_t>(shape.rows * shape.columns), 1.0F);
    const std::vector<float> before = c;
    multiply('T', 'N', shape.rows, shape.columns, shape.inner, product.a.data(), product.b.data(), 1.0F, c.data());
    EXPECT_LT(product.error(c, &before), bound(shape));
    multiply('T', 'N', shape.rows, shape.columns, shape.inner, product.a.data(), product.b.data(), 0.0F, c.data());
    EXPECT_LT(product.error(c), bound(shape));
  }
}

}  // namespace
}  // namespace slipstream::test
