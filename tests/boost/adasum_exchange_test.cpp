// SPDX-License-Identifier: GPL-3.0-or-later
#include <cfloat>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/boost/adasum/exchange.h"
#include "tests/boost/adasum_ranks.h"
#include "tests/boost/adasum_reference.h"

namespace slipstream {
namespace {

using test::everyExchange;
using test::runAdasum;

const std::vector<std::int64_t> unevenOffsets{0, 1, 38, 39, 1539, 1542, 1559, 5000};

/// Inputs with a part common to all ranks, so that the vectors are neither parallel nor orthogonal.
template <class T>
std::vector<std::vector<T>> randomInputs(std::size_t ranks, std::size_t elements) {
  std::vector<std::vector<T>> inputs;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Random common(1, RandomStream::test);
    Random own(2, RandomStream::test, rank);
    std::vector<T> values;
    for (std::size_t i = 0; i < elements; ++i) {
      values.push_back(static_cast<T>(static_cast<float>(common.uniform(-1, 1) + own.uniform(-1, 1))));
    }
    inputs.push_back(std::move(values));
  }
  return inputs;
}

template <class T>
void expectTree(const std::vector<std::vector<T>>& inputs, const std::vector<std::int64_t>& offsets,
                const std::vector<T>& result, double tolerance) {
  for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
    std::vector<std::vector<double>> vectors;
    for (const auto& input : inputs) vectors.emplace_back(input.begin() + offsets[t], input.begin() + offsets[t + 1]);
    EXPECT_LE(test::relativeError(result.data() + offsets[t], test::referenceAdasum(vectors)), tolerance)
        << "tensor " << t << " of " << inputs.size() << " ranks";
  }
}

class AdasumRanks : public testing::TestWithParam<std::tuple<std::size_t, AdasumExchange>> {};

TEST_P(AdasumRanks, IsTheTreeInSinglePrecision) {
  const auto [ranks, exchange] = GetParam();
  const auto inputs = randomInputs<float>(ranks, 5000);
  expectTree(inputs, unevenOffsets, runAdasum(inputs, unevenOffsets, exchange).values, 5e-7);
}

TEST_P(AdasumRanks, IsTheTreeInDoublePrecision) {
  const auto [ranks, exchange] = GetParam();
  const auto inputs = randomInputs<double>(ranks, 5000);
  expectTree(inputs, unevenOffsets, runAdasum(inputs, unevenOffsets, exchange).values, 1e-13);
}

TEST_P(AdasumRanks, IsTheTreeInHalfPrecision) {
  const auto [ranks, exchange] = GetParam();
  const auto inputs = randomInputs<_Float16>(ranks, 5000);
  expectTree(inputs, unevenOffsets, runAdasum(inputs, unevenOffsets, exchange).values, 2e-3);
}

TEST_P(AdasumRanks, RepeatsItsBits) {
  const auto [ranks, exchange] = GetParam();
  const auto inputs = randomInputs<float>(ranks, 5000);
  EXPECT_EQ(runAdasum(inputs, unevenOffsets, exchange).values, runAdasum(inputs, unevenOffsets, exchange).values);
}

INSTANTIATE_TEST_SUITE_P(Counts, AdasumRanks,
                         testing::Combine(testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 13, 16),
                                          testing::ValuesIn(everyExchange)));

TEST(AdasumExchange, OneRankKeepsItsBits) {
  const auto inputs = randomInputs<float>(1, 5000);
  for (const auto exchange : everyExchange) {
    const auto result = runAdasum(inputs, unevenOffsets, exchange);
    EXPECT_EQ(result.values, inputs[0]);
    for (const auto& tensor : result.statistics) EXPECT_DOUBLE_EQ(tensor.orthogonality, 1.0);
  }
}

TEST(AdasumExchange, SharedMemoryAndGramGiveTheSameBits) {
  for (const std::size_t ranks : {2U, 3U, 7U, 8U}) {
    const auto inputs = randomInputs<float>(ranks, 5000);
    const auto window = runAdasum(inputs, unevenOffsets, AdasumExchange::window);
    const auto gram = runAdasum(inputs, unevenOffsets, AdasumExchange::gram);
    EXPECT_EQ(window.values, gram.values);
    EXPECT_EQ(window.statistics, gram.statistics);
  }
}

