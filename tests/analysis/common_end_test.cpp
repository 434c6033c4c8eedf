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

TEST(CommonEnd, SettingsNeedNoComma) {
  std::vector<std::string> labels{"averaged lr 0.01", "adasum lr 0.01"};
  EXPECT_EQ(takeCommonEnd(labels), "lr 0.01");
  EXPECT_THAT(labels, ElementsAre("averaged", "adasum"));
  labels = {"batch 8 lr 0.01", "batch 16 lr 0.01"};
  EXPECT_EQ(takeCommonEnd(labels), "lr 0.01");
  EXPECT_THAT(labels, ElementsAre("batch 8", "batch 16"));
  labels = {"mean lr 0.01 batch 8", "adasum lr 0.01 batch 8"};
  EXPECT_EQ(takeCommonEnd(labels), "lr 0.01 batch 8");
  labels = {"mean lr 1e-3", "adasum lr 1e-3"};
  EXPECT_EQ(takeCommonEnd(labels), "lr 1e-3");
  labels = {"mean, ", "adasum, "};
  EXPECT_EQ(takeCommonEnd(labels), "") << "nothing is behind the comma";
  labels = {"2 ranks", "4 ranks"};
  EXPECT_EQ(takeCommonEnd(labels), "") << "a unit is no setting";
  labels = {"large model", "small model"};
  EXPECT_EQ(takeCommonEnd(labels), "") << "words are no settings";
  labels = {"rate × 2", "warm-up × 2"};
  EXPECT_EQ(takeCommonEnd(labels), "") << "a sign is no setting's name";
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
