// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/averaged/host_sum.h"

#include <functional>
#include <mutex>
#include <stdexcept>

#include <gtest/gtest.h>

#include "engine/boost/averaged/averaged.h"
#include "tests/boost/host_memory.h"
#include "tests/boost/update_fixture.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using Hosts = std::vector<std::string>;

/// With a tensor of several pieces, cut where no cache line ends.
const std::vector<std::int64_t> hostLengths{37, 1, 100'003, 3, 64, 1000, 2};

std::vector<float> hostGradient(int rank, int step) {
  std::int64_t elements = 0;
  for (const std::int64_t length : hostLengths) elements += length;
  return test::randomGradient(elements, rank, step);
}

Experiment byHosts() {
  Experiment experiment = test::plainExperiment();
  experiment.parallel.exchange = GradientExchange::hosts;
  return experiment;
}

using UseRank = std::function<void(test::UpdateRank& rank, Communicator& world)>;

void forHostRanks(const Hosts& hosts, const Experiment& experiment, std::int64_t bucketBytes, const UseRank& use) {
  const auto layout = test::layoutOf(hostLengths);
  test::spawnRanks(static_cast<int>(hosts.size()), [&](Communicator& world) {
    test::HostMemory communicator(world, hosts);
    test::UpdateRank rank(communicator, layout, bucketsBySize(layout, bucketBytes), experiment,
                          std::vector<int>(hosts.size()), makeAveraged, nullptr, HostLayout(hosts));
    use(rank, world);
  });
}

/// Weights after three steps, of all ranks the same.
std::vector<float> trainedBy(const Hosts& hosts, const Experiment& experiment, std::int64_t bucketBytes) {
  std::vector<std::vector<float>> results(hosts.size());
  forHostRanks(hosts, experiment, bucketBytes, [&](test::UpdateRank& rank, Communicator& world) {
    for (int step = 0; step < 3; ++step) EXPECT_TRUE(rank.step(hostGradient(world.rank(), step)).updated);
    results[static_cast<std::size_t>(world.rank())].assign(rank.weights().begin(), rank.weights().end());
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
  return results[0];
}

class SumOverHosts : public testing::TestWithParam<Hosts> {};

TEST_P(SumOverHosts, HasTheBitsOfItsOrder) {
  const Hosts& hosts = GetParam();
  std::vector<float> expected(hostGradient(0, 0).size());
  for (int step = 0; step < 3; ++step) {
    auto sum = test::sumInHostOrder(hosts, [&](int rank) { return hostGradient(rank, step); });
    for (float& value : sum) value *= 1.0F / static_cast<float>(hosts.size());
    for (std::size_t i = 0; i < sum.size(); ++i) expected[i] -= sum[i];
  }
  EXPECT_EQ(trainedBy(hosts, byHosts(), 4096), expected);
  auto atOnce = byHosts();
  atOnce.parallel.overlap = false;
  EXPECT_EQ(trainedBy(hosts, atOnce, 1 << 20), expected);
}

TEST_P(SumOverHosts, IsTheSumInDoublePrecision) {
  const Hosts& hosts = GetParam();
  Experiment summed = byHosts();
  summed.parallel.gradientsMean = false;
  const auto weights = trainedBy(hosts, summed, 1 << 20);
  std::vector<double> expected(weights.size());
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    for (int step = 0; step < 3; ++step) {
      const auto gradient = hostGradient(static_cast<int>(rank), step);
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= static_cast<double>(gradient[i]);
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(weights[i], expected[i], 2e-5) << i;
}

TEST_P(SumOverHosts, LeavesFrozenTensorsAlone) {
  const Hosts& hosts = GetParam();
  const StepPlan upper{.firstTrainedLayer = 4};  // t0, t1 and t2
  const auto trainedElements = static_cast<std::size_t>(37 + 1 + 100'003);
  std::vector<float> firstSteps;
  forHostRanks(hosts, byHosts(), 4096, [&](test::UpdateRank& rank, Communicator& world) {
    rank.step(hostGradient(world.rank(), 0));
    const std::vector<float> before(rank.weights().begin(), rank.weights().end());
    rank.step(hostGradient(world.rank(), 1), false, upper);
    for (std::size_t i = trainedElements; i < before.size(); ++i) ASSERT_EQ(rank.weights()[i], before[i]) << i;
    rank.step(hostGradient(world.rank(), 2));
    if (world.rank() == 0) firstSteps.assign(rank.weights().begin(), rank.weights().begin() + 38);
  });
  const auto whole = trainedBy(hosts, byHosts(), 4096);
  EXPECT_EQ(firstSteps, std::vector<float>(whole.begin(), whole.begin() + 38));
}

TEST_P(SumOverHosts, HoldsTheBytesOfItsFormula) {
  const Hosts& hosts = GetParam();
  const HostLayout layout(hosts);
  std::int64_t largest = 0;
  std::mutex mutex;
  forHostRanks(hosts, byHosts(), 1 << 20, [&](test::UpdateRank& rank, Communicator&) {
    const std::scoped_lock lock(mutex);
    largest = std::max(largest, rank.meter().peak()[static_cast<std::size_t>(MemoryCategory::gather)]);
  });
  const auto elements = static_cast<std::int64_t>(hostGradient(0, 0).size());
  EXPECT_EQ(largest, layout.oneHost() ? 0 : 4 * hostSumElements({layout.hosts()}, {elements}));
}

INSTANTIATE_TEST_SUITE_P(Layouts, SumOverHosts,
                         testing::Values(Hosts{"a"}, Hosts{"a", "a", "a"}, Hosts{"a", "b"}, Hosts{"a", "a", "b", "b"},
                                         Hosts{"a", "a", "b", "b", "c", "c"}, Hosts{"a", "b", "b", "b"},
                                         Hosts{"a", "b", "a", "b"}, Hosts{"c", "a", "b", "a", "c", "a"},
                                         Hosts{"a", "a", "a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b",
                                               "b", "b"}));

/// Single precision loses 1 beside 1e8: what is added first shows.
TEST(HostSum, AddsTheRanksOfAHostBeforeTheHosts) {
  const auto layout = test::layoutOf({1});
  const auto sumOf = [&](const Hosts& hosts) {
    const std::vector<float> ofRank{1e8F, 1, -1e8F};
    std::vector<float> result(1);
    test::spawnRanks(3, [&](Communicator& world) {
      test::HostMemory communicator(world, hosts);
      Experiment summed = byHosts();
      summed.parallel.gradientsMean = false;
      test::UpdateRank rank(communicator, layout, bucketsBySize(layout, 64), summed, {0, 0, 0}, makeAveraged, nullptr,
                            HostLayout(hosts));
      rank.step({ofRank[static_cast<std::size_t>(world.rank())]});
      if (world.rank() == 0) result[0] = -rank.weights()[0];
    });
    return result[0];
  };
  EXPECT_EQ(sumOf({"a", "a", "b"}), 0);
  EXPECT_EQ(sumOf({"a", "b", "a"}), 1);
}

TEST(HostSum, NamesTheLayoutThatItsBitsDependOn) {
  forHostRanks({"a", "a", "b"}, byHosts(), 4096,
               [](test::UpdateRank& rank, Communicator&) { EXPECT_EQ(rank.update().exchange(), "hosts 2+1"); });
  forHostRanks({"a", "b", "a"}, byHosts(), 4096,
               [](test::UpdateRank& rank, Communicator&) { EXPECT_EQ(rank.update().exchange(), "hosts 0 1 0"); });
}

/// A layout that the machine does not bear out: the ranks of a host get no memory.
TEST(HostSum, FallsBackToMessagesWhereAHostHasNoMemory) {
  const auto layout = test::layoutOf(hostLengths);
  test::spawnRanks(4, [&](Communicator& world) {
    test::HostMemory apart(world, {"a", "b", "c", "c"});
    test::UpdateRank rank(apart, layout, bucketsBySize(layout, 4096), byHosts(), {0, 0, 0, 0}, makeAveraged, nullptr,
                          HostLayout({"a", "a", "b", "b"}));
    EXPECT_EQ(rank.update().exchange(), "messages");
    EXPECT_TRUE(rank.update().traits().lacksSharedMemory);
    EXPECT_TRUE(rank.step(hostGradient(world.rank(), 0)).updated);
  });
}

/// The first of a host, and another; before anything is sent, and in the middle.
TEST(HostSum, EndsOnAllRanksWhenOneFails) {
  for (const int failing : {0, 1, 3}) {
    for (const int step : {0, 2}) {
      const auto run = [&] {
        forHostRanks({"a", "a", "b", "b"}, byHosts(), 4096, [&](test::UpdateRank& rank, Communicator& world) {
          for (int s = 0; s < 4; ++s) {
            if (s == step && world.rank() == failing) throw std::runtime_error("the cause");
            rank.step(hostGradient(world.rank(), s));
          }
        });
      };
      EXPECT_THROW(run(), std::runtime_error);
    }
  }
}

TEST(HostLayout, NumbersHostsByTheirFirstRanks) {
  const HostLayout layout({"c", "a", "b", "a", "c", "a"});
  EXPECT_EQ(layout.hosts(), 3);
  EXPECT_EQ(layout.ranksOf(0), (std::vector{0, 4}));
  EXPECT_EQ(layout.ranksOf(1), (std::vector{1, 3, 5}));
  EXPECT_EQ(layout.indexOnHost(5), 2);
  EXPECT_EQ(layout.text(), "0 1 2 1 0 1");
  EXPECT_EQ(layout.of({1, 2, 3}).text(), "0 1 0");
  EXPECT_TRUE(layout.of({1, 5}).oneHost());
  EXPECT_EQ(HostLayout({"a", "a"}).text(), "");
}

}  // namespace
}  // namespace slipstream
