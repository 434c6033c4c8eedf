// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/nccl_version.h"

#include <gtest/gtest.h>

namespace slipstream {
namespace {

TEST(NcclVersion, IsReadAsNcclCountsIt) {
  EXPECT_EQ(ncclVersionText(22809), "2.28.9");
  EXPECT_EQ(ncclVersionText(21300), "2.13.0");
  EXPECT_EQ(ncclVersionText(2804), "2.8.4") << "until 2.8 the middle number had one digit";
}

TEST(NcclVersion, IsRefusedWhereItLacksWhatIsCalled) {
  EXPECT_TRUE(checkNcclVersion(leastNcclVersion));
  EXPECT_TRUE(checkNcclVersion(22809));
  const Status tooOld = checkNcclVersion(21212);
  ASSERT_FALSE(tooOld);
  EXPECT_EQ(tooOld.error()[0].problem, "NCCL 2.12.12 was found, which is older than 2.13.0");
  EXPECT_EQ(tooOld.error()[0].remedy, ncclRemedy);
}

}  // namespace
}  // namespace slipstream
