// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/distributions.h"

#include <gtest/gtest.h>

namespace slipstream {
namespace {

/// Quantiles as published (NIST/SEMATECH e-Handbook 1.3.6.7.2) and, for the far tails, by SciPy 1.10's stats.t.ppf.
TEST(StudentT, QuantilesAreTheTables) {
  EXPECT_NEAR(studentQuantile(0.975, 1), 12.706205, 1e-5);
  EXPECT_NEAR(studentQuantile(0.975, 2), 4.302653, 1e-6);
  EXPECT_NEAR(studentQuantile(0.975, 3), 3.182446, 1e-6);
  EXPECT_NEAR(studentQuantile(0.975, 4), 2.776445, 1e-6);
  EXPECT_NEAR(studentQuantile(0.975, 9), 2.262157, 1e-6);
  EXPECT_NEAR(studentQuantile(0.975, 30), 2.042272, 1e-6);
  EXPECT_NEAR(studentQuantile(0.995, 2), 9.924843, 1e-6);
  EXPECT_NEAR(studentQuantile(0.8, 2), 1.060660, 1e-6);
  EXPECT_NEAR(studentQuantile(1 - 0.05 / 80, 4), 8.121637, 1e-5);
  EXPECT_NEAR(normalQuantile(0.975), 1.959964, 1e-6);
  EXPECT_NEAR(normalQuantile(0.8), 0.841621, 1e-6);
}

TEST(StudentT, ADetectableShiftHasItsPower) {
  // 1 - stats.nct.cdf(critical, degrees, shift) of SciPy 1.10 is 0.8 there.
  EXPECT_NEAR(detectableShift(4.302653, 2, 0.8), 5.653490, 1e-3);
  EXPECT_NEAR(detectableShift(5.597568, 4, 0.8), 7.055574, 1e-3);
  EXPECT_NEAR(detectableShift(2.262157, 9, 0.8), 3.149636, 1e-3);
}

TEST(StudentT, IsSymmetricAndEndsAtTheNormal) {
  EXPECT_NEAR(studentQuantile(0.5, 7), 0, 1e-9);
  EXPECT_NEAR(studentQuantile(0.1, 6), -studentQuantile(0.9, 6), 1e-9);
  EXPECT_NEAR(studentQuantile(0.975, 2001), normalQuantile(0.975), 2e-3);
  EXPECT_LT(studentQuantile(0.975, 10), studentQuantile(0.975, 9));
}

}  // namespace
}  // namespace slipstream
