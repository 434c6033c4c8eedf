// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/number_type.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

float rounded(float value) {
  return toFloat(fromFloat<Bfloat16>(value));
}

TEST(Bfloat16, KeepsWhatFits) {
  for (const float value : {0.0F, 1.0F, -2.5F, 0x1.FEp+10F, 0x1p-126F, 0x1p-133F}) EXPECT_EQ(rounded(value), value);
  EXPECT_TRUE(std::signbit(rounded(-0.0F)));
}

TEST(Bfloat16, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(rounded(0x1.01p+0F), 0x1.00p+0F) << "a tie, 1.00 is even";
  EXPECT_EQ(rounded(0x1.03p+0F), 0x1.04p+0F) << "a tie, 1.04 is even";
  EXPECT_EQ(rounded(0x1.010002p+0F), 0x1.02p+0F);
  EXPECT_EQ(rounded(0x1.00FFFEp+0F), 0x1.00p+0F);
  EXPECT_EQ(rounded(-0x1.03p+0F), -0x1.04p+0F);
}

TEST(Bfloat16, WhatIsNotFiniteStaysSo) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(rounded(infinity), infinity);
  EXPECT_EQ(rounded(-infinity), -infinity);
  EXPECT_EQ(rounded(std::numeric_limits<float>::max()), infinity) << "nearer to the next power than to the largest";
  EXPECT_TRUE(std::isnan(rounded(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(rounded(std::bit_cast<float>(0x7F800001U)))) << "its only bits are those that go";
}

}  // namespace
}  // namespace slipstream
