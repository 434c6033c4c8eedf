// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>
#include <set>

#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "tests/support/environment_variable.h"
#include "tests/support/small_plan.h"
#include "tests/wire/link_fixture.h"

namespace slipstream {
namespace {

using namespace slipstream::test;

class HubAndLinks : public ::testing::Test {
 protected:
  std::unique_ptr<Hub> open(int ranks, std::int64_t keep = 5, std::optional<CheckpointManifest> from = std::nullopt) {
    const RunPlan plan = smallPlan(ranks, 321);
    HubSettings settings{{run.endpoint(), {}}, run.runId(), 1, ranks, toJsonText(plan), std::move(from), keep};
    return std::make_unique<Hub>(settings, run.store(), run.checkpoints(), listener);
  }
  LinkAddress address() const { return {run.endpoint(), run.runId(), 1}; }

  StoreWithRun run;
  Listener listener;
};

std::vector<float> ramp(std::size_t count, float first) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST_F(HubAndLinks, EveryRowOfEveryRankIsCommittedOnce) {
  constexpr int ranks = 4;
  constexpr int steps = 2000;
  const auto hub = open(ranks);
  const auto statuses = serveLinks(*hub, address(), ranks, [](Link& link, int rank) {
    EXPECT_EQ(link.task().plan.totalSteps, 321);
    for (int step = 0; step < steps; ++step) {
      link.progress(step, "step", static_cast<std::uint64_t>(step));
      link.record(step, {"loss"}, {1.0 * rank + step});
    }
    link.finish(false, steps);
  });
  for (int rank = 0; rank < ranks; ++rank) {
    EXPECT_TRUE(statuses[static_cast<std::size_t>(rank)].finished);
    EXPECT_EQ(statuses[static_cast<std::size_t>(rank)].stepsDone, steps);
    const Series series = run.store().rankSeries(run.runId(), "loss", rank);
    ASSERT_EQ(series.steps.size(), static_cast<std::size_t>(steps));
    EXPECT_EQ(series.values.back(), rank + steps - 1);
  }
  EXPECT_EQ(listener.rows, ranks * steps);
}

TEST_F(HubAndLinks, EventsAndMemoryArrive) {
  const auto hub = open(2);
  serveLinks(*hub, address(), 2, [](Link& link, int rank) {
    link.event(EventLevel::warning, "note", "rank " + std::to_string(rank));
    link.memory({{"weights", 100 + rank}});
    link.finish(true, 3);
  });
  std::set<std::string> texts;
  for (const Event& event : run.store().events(run.runId())) texts.insert(event.text);
  EXPECT_TRUE(texts.contains("rank 0") && texts.contains("rank 1"));
  EXPECT_EQ(run.store().memory(run.runId()).at(1).at("weights"), 101);
  EXPECT_TRUE(hub->ranks()[0].stopped);
}

TEST_F(HubAndLinks, CheckpointHoldsEveryRanksTensorsAndIsFetchedAgain) {
  constexpr int ranks = 3;
  const auto shared = ramp(700'000, 0.5F);  // three parts
  {
    const auto hub = open(ranks);
    serveLinks(*hub, address(), ranks, [&](Link& link, int rank) {
      link.record(0, {"loss"}, {1});
      const auto own = ramp(10, static_cast<float>(rank));
      std::vector<OutgoingTensor> tensors{{"momentum/w", {10}, rank, own}};
      if (rank == 1) tensors.push_back({"w", {700, 1000}, -1, shared});
      link.sendCheckpoint(1, true, "{\"at\": 1}", tensors);
      link.finish(false, 1);
    });
  }
  ASSERT_EQ(listener.checkpoints.size(), 1U);
  EXPECT_EQ(listener.checkpoints[0].bytes, 2'800'000 + 3 * 40);
  ASSERT_EQ(run.store().checkpoints(run.runId()).size(), 1U);
  const auto manifest = run.checkpoints().manifest(1);
  ASSERT_TRUE(manifest);
  EXPECT_EQ(manifest->progressText, "{\"at\": 1}");
  EXPECT_EQ(manifest->tensors.size(), 4U);
  EXPECT_TRUE(run.checkpoints().verify().empty());

  const auto hub = open(ranks, 5, *manifest);
  serveLinks(*hub, address(), ranks, [&](Link& link, int rank) {
    ASSERT_TRUE(link.task().checkpoint);
    for (const TensorRecord& tensor : link.task().checkpoint->tensors) {
      const auto values = link.fetch(tensor.hash);
      const int owner = tensor.shard;
      EXPECT_EQ(values, owner < 0 ? shared : ramp(10, static_cast<float>(owner))) << "fetched by rank " << rank;
    }
    link.finish(false, 1);
  });
}

TEST_F(HubAndLinks, StoredTensorsAreNotSentAgainAndOldCheckpointsGo) {
  const auto frozen = ramp(1000, 1);
  const auto hub = open(2, 2);
  serveLinks(*hub, address(), 2, [&](Link& link, int rank) {
    for (std::int64_t step = 1; step <= 4; ++step) {
      const auto moving = ramp(10, static_cast<float>(step));
      std::vector<OutgoingTensor> tensors;
      if (rank == 0) tensors = {{"frozen", {1000}, -1, frozen}, {"moving", {10}, -1, moving}};
      link.sendCheckpoint(step, true, "", tensors);
    }
    link.finish(false, 4);
  });
  ASSERT_EQ(listener.checkpoints.size(), 4U);
  EXPECT_EQ(listener.checkpoints[0].newBytes, 4040);
  EXPECT_EQ(listener.checkpoints[3].newBytes, 40);
  EXPECT_EQ(run.checkpoints().steps(), (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(run.store().checkpoints(run.runId()).size(), 2U);
  EXPECT_TRUE(run.checkpoints().verify().empty());
}

TEST_F(HubAndLinks, SnapshotsStandBesideCheckpointsOfTheSameStepAndAreInNoList) {
  const auto hub = open(2, 1);
  serveLinks(*hub, address(), 2, [&](Link& link, int rank) {
    for (std::int64_t step = 1; step <= 3; ++step) {
      const auto moving = ramp(10, static_cast<float>(step));
      std::vector<OutgoingTensor> tensors;
      if (rank == 0) tensors.push_back({"w", {10}, -1, moving});
      link.sendSnapshot(step, tensors);
      link.sendCheckpoint(step, true, "{}", tensors);
    }
    link.flush();
    EXPECT_FALSE(link.snapshotAt(4));
    EXPECT_FALSE(link.checkpointAt(2));
    EXPECT_TRUE(link.checkpointAt(3));
    const auto first = link.snapshotAt(1);
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->snapshot);
    EXPECT_EQ(link.fetch(first->tensors.at(0).hash), ramp(10, 1));
    link.finish(false, 3);
  });
  ASSERT_EQ(run.store().checkpoints(run.runId()).size(), 1U);
  EXPECT_EQ(run.checkpoints().steps(), std::vector<std::int64_t>{3});
  EXPECT_EQ(run.checkpoints().snapshotSteps(), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_TRUE(run.checkpoints().verify().empty());
}

TEST_F(HubAndLinks, PinnedCheckpointsStayBesideTheNewest) {
  const RunPlan plan = smallPlan(1, 10);
  HubSettings settings{{run.endpoint(), {}}, run.runId(), 1, 1, toJsonText(plan), std::nullopt, 2};
  settings.pinnedSteps = {2};
  const auto hub = std::make_unique<Hub>(settings, run.store(), run.checkpoints(), listener);
  serveLinks(*hub, address(), 1, [&](Link& link, int) {
    for (std::int64_t step = 1; step <= 5; ++step) {
      const auto moving = ramp(10, static_cast<float>(step));
      link.sendCheckpoint(step, true, "{}", {{"w", {10}, -1, moving}});
    }
    link.finish(false, 5);
  });
  EXPECT_EQ(run.checkpoints().steps(), (std::vector<std::int64_t>{2, 4, 5}));
}

TEST_F(HubAndLinks, RanksThatDisagreeMakeNoCheckpoint) {
  const auto hub = open(2);
  serveLinks(*hub, address(), 2, [&](Link& link, int rank) {
    const auto values = ramp(10, static_cast<float>(rank));
    link.sendCheckpoint(1, true, "", {{"w", {10}, -1, values}});
    link.finish(false, 1);
  });
  EXPECT_TRUE(run.checkpoints().steps().empty());
  const auto events = run.store().events(run.runId());
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const Event& e) { return e.code == "checkpoint.differs"; }));
}

TEST_F(HubAndLinks, AStopRequestReachesEveryRank) {
  const auto hub = open(3);
  hub->setStop(StopKind::none);
  const auto started = std::chrono::steady_clock::now();
  serveLinks(
      *hub, address(), 3,
      [](Link& link, int) {
        std::int64_t step = 0;
        while (link.stopRequested() != StopKind::afterStep) {
          link.record(step++, {"loss"}, {0});
          std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        link.finish(true, step);
      },
      [&, asked = false](Hub& served) mutable {
        if (asked || std::chrono::steady_clock::now() - started < std::chrono::milliseconds{200}) return;
        asked = true;
        served.setStop(StopKind::afterStep);
      });
}

TEST_F(HubAndLinks, TheCauseOfAFailureIsCommittedBeforeTheRankGoesOn) {
  const auto hub = open(2);
  const auto statuses = serveLinks(*hub, address(), 2, [&](Link& link, int rank) {
    if (rank == 1) return link.fail("no such tensor");
    link.finish(false, 0);
  });
  EXPECT_EQ(statuses[1].failure, "no such tensor");
  const auto events = run.store().events(run.runId());
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].rank, 1);
  EXPECT_EQ(events[0].text, "no such tensor");
}

TEST_F(HubAndLinks, AWorkerOfAnotherRunIsRefused) {
  const auto hub = open(1);
  const LinkAddress other{run.endpoint(), "another", 1};
  try {
    serveLinks(*hub, other, 1, [](Link&, int) {});
    FAIL() << "it was let in";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("does not belong here"), std::string::npos) << error.what();
  }
}

