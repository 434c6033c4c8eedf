// SPDX-License-Identifier: GPL-3.0-or-later
// What concerns one run, or few, takes as long in a store of many runs as in one of few: counted in steps of SQLite's
// virtual machine, not in seconds.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "engine/runs/live_status.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

std::int64_t machineSteps = 0;

int countSteps(unsigned, void*, void* statement, void*) {
  constexpr int startsAgain = 1;
  machineSteps += ::sqlite3_stmt_status(static_cast<sqlite3_stmt*>(statement), SQLITE_STMTSTATUS_VM_STEP, startsAgain);
  return 0;
}

/// By a trace: the store has a progress handler of its own, and a connection has one.
int watchConnection(sqlite3* connection, const char**, const void*) {
  return ::sqlite3_trace_v2(connection, SQLITE_TRACE_PROFILE, &countSteps, nullptr);
}

/// While it lives, every connection that is opened counts its steps.
class CountingConnections {
 public:
  CountingConnections() { ::sqlite3_auto_extension(entry()); }
  CountingConnections(const CountingConnections&) = delete;
  CountingConnections& operator=(const CountingConnections&) = delete;
  ~CountingConnections() { ::sqlite3_cancel_auto_extension(entry()); }

 private:
  static void (*entry())() { return reinterpret_cast<void (*)()>(&watchConnection); }
};

NewRun runOfGroup(const std::string& group) {
  NewRun run = test::sampleRun();
  run.group = group;
  run.experimentText.assign(20'000, ' ');
  return run;
}

/// A store with so many finished runs, in launches of four, that counts what is done.
class StoreOf {
 public:
  explicit StoreOf(int runs) : store_(test::openStore(folder_.path())) {
    store_->begin();
    for (int run = 0; run < runs; ++run) {
      last_ = store_->createRun(runOfGroup("launch" + std::to_string(run / 4)));
      store_->setState(last_, RunState::done, "");
    }
    store_->commit();
    store_->find(last_).value();
    store_->markLost();
  }

  template <class Work>
  std::int64_t stepsOf(const Work& work) {
    machineSteps = 0;
    work(*store_, last_);
    return machineSteps;
  }

 private:
  CountingConnections counting_;
  test::TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_;
  std::string last_;
};

/// A quarter more steps are a coincidence of which pages a tree has; four times the runs are not.
template <class Work>
void expectNoMoreWorkInALargeStore(const Work& work) {
  StoreOf small(200), large(800);
  const std::int64_t few = small.stepsOf(work), many = large.stepsOf(work);
  EXPECT_GT(few, 0) << "the handler counts";
  EXPECT_LT(many, few + few / 4);
}

TEST(StoreSize, ARunIsFoundByItsIdAndByTheBeginningOfIt) {
  expectNoMoreWorkInALargeStore([](RunStore& store, const std::string& id) { store.find(id).value(); });
  expectNoMoreWorkInALargeStore([](RunStore& store, const std::string& id) { store.find(id.substr(0, 7)).value(); });
  expectNoMoreWorkInALargeStore([](RunStore& store, const std::string&) { store.find("last").value(); });
}

TEST(StoreSize, ARunIsMadeAndItsColourSlotTaken) {
  expectNoMoreWorkInALargeStore([](RunStore& store, const std::string&) { store.createRun(test::sampleRun()); });
}

TEST(StoreSize, LivingRunsAndThoseOfALaunchAreFound) {
  expectNoMoreWorkInALargeStore([](RunStore& store, const std::string&) { store.markLost(); });
  expectNoMoreWorkInALargeStore([](RunStore& store, const std::string&) { store.runsOfGroup("launch7"); });
  expectNoMoreWorkInALargeStore(
      [](RunStore& store, const std::string& id) { liveStatus(store, store.find(id).value()); });
}

TEST(StoreSize, ListsGrowWithTheRuns) {
  const auto list = [](RunStore& store, const std::string&) { store.heads(); };
  StoreOf small(200), large(800);
  EXPECT_GT(large.stepsOf(list), 3 * small.stepsOf(list)) << "else nothing above is measured";
}

TEST(RunsOfGroup, AreThoseOfOneLaunchOldestFirst) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string first = store->createRun(runOfGroup("a"));
  store->createRun(runOfGroup("b"));
  store->createRun(runOfGroup(""));
  const std::string second = store->createRun(runOfGroup("a"));
  EXPECT_EQ(store->runsOfGroup("a"), (std::vector{first, second}));
  EXPECT_TRUE(store->runsOfGroup("c").empty());
  EXPECT_TRUE(store->runsOfGroup("").empty()) << "no group is no launch";
}

TEST(FindRun, AByteBehindEveryIdIsNoPrefix) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string id = store->createRun(test::sampleRun());
  for (const std::string& text : {std::string("\xFF"), std::string("g"), id + "0", std::string("%"), std::string()}) {
    EXPECT_FALSE(store->find(text)) << text;
  }
  EXPECT_EQ(store->find(id.substr(0, 1))->id, id);
}

TEST(ColourSlot, IsNotTakenTwiceWhereTheNewestRunWasRemoved) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string kept = store->createRun(test::sampleRun());
  const std::string removed = store->createRun(test::sampleRun());
  const std::string newest = store->createRun(test::sampleRun());
  store->removeRun(removed);
  EXPECT_EQ(store->find(store->createRun(test::sampleRun()))->colourSlot, 3);
  store->removeRun(kept);
  EXPECT_EQ(store->find(newest)->colourSlot, 2);
}

}  // namespace
}  // namespace slipstream
