// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_store.h"

#include <cmath>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::block;
using test::openStore;
using test::sampleRun;
using ::testing::ElementsAre;

double stepAsValue(std::int64_t step, std::size_t) {
  return static_cast<double>(step);
}

class RunStoreTest : public ::testing::Test {
 protected:
  std::string newRun(const std::string& name = "sample") { return store->createRun(sampleRun(name)); }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = openStore(folder.path() / "store");
};

TEST_F(RunStoreTest, KeepsWhatARunWasAskedToBe) {
  NewRun asked = sampleRun();
  asked.seed = 0xFFFF'FFFF'FFFF'FFFF;
  asked.variant = "adasum";
  asked.group = "g";
  asked.sourceRevision = "abc";
  const std::string id = store->createRun(asked);
  const RunRecord run = openStore(folder.path() / "store", StoreAccess::read)->find(id).value();
  EXPECT_EQ(run.seed, asked.seed);
  EXPECT_EQ(run.variant, "adasum");
  EXPECT_EQ(run.commandText, asked.commandText);
  EXPECT_EQ(run.sourceRevision, "abc");
  EXPECT_EQ(run.state, RunState::queued);
  EXPECT_GT(run.createdAt, 0);
  EXPECT_EQ(run.colourSlot, 0);
  EXPECT_EQ(store->find(newRun())->colourSlot, 1);
}

TEST_F(RunStoreTest, FindsByIdPrefixAndLast) {
  EXPECT_FALSE(store->find("last"));
  const std::string first = newRun();
  const std::string second = newRun();
  EXPECT_EQ(store->find(first)->id, first);
  EXPECT_EQ(store->find("last")->id, second);
  std::size_t shared = 0;
  while (first[shared] == second[shared]) ++shared;
  EXPECT_EQ(store->find(first.substr(0, shared + 1))->id, first);
  EXPECT_FALSE(store->find("zz"));
  EXPECT_FALSE(store->find(""));
}

TEST_F(RunStoreTest, AmbiguousPrefixNamesTheRuns) {
  std::string shared;
  for (int i = 0; i < 17; ++i) newRun();  // 16 first digits: two of them are equal
  std::map<char, std::string> byDigit;
  for (const RunRecord& run : store->runs()) {
    if (byDigit.contains(run.id[0])) shared = run.id.substr(0, 1);
    byDigit[run.id[0]] = run.id;
  }
  const auto found = store->find(shared);
  ASSERT_FALSE(found);
  EXPECT_THAT(toText(found.error()), ::testing::HasSubstr(byDigit[shared[0]]));
}

TEST_F(RunStoreTest, StatesHaveTimes) {
  const std::string id = newRun();
  store->setState(id, RunState::running, "");
  EXPECT_GT(store->find(id)->startedAt, 0);
  EXPECT_EQ(store->find(id)->endedAt, 0);
  store->requestStop(id, StopKind::afterCheckpoint);
  EXPECT_EQ(store->stopRequest(id), StopKind::afterCheckpoint);
  store->setState(id, RunState::failed, "out of cards");
  EXPECT_EQ(store->find(id)->why, "out of cards");
  EXPECT_GT(store->find(id)->endedAt, 0);
  EXPECT_EQ(store->stopRequest(id), StopKind::none);
}

