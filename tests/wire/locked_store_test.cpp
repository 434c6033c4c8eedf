// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include "tests/support/small_plan.h"
#include "tests/wire/link_fixture.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::Not;

constexpr int ranks = 2;

/// Another program's connection to a file of the store; what it holds, it holds until release().
class Intruder {
 public:
  Intruder(const std::filesystem::path& file, const char* sql) : database_(file.string(), SQLite::OPEN_READWRITE) {
    database_.exec(sql);
  }
  void release() { database_.exec("ROLLBACK"); }

 private:
  SQLite::Database database_;
};

class LockedStore : public ::testing::Test {
 protected:
  std::unique_ptr<Hub> open(std::chrono::milliseconds checkpointLockTimeout = 60s,
                            std::optional<CheckpointManifest> from = std::nullopt) {
    HubSettings settings{
        {run.endpoint(), {}}, run.runId(), 1, ranks, toJsonText(smallPlan(ranks, 321)), std::move(from), 5,
        checkpointLockTimeout};
    return std::make_unique<Hub>(settings, run.store(), run.checkpoints(), listener);
  }
  LinkAddress address() const { return {run.endpoint(), run.runId(), 1}; }
  std::filesystem::path weights() const { return checkpointFile(run.storeFolder(), run.runId()); }
  std::vector<std::string> codes() {
    std::vector<std::string> codes;
    for (const Event& event : run.store().events(run.runId())) codes.push_back(event.code);
    return codes;
  }
  static void train(Link& link, int rank) {
    std::vector<float> values(1'000'000);
    std::iota(values.begin(), values.end(), static_cast<float>(rank));
    for (std::int64_t step = 0; step < 100; ++step) link.record(step, {"loss"}, {1.0});
    link.sendCheckpoint(100, true, "", {{"momentum/w", {1'000'000}, rank, values}});
    link.finish(false, 100);
  }
  void expectAllRows() {
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(run.store().rankSeries(run.runId(), "loss", rank).steps.size(), 100U);
    }
  }
  void expectGivenUp(const char* lock) {
    const auto hub = open(100ms);
    Intruder intruder(weights(), lock);
    const auto statuses = serveLinks(*hub, address(), ranks, train);
    for (const RankStatus& status : statuses) EXPECT_TRUE(status.finished);
    intruder.release();
    EXPECT_TRUE(run.checkpoints().steps().empty());
    EXPECT_THAT(codes(), Contains("checkpoint.given_up"));
    expectAllRows();
  }

  StoreWithRun run{20ms};
  Listener listener;
};

TEST_F(LockedStore, IsTriedAgainUntilItIsFreeAndNothingIsLost) {
  const auto hub = open();
  Intruder intruder(run.storeFolder() / "store.db", "BEGIN IMMEDIATE");
  bool released = false;
  const auto statuses = serveLinks(*hub, address(), ranks, train, [&](Hub& served) {
    const auto blocked = served.blocked();
    if (released || !blocked || blocked->seconds < 0.1) return;
    EXPECT_TRUE(blocked->byLock);
    EXPECT_EQ(listener.rows, 0) << "what is not committed is not shown";
    intruder.release();
    released = true;
  });
  EXPECT_TRUE(released);
  EXPECT_FALSE(hub->blocked());
  for (const RankStatus& status : statuses) EXPECT_TRUE(status.finished);
  expectAllRows();
  EXPECT_EQ(listener.rows, ranks * 100);
  EXPECT_EQ(run.checkpoints().steps(), std::vector<std::int64_t>{100});
  EXPECT_THAT(codes(), Contains("store.locked"));
}

TEST_F(LockedStore, AReaderOfTheWeightsDelaysACheckpointAndNothingElse) {
  const auto hub = open();
  Intruder intruder(weights(), "BEGIN; SELECT count(*) FROM checkpoint");
  bool released = false;
  serveLinks(*hub, address(), ranks, train, [&](Hub&) {
    const auto waits = [](const Event& event) { return event.code == "checkpoint.waits"; };
    if (released || std::none_of(listener.events.begin(), listener.events.end(), waits)) return;
    expectAllRows();
    EXPECT_TRUE(listener.checkpoints.empty());
    intruder.release();
    released = true;
  });
  EXPECT_TRUE(released);
  ASSERT_EQ(listener.checkpoints.size(), 1U);
  EXPECT_EQ(listener.checkpoints[0].newBytes, 8'000'000);
  EXPECT_TRUE(run.checkpoints().verify().empty());
  EXPECT_THAT(codes(), Not(Contains("checkpoint.given_up")));
}

TEST_F(LockedStore, AWriterOfTheWeightsDelaysTheFirstPartToo) {
  const auto hub = open();
  Intruder intruder(weights(), "BEGIN EXCLUSIVE");
  int rounds = 0;
  serveLinks(*hub, address(), ranks, train, [&](Hub&) {
    if (++rounds == 20) intruder.release();
  });
  ASSERT_EQ(listener.checkpoints.size(), 1U);
  EXPECT_TRUE(run.checkpoints().verify().empty());
}

TEST_F(LockedStore, ACheckpointThatWaitsForAReaderForTooLongIsGivenUp) {
  expectGivenUp("BEGIN; SELECT count(*) FROM checkpoint");
}

TEST_F(LockedStore, ACheckpointThatCannotBeginForTooLongIsGivenUp) {
  expectGivenUp("BEGIN EXCLUSIVE");
}

TEST_F(LockedStore, TensorsAreFetchedOnceTheLockIsGone) {
  serveLinks(*open(), address(), ranks, train);
  const auto manifest = run.checkpoints().manifest(100);
  ASSERT_TRUE(manifest);
  const auto hub = open(60s, *manifest);
  Intruder intruder(weights(), "BEGIN EXCLUSIVE");
  int rounds = 0;
  serveLinks(
      *hub, address(), ranks,
      [&](Link& link, int rank) {
        const auto& tensors = link.task().checkpoint->tensors;
        EXPECT_EQ(link.fetch(tensors[static_cast<std::size_t>(rank)].hash).size(), 1'000'000U);
        link.finish(false, 100);
      },
      [&](Hub&) {
        if (++rounds == 20) intruder.release();
      });
}

TEST_F(LockedStore, WeightsThatVanishUnderTheRunCostItItsCheckpointsOnly) {
  const auto hub = open();
  std::filesystem::remove(weights());
  const auto statuses = serveLinks(*hub, address(), ranks, train);
  for (const RankStatus& status : statuses) EXPECT_TRUE(status.finished);
  expectAllRows();
  EXPECT_TRUE(run.store().checkpoints(run.runId()).empty());
  EXPECT_THAT(codes(), Contains("checkpoint.given_up"));
}

}  // namespace
}  // namespace slipstream
