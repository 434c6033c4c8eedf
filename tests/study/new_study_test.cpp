// SPDX-License-Identifier: GPL-3.0-or-later
// What a study is begun with.
#include "engine/study/new_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipstream {
namespace {

Json experimentOfTwo() {
  return {{"optimizer", {{"learning_rate", 0.1}}},
          {"parallel", {{"ranks", 8}}},
          {"variants", {{{"name", "mean"}}, {{"name", "sum"}, {"boost", {{"dictionary", {{"adasum", true}}}}}}}}};
}

TEST(NewStudies, HaveTheVariantsOfTheirExperimentAndFairRivals) {
  const Json study = Json::parse(newStudyText("/data/base.json", experimentOfTwo()));
  EXPECT_EQ(study["name"], "base_study");
  EXPECT_EQ(study["base"], "/data/base.json");
  EXPECT_EQ(study["reference"], "mean");
  ASSERT_EQ(study["variants"].size(), 4U);
  EXPECT_EQ(study["variants"][1], "sum");
  EXPECT_EQ(study["variants"][2]["scale_rate"], "square_root");
  EXPECT_EQ(study["variants"][3]["name"], "mean × ranks");
  EXPECT_EQ(study["seeds"]["least"], 5);
}

TEST(NewStudies, HaveNoRivalsWhereNoneIsNeededOrCouldBeScaled) {
  const Json study{{"reference", "mean"}};
  EXPECT_EQ(fairRivals(study, experimentOfTwo()).size(), 2U);
  EXPECT_TRUE(fairRivals({{"reference", "sum"}}, experimentOfTwo()).empty()) << "it is Adasum's itself";
  Json without = experimentOfTwo();
  without["variants"].erase(1);
  EXPECT_TRUE(fairRivals(study, without).empty()) << "nothing uses Adasum";
  for (const char* section : {"optimizer", "parallel"}) {
    Json lacking = experimentOfTwo();
    lacking.erase(section);
    EXPECT_TRUE(fairRivals(study, lacking).empty()) << section;
  }
}

TEST(NewStudies, AfterAnotherNameItAndAskAnew) {
  Study before;
  before.name = "ranks";
  before.document = {{"name", "ranks"}, {"question", {{"measure", "accuracy"}}}};
  const Json next = Json::parse(followingStudyText(before));
  EXPECT_EQ(next["name"], "ranks_2");
  EXPECT_EQ(next["follows"], "ranks");
  EXPECT_EQ(next["question"]["measure"], "accuracy");
}

}  // namespace
}  // namespace slipstream