TEST_F(RunStoreTest, AppendedMetricsAreReadBackBeforeAndAfterFolding) {
  const std::string id = newRun();
  const int attempt = store->startAttempt(id, 0);
  MetricBlock odd = block(0, 5, {"loss", "learning_rate"}, stepAsValue);
  odd.values[0] = std::nan("");
  odd.values[2] = std::numeric_limits<double>::infinity();
  odd.values[4] = -std::numeric_limits<double>::infinity();
  EXPECT_TRUE(store->appendMetrics(id, attempt, 0, 1, odd));
  EXPECT_TRUE(store->appendMetrics(id, attempt, 0, 2, block(5, 5, {"loss"}, stepAsValue)));
  for (const bool folded : {false, true}) {
    if (folded) store->compact(id);
    EXPECT_THAT(store->metricNames(id), ElementsAre("learning_rate", "loss"));
    const Series loss = store->series(id, "loss");
    EXPECT_THAT(loss.steps, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    EXPECT_TRUE(std::isnan(loss.values[0]));
    EXPECT_EQ(loss.values[1], std::numeric_limits<double>::infinity());
    EXPECT_EQ(loss.values[2], -std::numeric_limits<double>::infinity());
    EXPECT_EQ(loss.values[9], 9.0);
    EXPECT_EQ(loss.wallNanoseconds[3], odd.wallNanoseconds[3]);
    EXPECT_EQ(store->series(id, "learning_rate").steps.size(), 5U);
    EXPECT_TRUE(store->series(id, "nothing").steps.empty());
  }
}

TEST_F(RunStoreTest, FoldingOnTheWayChangesNoSeries) {
  const std::string id = newRun();
  const int attempt = store->startAttempt(id, 0);
  std::int64_t sequence = 0;
  for (std::int64_t step = 0; step < 10'000; step += 40) {
    store->appendMetrics(id, attempt, 0, sequence++, block(step, 40, {"loss", "step_seconds"}, stepAsValue));
    if (step % 1000 == 0) store->appendMetrics(id, attempt, 0, sequence++, block(step, 1, {"accuracy"}, stepAsValue));
  }
  for (const bool folded : {false, true}) {
    if (folded) store->compact(id);
    const Series loss = store->series(id, "loss");
    ASSERT_EQ(loss.steps.size(), 10'000U);
    for (std::size_t i = 0; i < loss.steps.size(); ++i) {
      ASSERT_EQ(loss.steps[i], static_cast<std::int64_t>(i));
      ASSERT_EQ(loss.values[i], static_cast<double>(i));
    }
    EXPECT_THAT(store->series(id, "accuracy").steps,
                ElementsAre(0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000));
  }
}

TEST_F(RunStoreTest, ABlockThatComesAgainIsKnownAlsoAfterFoldingAndReopening) {
  const std::string id = newRun();
  const int attempt = store->startAttempt(id, 0);
  const MetricBlock metrics = block(0, 3, {"loss"}, stepAsValue);
  EXPECT_TRUE(store->appendMetrics(id, attempt, 0, 1, metrics));
  EXPECT_FALSE(store->appendMetrics(id, attempt, 0, 1, metrics));
  EXPECT_TRUE(store->appendMetrics(id, attempt, 1, 1, metrics));
  EXPECT_TRUE(store->appendMetrics(id, attempt, 0, 4, block(9, 1, {"loss"}, stepAsValue)));
  store->compact(id);
  store = openStore(folder.path() / "store");
  EXPECT_FALSE(store->appendMetrics(id, attempt, 0, 1, metrics));
  EXPECT_FALSE(store->appendMetrics(id, attempt, 0, 4, metrics));
  EXPECT_TRUE(store->appendMetrics(id, attempt, 0, 3, block(6, 3, {"loss"}, stepAsValue)));  // late, but new
  EXPECT_TRUE(store->appendMetrics(id, attempt, 0, 2, block(3, 3, {"loss"}, stepAsValue)));
  store->compact(id);
  EXPECT_FALSE(store->appendMetrics(id, attempt, 0, 2, metrics));
  EXPECT_THAT(store->rankSeries(id, "loss", 0).steps, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST_F(RunStoreTest, AveragesTheRanksThatReportAStep) {
  const std::string id = newRun();
  const int attempt = store->startAttempt(id, 0);
  store->appendMetrics(id, attempt, 0, 1, block(0, 3, {"loss"}, [](auto, auto) { return 1.0; }));
  store->appendMetrics(id, attempt, 1, 1, block(0, 2, {"loss"}, [](auto, auto) { return 4.0; }));
  store->appendMetrics(id, attempt, 2, 1, block(1, 2, {"loss"}, [](auto, auto) { return 10.0; }));
  const Series loss = store->series(id, "loss");
  EXPECT_THAT(loss.steps, ElementsAre(0, 1, 2));
  EXPECT_THAT(loss.values, ElementsAre(2.5, 5.0, 5.5));
  EXPECT_THAT(store->rankSeries(id, "loss", 1).values, ElementsAre(4.0, 4.0));
}

TEST_F(RunStoreTest, ANewerAttemptReplacesTheStepsItDidAgain) {
  const std::string id = newRun();
  const auto attemptAs = [&](std::int64_t from, std::int64_t to, double value) {
    const int attempt = store->startAttempt(id, from);
    store->appendMetrics(id, attempt, 0, 1, block(from, to - from, {"loss"}, [&](auto, auto) { return value; }));
  };
  attemptAs(0, 10, 1.0);
  attemptAs(6, 9, 2.0);
  attemptAs(4, 7, 3.0);
  EXPECT_EQ(store->find(id)->attempt, 3);
  for (const bool folded : {false, true}) {
    if (folded) store->compact(id);
    const Series loss = store->series(id, "loss");
    EXPECT_THAT(loss.steps, ElementsAre(0, 1, 2, 3, 4, 5, 6));
    EXPECT_THAT(loss.values, ElementsAre(1, 1, 1, 1, 3, 3, 3));
  }
}

TEST_F(RunStoreTest, TheEvaluationOfTheStateThatAnAttemptStartsFromStays) {
  const std::string id = newRun();
  int attempt = store->startAttempt(id, 0);
  store->appendMetrics(id, attempt, 0, 1, block(0, 9, {"loss"}, stepAsValue));
  store->appendMetrics(id, attempt, 0, 2, block(6, 1, {"accuracy"}, stepAsValue));  // after six updates
  store->appendMetrics(id, attempt, 0, 3, block(8, 1, {"accuracy"}, stepAsValue));
  attempt = store->startAttempt(id, 6);
  store->appendMetrics(id, attempt, 0, 1, block(6, 1, {"loss"}, [](auto, auto) { return 60.0; }));
  EXPECT_THAT(store->series(id, "accuracy").steps, ElementsAre(6));
  EXPECT_THAT(store->series(id, "loss").values, ElementsAre(0, 1, 2, 3, 4, 5, 60));
}

TEST_F(RunStoreTest, EventsMemoryAndCheckpointsAreReadBack) {
  const std::string id = newRun();
  store->addEvent(id, {0, 5, 1, 3, EventLevel::warning, "slow", "rank 3 is slow"});
  store->addEvent(id, {0, 6, 1, -1, EventLevel::error, "lost", "'); DROP TABLE run; --"});
  const auto events = store->events(id);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].rank, 3);
  EXPECT_EQ(events[1].text, "'); DROP TABLE run; --");
  EXPECT_EQ(store->events(id, events[0].number).size(), 1U);
  store->setMemory(id, 1, {{"weights", 100}, {"gradients", 50}});
  store->setMemory(id, 1, {{"weights", 120}});
  EXPECT_EQ(store->memory(id)[1]["weights"], 120);
  EXPECT_EQ(store->memory(id)[1]["gradients"], 50);
  store->addCheckpoint(id, {20, 1, true, 1000, 400, 7});
  store->addCheckpoint(id, {10, 1, false, 900, 900, 6});
  store->removeCheckpoint(id, 30);
  ASSERT_EQ(store->checkpoints(id).size(), 2U);
  EXPECT_EQ(store->checkpoints(id)[0].step, 10);
  EXPECT_FALSE(store->checkpoints(id)[0].full);
  store->removeCheckpoint(id, 10);
  EXPECT_EQ(store->checkpoints(id).size(), 1U);
}

TEST_F(RunStoreTest, RolledBackWritesLeaveNothingAndTheStoreGoesOn) {
  const std::string id = newRun();
  const int attempt = store->startAttempt(id, 0);
  store->begin();
  store->createRun(sampleRun("undone"));
  for (std::int64_t i = 0; i < 60; ++i) {
    store->appendMetrics(id, attempt, 0, i, block(i * 40, 40, {"loss"}, stepAsValue));
  }
  store->rollback();
  EXPECT_EQ(store->runs().size(), 1U);
  EXPECT_TRUE(store->series(id, "loss").steps.empty());
  for (std::int64_t i = 0; i < 60; ++i) {
    EXPECT_TRUE(store->appendMetrics(id, attempt, 0, i, block(i * 40, 40, {"loss"}, stepAsValue)));
  }
  EXPECT_EQ(store->series(id, "loss").steps.size(), 2400U);
}

TEST_F(RunStoreTest, AReaderSeesOnlyWhatIsCommitted) {
  const std::string id = newRun();
  const int attempt = store->startAttempt(id, 0);
  const auto reader = openStore(folder.path() / "store", StoreAccess::read);
  store->begin();
  store->appendMetrics(id, attempt, 0, 1, block(0, 4, {"loss"}, stepAsValue));
  EXPECT_TRUE(reader->series(id, "loss").steps.empty());
  store->commit();
  EXPECT_EQ(reader->series(id, "loss").steps.size(), 4U);
}

TEST_F(RunStoreTest, AFinishedRunLeavesNoWriteAheadLog) {
  const std::string id = newRun();
  store->appendMetrics(id, store->startAttempt(id, 0), 0, 1, block(0, 4, {"loss"}, stepAsValue));
  store->compact(id);
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "store/store.db-wal"), 0U);
}

