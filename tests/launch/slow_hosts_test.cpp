// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/slow_hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/record/metric_info.h"

namespace slipstream {
namespace {

MetricBlock stepsOf(double computing, int steps = 10) {
  MetricBlock block;
  block.names = {metric::loss, metric::computeSeconds, metric::dataSeconds};
  for (int step = 0; step < steps; ++step) {
    block.steps.push_back(step);
    block.values.insert(block.values.end(), {1.0, computing, 0.0});
  }
  return block;
}

/// What was told over so many windows of five seconds.
std::vector<std::string> told(SlowHosts& hosts, const std::vector<double>& computing, int windows) {
  std::vector<std::string> names;
  hosts.poll(0);
  for (int window = 1; window <= windows; ++window) {
    for (std::size_t rank = 0; rank < computing.size(); ++rank) {
      hosts.add(static_cast<int>(rank), stepsOf(computing[rank]));
    }
    if (const auto slow = hosts.poll(5.0 * window)) names.push_back(slow->host);
  }
  return names;
}

TEST(SlowHosts, TheOneThatAllWaitForIsToldOnce) {
  SlowHosts hosts({"a", "a", "b", "b", "c", "c"});
  EXPECT_THAT(told(hosts, {0.01, 0.01, 0.05, 0.01, 0.01, 0.01}, 6), testing::ElementsAre("b"));
  EXPECT_EQ(describe({"b", 0.03, 0.01}),
            "host b is slow: its ranks take 3.0 times as long for their part of a step as the other hosts' (30.0 ms, "
            "10.0 there), and all wait for them");
}

TEST(SlowHosts, OneWindowIsNotEnough) {
  SlowHosts hosts({"a", "b"});
  EXPECT_TRUE(told(hosts, {0.01, 0.05}, 2).empty()) << "the first one warms up";
}

TEST(SlowHosts, HostsThatAreAlikeAreNotTold) {
  SlowHosts hosts({"a", "b", "c"});
  EXPECT_TRUE(told(hosts, {0.01, 0.015, 0.012}, 6).empty());
}

TEST(SlowHosts, OnOneHostNobodyIs) {
  SlowHosts hosts({"a", "a"});
  EXPECT_TRUE(told(hosts, {0.01, 0.05}, 6).empty());
}

}  // namespace
}  // namespace slipstream
