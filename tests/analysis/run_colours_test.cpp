// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/run_colours.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

RunRecord runOf(int number, const std::string& variant, int slot) {
  RunRecord run;
  run.id = "run" + std::to_string(1000 + number);
  run.createdAt = number;
  run.experimentName = "small";
  run.variant = variant;
  run.colourSlot = slot;
  return run;
}

std::vector<RunRecord> runsOf(int count, int firstSlot = 0) {
  std::vector<RunRecord> runs;
  for (int i = 0; i < count; ++i) runs.push_back(runOf(i, "variant" + std::to_string(i % 4), firstSlot + i));
  return runs;
}

TEST(RunColours, NoTwoRunsShareColourAndDash) {
  for (const int count : {1, 3, 12, 40, 60}) {
    std::set<int> slots;
    for (const auto& [id, slot] : distinctSlots(runsOf(count, 37))) slots.insert(slot);
    EXPECT_EQ(slots.size(), static_cast<std::size_t>(count));
    EXPECT_LT(*slots.rbegin(), runColourCount * runDashCount);
  }
}

TEST(RunColours, RunsOfOneColourAloneAreDashed) {
  const std::vector<RunRecord> runs{runOf(0, "averaged", 56), runOf(1, "adasum", 66), runOf(2, "adasum", 67)};
  const auto slots = distinctSlots(runs);
  EXPECT_EQ(slots.at(runs[0].id), 6);
  EXPECT_EQ(slots.at(runs[1].id), 16);
  EXPECT_EQ(slots.at(runs[2].id), 7);
}

TEST(RunColours, MoreRunsOfOneColourThanDashesTakeOtherColours) {
  std::vector<RunRecord> runs;
  for (int i = 0; i < 20; ++i) runs.push_back(runOf(i, "only", 3));
  std::set<int> slots;
  for (const auto& [id, slot] : distinctSlots(runs)) slots.insert(slot);
  EXPECT_EQ(slots.size(), 20U);
}

TEST(RunColours, TheFirstRunOfAVariantGoesBeforeOtherSeeds) {
  std::vector<RunRecord> runs;
  for (int i = 0; i < 3; ++i) runs.push_back(runOf(i, "averaged", 8 + i));
  for (int i = 3; i < 6; ++i) runs.push_back(runOf(i, "adasum", 17 + i));
  const auto slots = distinctSlots(runs);
  EXPECT_EQ(slots.at(runs[0].id), 8);
  EXPECT_EQ(slots.at(runs[3].id), 0) << "slot 20 is solid, the older seed of the other variant with slot 10 is not";
  EXPECT_EQ(slots.at(runs[2].id), 10);
}

TEST(RunColours, TheOrderInWhichRunsAreNamedIsNoMatter) {
  std::vector<RunRecord> runs = runsOf(25, 4);
  const auto before = distinctSlots(runs);
  std::shuffle(runs.begin(), runs.end(), std::mt19937(7));
  EXPECT_EQ(distinctSlots(runs), before);
}

TEST(RunColours, MoreRunsThanPensAreAllSolid) {
  for (const auto& [id, slot] : distinctSlots(runsOf(200))) EXPECT_LT(slot, runColourCount);
}

}  // namespace
}  // namespace slipstream