/// Tensors that begin and end inside a piece, at its end, and that cover several.
TEST(AdasumExchange, LongSlicesAreTheTreeAlso) {
  const std::vector<std::int64_t> offsets{0, 7, 14'976, 20'000, 20'001, 90'000};
  for (const std::size_t ranks : {2U, 3U}) {
    const auto inputs = randomInputs<float>(ranks, 90'000);
    const auto window = runAdasum(inputs, offsets, AdasumExchange::window);
    const auto gram = runAdasum(inputs, offsets, AdasumExchange::gram);
    expectTree(inputs, offsets, gram.values, 5e-7);
    EXPECT_EQ(window.values, gram.values);
    EXPECT_EQ(window.statistics, gram.statistics);
    expectTree(inputs, offsets, runAdasum(inputs, offsets, AdasumExchange::halving).values, 5e-7);
  }
}

TEST(AdasumExchange, AllFormsShowTheSameStatistics) {
  for (const std::size_t ranks : {2U, 3U, 4U, 7U}) {
    const auto inputs = randomInputs<double>(ranks, 5000);
    const auto gram = runAdasum(inputs, unevenOffsets, AdasumExchange::gram).statistics;
    const auto halving = runAdasum(inputs, unevenOffsets, AdasumExchange::halving).statistics;
    for (std::size_t t = 0; t < gram.size(); ++t) {
      EXPECT_NEAR(gram[t].orthogonality, halving[t].orthogonality, 1e-12) << t;
      EXPECT_NEAR(gram[t].cosine, halving[t].cosine, 1e-12) << t;
    }
  }
}

class AdasumIdentities : public testing::TestWithParam<AdasumExchange> {
 protected:
  /// One tensor.
  std::vector<double> combine(const std::vector<std::vector<double>>& inputs) {
    const auto result = runAdasum<double>(inputs, {0, static_cast<std::int64_t>(inputs[0].size())}, GetParam());
    statistics_ = result.statistics[0];
    return result.values;
  }
  TensorStatistics statistics_;
};

TEST_P(AdasumIdentities, EqualVectorsGiveThemselves) {
  const std::vector<double> a{1, -2, 3};
  EXPECT_EQ(combine({a, a, a, a}), a);
  EXPECT_DOUBLE_EQ(statistics_.orthogonality, 0.25);
  EXPECT_DOUBLE_EQ(statistics_.cosine, 1.0);
}

TEST_P(AdasumIdentities, ParallelVectorsGiveTheirMean) {
  EXPECT_EQ(combine({{1, -2, 3}, {3, -6, 9}}), (std::vector<double>{2, -4, 6}));
}

TEST_P(AdasumIdentities, OrthogonalVectorsGiveTheirSum) {
  EXPECT_EQ(combine({{1, 0, 0}, {0, -2, 0}, {0, 0, 5}}), (std::vector<double>{1, -2, 5}));
  EXPECT_DOUBLE_EQ(statistics_.orthogonality, 1.0);
  EXPECT_DOUBLE_EQ(statistics_.cosine, 0.0);
}

TEST_P(AdasumIdentities, OppositeVectorsGiveNothing) {
  EXPECT_EQ(combine({{1, -2, 3}, {-1, 2, -3}}), (std::vector<double>{0, 0, 0}));
  EXPECT_DOUBLE_EQ(statistics_.cosine, -1.0);
}

TEST_P(AdasumIdentities, ZeroGivesTheOther) {
  EXPECT_EQ(combine({{0, 0, 0}, {1, -2, 3}}), (std::vector<double>{1, -2, 3}));
  EXPECT_EQ(combine({{1, -2, 3}, {0, 0, 0}, {0, 0, 0}}), (std::vector<double>{1, -2, 3}));
  EXPECT_DOUBLE_EQ(statistics_.orthogonality, 1.0);
  EXPECT_EQ(combine({{0, 0, 0}, {0, 0, 0}}), (std::vector<double>{0, 0, 0}));
  EXPECT_TRUE(std::isnan(statistics_.orthogonality)) << "nothing was combined";
  EXPECT_TRUE(std::isnan(statistics_.cosine));
}

TEST_P(AdasumIdentities, NormsBelowTheGuardAreZero) {
  const double tiny = 1e-80;
  EXPECT_EQ(combine({{tiny, 0}, {tiny, 0}}), (std::vector<double>{2 * tiny, 0}));
}

TEST_P(AdasumIdentities, ScalesWithItsInputs) {
  const auto inputs = randomInputs<double>(3, 100);
  auto doubled = inputs;
  for (auto& input : doubled) {
    for (double& value : input) value *= 2;
  }
  const auto once = combine(inputs);
  const auto twice = combine(doubled);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_DOUBLE_EQ(twice[i], 2 * once[i]);
}

TEST_P(AdasumIdentities, InvalidNumbersStayVisible) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : combine({{nan, 1}, {1, 1}})) EXPECT_TRUE(std::isnan(value));
}

INSTANTIATE_TEST_SUITE_P(Forms, AdasumIdentities, testing::ValuesIn(everyExchange));

/// Leaves 0 and 1 cancel to `remainder` of their length, and what is left meets leaf 2: its coefficient needs the norm
/// of the remainder.
std::vector<std::vector<double>> cancellingInputs(double remainder) {
  Random random(3, RandomStream::test);
  std::vector<std::vector<double>> inputs(4);
  for (int i = 0; i < 1000; ++i) {
    const double a = random.uniform(-1, 1);
    const double small = remainder * random.uniform(-1, 1);
    inputs[0].push_back(a);
    inputs[1].push_back(-a + small);
    inputs[2].push_back(small + remainder * random.uniform(-1, 1));
    inputs[3].push_back(remainder * random.uniform(-1, 1));
  }
  return inputs;
}

TEST(AdasumExchange, KeepsWhatIsLeftWhenLeavesCancel) {
  for (const double remainder : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const auto inputs = cancellingInputs(remainder);
    const auto expected = test::referenceAdasum(inputs);
    for (const auto exchange : {AdasumExchange::window, AdasumExchange::gram}) {
      const auto result = runAdasum<double>(inputs, {0, 1000}, exchange);
      EXPECT_LE(test::relativeError(result.values.data(), expected), 2e-15 / remainder) << remainder;
    }
  }
}

TEST(AdasumExchange, AutomaticIsSharedMemoryThenGramThenHalving) {
  EXPECT_EQ(chooseExchange(AdasumExchange::automatic, true, 64), AdasumExchange::window);
  EXPECT_EQ(chooseExchange(AdasumExchange::automatic, false, 16), AdasumExchange::gram);
  EXPECT_EQ(chooseExchange(AdasumExchange::automatic, false, 17), AdasumExchange::halving);
  EXPECT_EQ(chooseExchange(AdasumExchange::halving, true, 2), AdasumExchange::halving);
}

}  // namespace
}  // namespace slipstream
