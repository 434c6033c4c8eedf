// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/common_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipstream {
namespace {

using ::testing::ElementsAre;

TEST(CommonEnd, IsTakenOffAllLabels) {
  std::vector<std::string> labels{"averaged, lr 0.01", "adasum, lr 0.01"};
  EXPECT_EQ(takeCommonEnd(labels), "lr 0.01");
  EXPECT_THAT(labels, ElementsAre("averaged", "adasum"));
  labels = {"averaged, lr 0.01, batch 32", "adasum, lr 0.01, batch 32", "averaged, warm, lr 0.01, batch 32"};
  EXPECT_EQ(takeCommonEnd(labels), "lr 0.01, batch 32");
  EXPECT_THAT(labels, ElementsAre("averaged", "adasum", "averaged, warm"));
}

TEST(CommonEnd, WhatTellsLabelsApartStays) {
  std::vector<std::string> labels{"adasum, lr 0.01", "adasum, lr 0.02"};
  EXPECT_EQ(takeCommonEnd(labels), "");
  EXPECT_THAT(labels, ElementsAre("adasum, lr 0.01", "adasum, lr 0.02"));
  labels = {"mean", "adasum, mean"};
  EXPECT_EQ(takeCommonEnd(labels), "");
  labels = {"adasum, lr 0.01", "adasum, lr 0.01"};
  EXPECT_EQ(takeCommonEnd(labels), "") << "one label says what all runs are";
  labels = {", lr 0.01", "adasum, lr 0.01"};
  EXPECT_EQ(takeCommonEnd(labels), "") << "nothing would be left of the first";
  labels = {"one, a"};
  EXPECT_EQ(takeCommonEnd(labels), "");
}

}  // namespace
}  // namespace slipstream