TEST_F(HubAndLinks, ADeadLineIsNoticedNoSoonerThanAfterFourSeconds) {
  std::atomic<bool> dead = false;
  std::unique_ptr<Link> link;
  auto hub = open(1);
  std::thread worker([&] { link = Link::connect(address(), 0, [&] { dead = true; }); });
  for (int round = 0; round < 10'000 && hub->ranks()[0].pid == 0; ++round) hub->serve(std::chrono::milliseconds{20});
  worker.join();
  hub.reset();
  const auto since = std::chrono::steady_clock::now();
  while (!dead && std::chrono::steady_clock::now() - since < std::chrono::minutes{5}) {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  const auto took = std::chrono::steady_clock::now() - since;
  EXPECT_TRUE(dead);
  EXPECT_GT(took, std::chrono::seconds{4});
  EXPECT_THROW(link->flush(), Error);
}

// On a machine that is short of cores a supervisor may not get one for some seconds.
TEST_F(HubAndLinks, ASilentSupervisorOfThisMachineIsWaitedForWhileItIsThere) {
  const test::EnvironmentVariable supervisor("SLIPSTREAM_SUPERVISOR", std::to_string(::getpid()));
  std::atomic<bool> dead = false;
  std::unique_ptr<Link> link;
  auto hub = open(1);
  std::thread worker([&] { link = Link::connect(address(), 0, [&] { dead = true; }); });
  for (int round = 0; round < 10'000 && hub->ranks()[0].pid == 0; ++round) hub->serve(std::chrono::milliseconds{20});
  worker.join();
  hub.reset();
  std::this_thread::sleep_for(std::chrono::seconds{7});
  EXPECT_FALSE(dead);
}

}  // namespace
}  // namespace slipstream
