// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/nn/cuda/cudnn/version.h"

namespace slipstream {
namespace {

TEST(CudnnVersion, IsRefusedWhereItCannotMakePlansOfProperties) {
  EXPECT_TRUE(checkCudnnVersion(91100));
  EXPECT_TRUE(checkCudnnVersion(91400));
  const Status tooOld = checkCudnnVersion(91002);
  ASSERT_FALSE(tooOld);
  EXPECT_EQ(tooOld.error()[0].problem, "cuDNN 9.10.2 was found, which is older than 9.11.0");
  EXPECT_EQ(tooOld.error()[0].remedy, cudnnRemedy);
}

}  // namespace
}  // namespace slipstream
