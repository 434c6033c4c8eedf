// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_freeze/grad_freeze.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/grad_freeze/freeze_schedule.h"
#include "tests/boost/update_fixture.h"
#include "tests/nn/host.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

FreezeSchedule scheduleOf(int type, double fullShare, int groups, std::int64_t totalSteps) {
  GradFreezeOptions options;
  options.freezeType = type;
  options.freezeP = fullShare;
  options.totalSteps = totalSteps;
  auto random = std::make_shared<Random>(3, RandomStream::test);
  return {options, groups, [random] { return random->uniform(); }};
}

std::vector<int> firstSteps(FreezeSchedule schedule, std::int64_t count) {
  std::vector<int> groups;
  for (std::int64_t step = 0; step < count; ++step) groups.push_back(schedule.groupAt(step));
  return groups;
}

TEST(FreezeSchedule, ContinuousByHand) {
  // 0.5 * 2 / 0.5 = 2 full steps, then groups 1 and 2
  EXPECT_EQ(firstSteps(scheduleOf(0, 0.5, 3, 6), 10), (std::vector<int>{0, 0, 1, 2, 0, 0, 1, 2, 0, 0}));
  EXPECT_EQ(scheduleOf(0, 0.5, 3, 6).length(), 8);
}

TEST(FreezeSchedule, OneGroupIsAlwaysTheWholeNetwork) {
  for (const int type : {0, 1}) EXPECT_EQ(firstSteps(scheduleOf(type, 0.1, 1, 5), 12), std::vector<int>(12, 0));
}

TEST(FreezeSchedule, IntervalFreezesTheShareAndShallowGroupsMoreOften) {
  std::map<int, int> counts;
  constexpr int steps = 40000;
  for (const int group : firstSteps(scheduleOf(1, 0.6, 4, steps), steps)) ++counts[group];
  EXPECT_NEAR(counts[0], 0.6 * steps, 2);
  EXPECT_NEAR(counts[1], 0.4 * steps * 3 / 6, 0.01 * steps);
  EXPECT_NEAR(counts[2], 0.4 * steps * 2 / 6, 0.01 * steps);
  EXPECT_NEAR(counts[3], 0.4 * steps * 1 / 6, 0.01 * steps);
}

TEST(FreezeSchedule, AnyOrderOfStepsGivesTheSameGroups) {
  const auto forward = firstSteps(scheduleOf(1, 0.7, 5, 50), 120);
  auto schedule = scheduleOf(1, 0.7, 5, 50);
  for (const std::int64_t step : {100, 7, 49, 50, 0, 119}) {
    EXPECT_EQ(schedule.groupAt(step), forward[static_cast<std::size_t>(step)]) << step;
  }
  EXPECT_EQ(schedule.length(), 50);
}

/// Four tensors of a layer each: blocks of three and one.
std::vector<int> firstLayersOf(Communicator& communicator, std::uint64_t seed, std::int64_t from, std::int64_t to) {
  const ParameterLayout layout = test::layoutOf({4, 4, 4, 4});
  Experiment experiment;
  experiment.seed = seed;
  experiment.boost.edit<GradFreezeOptions>().paramGroups = 2;
  experiment.boost.edit<GradFreezeOptions>().freezeP = 0.5;
  test::Host host;
  const std::vector<int> servers(static_cast<std::size_t>(communicator.size()));
  const auto policy = makeGradFreeze(
      {layout, bucketsBySize(layout, 64), experiment, servers, 10, 100, communicator, *host.device, cpuKernelTables()});
  std::vector<int> layers;
  for (std::int64_t step = from; step < to; ++step) {
    StepPlan plan;
    policy->plan(step, plan);
    layers.push_back(plan.firstTrainedLayer);
    StepOutcome outcome;
    policy->afterStep(plan, outcome);
    EXPECT_EQ(outcome.metrics.at("freeze_index"), plan.firstTrainedLayer == 0 ? 0 : 1);
  }
  return layers;
}

TEST(GradFreeze, RanksAndAResumedRunAgreeWithoutAMessage) {
  for (const int ranks : {1, 2, 3, 6}) {
    std::vector<std::vector<int>> seen(static_cast<std::size_t>(ranks));
    test::spawnRanks(ranks, [&](Communicator& communicator) {
      const auto before = communicator.sequence();
      seen[static_cast<std::size_t>(communicator.rank())] = firstLayersOf(communicator, 4, 0, 40);
      EXPECT_EQ(communicator.sequence(), before);
      const auto resumed = firstLayersOf(communicator, 4, 25, 40);
      EXPECT_TRUE(
          std::equal(resumed.begin(), resumed.end(), seen[static_cast<std::size_t>(communicator.rank())].begin() + 25));
    });
    for (const auto& layers : seen) EXPECT_EQ(layers, seen.front());
    EXPECT_EQ(std::ranges::count(seen.front(), 3), 20);
    EXPECT_EQ(std::ranges::count(seen.front(), 0), 20);
  }
}

}  // namespace
}  // namespace slipstream
