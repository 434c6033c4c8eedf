// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/distributions.h"

#include <cmath>
#include <numbers>

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

TEST(StudentT, TailsKeepTheirDigitsAndAreNeverNegative) {
  // Of one and of two degrees of freedom the tails have closed forms.
  for (const double t : {0.5, 1.0, 3.0, 1e3, 1e9}) {
    const double one = 2 / std::numbers::pi * std::atan(1 / t);
    const double root = std::sqrt(t * t + 2), two = 2 / (root * (root + t));
    EXPECT_NEAR(studentBeyond(t, 1) / one, 1, 1e-9) << t;
    EXPECT_NEAR(studentBeyond(t, 2) / two, 1, 1e-9) << t;
  }
  EXPECT_EQ(studentBeyond(0, 5), 1);
  for (int degrees = 1; degrees < 40; ++degrees) {
    for (double t = 0.25; t < 1e12; t *= 2) {
      EXPECT_GE(studentBeyond(t, degrees), 0);
      EXPECT_LE(studentBeyond(t, degrees), studentBeyond(t / 2, degrees));
    }
  }
}

TEST(StudentT, IsSymmetricAndEndsAtTheNormal) {
  EXPECT_NEAR(studentQuantile(0.5, 7), 0, 1e-9);
  EXPECT_NEAR(studentQuantile(0.1, 6), -studentQuantile(0.9, 6), 1e-9);
  EXPECT_NEAR(studentQuantile(0.975, 2001), normalQuantile(0.975), 2e-3);
  EXPECT_LT(studentQuantile(0.975, 10), studentQuantile(0.975, 9));
}

}  // namespace
}  // namespace slipstream
