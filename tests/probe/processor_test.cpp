// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/processor.h"

#include <gtest/gtest.h>

namespace slipstream {
namespace {

TEST(InstructionSets, HaveTheNamesThatPlansRecord) {
  EXPECT_EQ(nameOf(InstructionSet::baseline), "baseline");
  EXPECT_EQ(nameOf(InstructionSet::avx512Amx), "avx512_amx");
  EXPECT_EQ(findInstructionSet("avx2"), InstructionSet::avx2);
  EXPECT_EQ(findInstructionSet("avx1024"), std::nullopt);
}

TEST(InstructionSets, OnlyARecordOfAvx512RefusesTheMatrixUnit) {
  EXPECT_TRUE(excludesMatrixUnit("avx512"));
  EXPECT_FALSE(excludesMatrixUnit("avx512_amx"));
  EXPECT_FALSE(excludesMatrixUnit(""));
}

TEST(InstructionSets, ThisProcessorComputesAsItself) {
  EXPECT_TRUE(computesAs(nameOf(instructionSet())));
  EXPECT_FALSE(computesAs("avx1024"));
}

}  // namespace
}  // namespace slipstream
