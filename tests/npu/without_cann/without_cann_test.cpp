// SPDX-License-Identifier: GPL-3.0-or-later
// Where CANN is not installed. On a machine that has it, each test is skipped and says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/shared_library.h"
#include "engine/npu/npu_device.h"

namespace slipstream {
namespace {

class WithoutCann : public testing::Test {
 protected:
  void SetUp() override {
    if (SharedLibrary::open("libascendcl.so", "", "")) GTEST_SKIP() << "CANN is installed here";
  }
};

TEST_F(WithoutCann, SaysWhatIsMissingAndWhatToDo) {
  MemoryMeter meter;
  const auto device = openNpuDevice(0, meter);
  ASSERT_FALSE(device);
  const Failure& why = device.error().front();
  EXPECT_EQ(why.where, "device");
  EXPECT_EQ(why.value, "npu");
  EXPECT_EQ(why.problem, "CANN is not installed: libascendcl.so was not found, which devices of Ascend need");
  EXPECT_THAT(why.remedy, testing::HasSubstr("set_env.sh"));
  EXPECT_THAT(why.remedy, testing::HasSubstr("npu-twin"));
}

TEST_F(WithoutCann, ListsNoDevice) {
  const auto npus = listNpus();
  ASSERT_FALSE(npus);
  EXPECT_THAT(npus.error().front().problem, testing::HasSubstr("CANN is not installed"));
}

}  // namespace
}  // namespace slipstream
