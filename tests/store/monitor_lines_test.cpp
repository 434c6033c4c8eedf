// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/monitor_lines.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/store/checkpoint_removal.h"
#include "engine/store/environment.h"

namespace slipstream {
namespace {

TEST(MonitorLines, AllThreeFormsOfTheLossLineAreRead) {
  for (const char* line : {"epoch: 1 step: 625, loss is 5.25", "epoch: 1 step: 625 loss is 5.25",
                           "epoch: 1, step: 625, loss is 5.25", "  epoch: 1 step: 625, loss is 5.25\n"}) {
    const auto report = parseLossLine(line);
    ASSERT_TRUE(report) << line;
    EXPECT_EQ(report->epoch, 1);
    EXPECT_EQ(report->step, 625);
    EXPECT_EQ(report->loss, 5.25);
  }
  EXPECT_TRUE(std::isnan(parseLossLine("epoch: 1 step: 2, loss is nan")->loss));
  for (const char* line : {"", "epoch: 1 step: x, loss is 5", "epoch: 1 step: 2, loss is", "epoch time: 5.000 ms",
                           "epoch: 1 step: 2, loss is 5 apples"}) {
    EXPECT_FALSE(parseLossLine(line)) << line;
  }
}

TEST(MonitorLines, WhatIsWrittenIsReadBack) {
  for (const double loss : {0.4213, 7.89255428314209, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(parseLossLine(lossLine(3, 40, loss))->loss, loss);
  }
}

TEST(CheckpointsToRemove, ZeroKeepsAll) {
  EXPECT_TRUE(checkpointsToRemove({1, 2, 3}, 0).empty());
  EXPECT_EQ(checkpointsToRemove({1, 2, 3}, 1), (std::vector<std::int64_t>{1, 2}));
}

TEST(Environment, NamesHostProcessorAndVersions) {
  const auto environment = nlohmann::json::parse(describeEnvironment());
  EXPECT_FALSE(environment.at("host").get<std::string>().empty());
  EXPECT_GT(environment.at("cores").get<int>(), 0);
  EXPECT_TRUE(environment.at("versions").contains("slipstream"));
}

}  // namespace
}  // namespace slipstream