TEST_F(RunStoreTest, WhileARunGoesOnMeansAreOfStepsThatAllRanksHaveReported) {
  const std::string id = newRun();  // of two ranks
  store->setState(id, RunState::running, "");
  const int attempt = store->startAttempt(id, 0);
  store->appendMetrics(id, attempt, 0, 1, block(0, 8, {"loss"}, stepAsValue));
  EXPECT_TRUE(store->series(id, "loss").steps.empty()) << "the other rank's values would change these";
  store->appendMetrics(id, attempt, 1, 1, block(0, 5, {"loss"}, stepAsValue));
  store->appendMetrics(id, attempt, 0, 2, block(8, 1, {"accuracy"}, stepAsValue));
  EXPECT_EQ(store->series(id, "loss").steps.size(), 5U);
  EXPECT_EQ(store->rankSeries(id, "loss", 0).steps.size(), 8U);
  EXPECT_EQ(store->series(id, "accuracy").steps.size(), 1U) << "one rank alone reports it";
  store->setState(id, RunState::failed, "");
  EXPECT_EQ(store->series(id, "loss").steps.size(), 8U) << "nothing more will come";
}

TEST_F(RunStoreTest, AnAttemptThatReportsNothingTakesNothingAway) {
  const std::string id = newRun();
  store->appendMetrics(id, store->startAttempt(id, 0), 0, 1, block(0, 9, {"loss"}, stepAsValue));
  const int second = store->startAttempt(id, 4);
  EXPECT_EQ(store->series(id, "loss").steps.size(), 9U);
  store->appendMetrics(id, second, 0, 1, block(4, 1, {"loss"}, stepAsValue));
  EXPECT_EQ(store->series(id, "loss").steps.size(), 5U);
  store->compact(id);
  store->startAttempt(id, 2);
  EXPECT_EQ(store->series(id, "loss").steps.size(), 5U) << "folded values count as reported";
}

