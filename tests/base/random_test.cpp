// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

TEST(Random, SameSeedStreamAndStepGiveTheSameSequence) {
  Random a(7, RandomStream::shuffle, 3);
  Random b(7, RandomStream::shuffle, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.bits(), b.bits());
}

TEST(Random, OtherSeedStreamOrStepGiveOtherSequences) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t step = 0; step < 10; ++step) {
      firsts.insert(Random(seed, RandomStream::shuffle, step).bits());
      firsts.insert(Random(seed, RandomStream::digits, step).bits());
    }
  }
  EXPECT_EQ(firsts.size(), 200U);
}

TEST(Random, NormalHasMeanZeroAndDeviationOne) {
  Random random(1, RandomStream::test);
  double sum = 0;
  double squares = 0;
  constexpr int draws = 100000;
  for (int i = 0; i < draws; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / draws, 0.0, 0.02);
  EXPECT_NEAR(squares / draws, 1.0, 0.02);
}

TEST(Random, TruncatedNormalStaysInsideItsBound) {
  Random random(1, RandomStream::test);
  for (int i = 0; i < 10000; ++i) EXPECT_LE(std::abs(random.truncatedNormal(2.0)), 2.0);
}

TEST(Random, ShuffleKeepsEveryValueAndMovesThem) {
  std::vector<std::uint32_t> values(1000);
  std::iota(values.begin(), values.end(), 0U);
  const auto before = values;
  Random(5, RandomStream::shuffle).shuffle(values);
  EXPECT_NE(values, before);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(values, before);
}

}  // namespace
}  // namespace slipstream
