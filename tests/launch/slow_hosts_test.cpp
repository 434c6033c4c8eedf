// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/slow_hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/record/metric_info.h"

namespace slipstream {
namespace {

MetricBlock stepsOf(double computing, double whole, int steps = 10) {
  MetricBlock block;
  block.names = {metric::stepSeconds, metric::computeSeconds, metric::dataSeconds};
  for (int step = 0; step < steps; ++step) {
    block.steps.push_back(step);
    block.values.insert(block.values.end(), {whole, computing, 0.0});
  }
  return block;
}

/// What was told over so many windows of five seconds.
std::vector<std::string> told(SlowHosts& hosts, const std::vector<double>& computing, int windows,
                              const std::vector<double>& delays = {}, double whole = 0.06) {
  std::vector<std::string> names;
  std::vector<double> delayed(delays.size());
  hosts.poll(0, delayed);
  for (int window = 1; window <= windows; ++window) {
    for (std::size_t rank = 0; rank < computing.size(); ++rank) {
      hosts.add(static_cast<int>(rank), stepsOf(computing[rank], whole));
    }
    for (std::size_t rank = 0; rank < delays.size(); ++rank) delayed[rank] += 5 * delays[rank];
    if (const auto slow = hosts.poll(5.0 * window, delayed)) names.push_back(slow->host);
  }
  return names;
}

TEST(SlowHosts, TheOneThatAllWaitForIsToldOnce) {
  SlowHosts hosts({"a", "a", "b", "b", "c", "c"});
  EXPECT_THAT(told(hosts, {0.01, 0.01, 0.05, 0.01, 0.01, 0.01}, 6), testing::ElementsAre("b"));
  EXPECT_EQ(describe({"b", 0.03, 0.01}),
            "host b is slow: its ranks take 30.0 ms for their part of a step (the others 10.0), and all wait for them");
}

TEST(SlowHosts, TheOneThatDoesNotLetItsRanksRunIsTold) {
  SlowHosts hosts({"a", "b", "c"});
  EXPECT_THAT(told(hosts, {0.01, 0.01, 0.01}, 6, {0.02, 0.03, 0.3}), testing::ElementsAre("c"));
  SlowHosts busy({"a", "b", "c"});
  EXPECT_TRUE(told(busy, {0.01, 0.01, 0.01}, 6, {0.2, 0.25, 0.3}).empty()) << "all have too much to do";
}

TEST(SlowHosts, OneWindowIsNotEnough) {
  SlowHosts hosts({"a", "b"});
  EXPECT_TRUE(told(hosts, {0.01, 0.05}, 2).empty()) << "the first one warms up";
}

TEST(SlowHosts, HostsThatAreAlikeAreNotTold) {
  SlowHosts hosts({"a", "b", "c"});
  EXPECT_TRUE(told(hosts, {0.01, 0.015, 0.012}, 6).empty());
}

TEST(SlowHosts, NobodyWaitsForALittleMore) {
  SlowHosts hosts({"a", "b", "c"});
  EXPECT_TRUE(told(hosts, {0.01, 0.03, 0.01}, 6, {}, 0.5).empty());
}

TEST(SlowHosts, OnOneHostNobodyIs) {
  SlowHosts hosts({"a", "a"});
  EXPECT_TRUE(told(hosts, {0.01, 0.05}, 6).empty());
}

}  // namespace
}  // namespace slipstream