TEST_F(RunStoreTest, MarksRunsWhoseSupervisorIsGoneAsLost) {
  const std::string alive = newRun();
  const std::string gone = newRun();
  const std::string ended = newRun();
  const std::string elsewhere = newRun();
  ProcessIdentity dead = thisProcess();
  dead.startTicks += 1;  // the same process number, another process
  ProcessIdentity remote = dead;
  remote.host = "another.host";
  remote.bootId = "other";
  for (const std::string& id : {alive, gone, ended, elsewhere}) store->setState(id, RunState::running, "");
  store->setSupervisor(alive, thisProcess());
  store->setSupervisor(gone, dead);
  store->setSupervisor(ended, dead);
  store->setSupervisor(elsewhere, remote);
  store->setState(ended, RunState::done, "");
  EXPECT_THAT(store->markLost(), ElementsAre(gone));
  EXPECT_EQ(store->find(gone)->state, RunState::lost);
  EXPECT_THAT(store->find(gone)->why, ::testing::HasSubstr("resume"));
  EXPECT_EQ(store->find(alive)->state, RunState::running);
  EXPECT_EQ(store->find(ended)->state, RunState::done);
  EXPECT_EQ(store->find(elsewhere)->state, RunState::running);
  EXPECT_TRUE(store->markLost().empty());
}

}  // namespace
}  // namespace slipstream
