// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/pass_check.h"

#include <array>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "engine/device/cpu_device.h"

namespace slipstream {
namespace {

/// Whether a check of a build that checks refuses a pass that makes `after` of `before`.
bool refuses(float before, float after) {
  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  std::array<float, 2> gradients{1, before};
  const PassCheck check(*device, gradients);
  gradients[1] = after;
  try {
    check.verify("a pass");
  } catch (const std::logic_error&) {
    return true;
  }
  return false;
}

TEST(PassCheck, RefusesInDebugBuildsWhatMakesAFiniteGradientInfinite) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refuses(1, infinity), checksPasses);
  EXPECT_EQ(refuses(1, none), checksPasses);
  EXPECT_FALSE(refuses(1, 2));
  EXPECT_FALSE(refuses(infinity, none));
}

}  // namespace
}  // namespace slipstream
