// SPDX-License-Identifier: GPL-3.0-or-later
// Stores that somebody else wrote: nothing in them may act, lead elsewhere or hide the runs beside it.
#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/confined_removal.h"
#include "engine/base/files.h"
#include "engine/runs/run_removal.h"
#include "engine/runs/store_verify.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"
#include "engine/store/store_folder.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::HasSubstr;

mode_t modeOf(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777U;
}

class StrangersStore : public ::testing::Test {
 protected:
  StrangersStore() {
    const auto store = *RunStore::open(root(), StoreAccess::write);
    first = store->createRun(test::sampleRun());
    second = store->createRun(test::sampleRun());
  }
  std::filesystem::path root() const { return folder.path() / "store"; }
  void alter(const std::string& sql) const {
    SQLite::Database raw((root() / "store.db").string(), SQLite::OPEN_READWRITE);
    raw.exec(sql);
  }
  std::string refusal(StoreAccess access) const {
    const auto opened = RunStore::open(root(), access);
    return opened ? "opened" : toText(opened.error());
  }

  test::TemporaryFolder folder;
  std::string first;
  std::string second;
};

TEST_F(StrangersStore, AnIdThatIsAPathIsLeftOutAndNamed) {
  for (const std::string id : {"../../../etc", "/tmp/other", "ABCDEF01", "0123456", "0123456g", ""}) {
    alter("UPDATE run SET id = '" + id + "' WHERE number = 1");
    const auto store = *RunStore::open(root(), StoreAccess::write);
    ASSERT_EQ(store->heads().size(), 1U) << id;
    EXPECT_EQ(store->runs().front().id, second);
    if (!id.empty()) {
      EXPECT_FALSE(store->find(id)) << id;
      EXPECT_FALSE(removeRun(*store, id)) << id;
      EXPECT_THROW(store->setState(id, RunState::failed, ""), Error);
    }
    const auto check = verifyStore(root());
    ASSERT_TRUE(check);
    EXPECT_THAT(toText(check->problems), HasSubstr("8 hexadecimal digits")) << id;
  }
}

TEST_F(StrangersStore, AnUnknownStateNamesItsRunAndTheOthersAreListed) {
  alter("UPDATE run SET state = 'flying' WHERE number = 1; UPDATE run SET ranks = 2000000000 WHERE number = 2");
  const auto store = *RunStore::open(root(), StoreAccess::read);
  const std::string third = (*RunStore::open(root(), StoreAccess::write))->createRun(test::sampleRun());
  ASSERT_EQ(store->heads().size(), 1U);
  EXPECT_EQ(store->heads().front().id, third);
  EXPECT_THAT(toText(store->find(first).error()), HasSubstr("flying"));
  const std::string foreign = toText(foreignRuns(root()));
  EXPECT_THAT(foreign, HasSubstr(first));
  EXPECT_THAT(foreign, HasSubstr(second));
}

TEST_F(StrangersStore, TriggersViewsAndComputedColumnsAreRefused) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"CREATE TRIGGER lost AFTER UPDATE ON run BEGIN DELETE FROM tail; END", "DROP TRIGGER lost"},
      {"CREATE VIEW other AS SELECT 1", "DROP VIEW other"},
      {"CREATE INDEX slow ON run (abs(number))", "DROP INDEX slow"},
      {"ALTER TABLE label ADD COLUMN more AS (note || note)", "ALTER TABLE label DROP COLUMN more"},
      {"DROP TABLE label; CREATE VIEW label AS WITH RECURSIVE n(run) AS (SELECT 1 UNION ALL SELECT run + 1 FROM n)"
       " SELECT run, '' AS title, '' AS note, '' AS tags, 0 AS pinned, 0 AS archived FROM n",
       ""}};
  for (const auto& [harm, cure] : cases) {
    alter(harm);
    for (const auto access : {StoreAccess::read, StoreAccess::write}) {
      EXPECT_THAT(refusal(access), ::testing::AnyOf(HasSubstr("no slipstream makes"), HasSubstr("not as slipstream")))
          << harm;
    }
    if (cure.empty()) break;
    alter(cure);
    EXPECT_EQ(refusal(StoreAccess::read), "opened") << cure;
  }
}

TEST_F(StrangersStore, APlainTableOfSomebodyElseDoesNoHarm) {
  alter("CREATE TABLE notes (text TEXT)");
  EXPECT_EQ(refusal(StoreAccess::write), "opened");
}

TEST_F(StrangersStore, CountsOfSamplesAreNotTrusted) {
  const auto store = *RunStore::open(root(), StoreAccess::write);
  const auto one = [](std::int64_t, std::size_t) { return 1.0; };
  store->appendMetrics(first, store->startAttempt(first, 0), 0, 1, test::block(0, 50, {"loss"}, one));
  store->compact(first);
  for (const char* count : {"-1", "9223372036854775807", "'many'"}) {
    alter("UPDATE chunk SET samples = " + std::string(count));
    EXPECT_EQ(store->series(first, "loss").steps.size(), 50U) << count;
  }
}

TEST_F(StrangersStore, RemovalStaysInsideOfTheStore) {
  const auto outside = folder.path() / "outside";
  ASSERT_TRUE(makeFolder(outside / first));
  ASSERT_TRUE(writeFile(outside / first / "kept", "x"));
  std::filesystem::create_directory_symlink(outside, root() / "logs");
  const auto store = *RunStore::open(root(), StoreAccess::write);
  for (const std::string& id : {first, second}) store->setState(id, RunState::done, "");
  EXPECT_FALSE(removeRun(*store, first)) << "logs is a link";
  EXPECT_TRUE(std::filesystem::exists(outside / first / "kept"));

  std::filesystem::remove(root() / "logs");
  ASSERT_TRUE(makeFolder(root() / "logs" / second / "attempt-1"));
  std::filesystem::create_directory_symlink(outside, root() / "logs" / second / "attempt-1" / "link");
  EXPECT_TRUE(removeRun(*store, second));
  EXPECT_FALSE(std::filesystem::exists(root() / "logs" / second));
  EXPECT_TRUE(std::filesystem::exists(outside / first / "kept")) << "behind a link";
}

TEST(ConfinedRemoval, TakesPlainNamesOnly) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(makeFolder(folder.path() / "inner"));
  ASSERT_TRUE(writeFile(folder.path() / "beside", "x"));
  for (const char* place : {"../beside", ".", "", "inner/..", "/etc", "inner/../beside"}) {
    EXPECT_FALSE(removeInside(folder.path() / "inner", place)) << place;
  }
  EXPECT_TRUE(removeInside(folder.path(), "nothing/there"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "beside"));
  EXPECT_TRUE(removeInside(folder.path(), "beside"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "beside"));
}

TEST(PrivateStores, WhateverTheUmask) {
  for (const mode_t mask : {0000U, 0022U, 0077U, 0777U}) {
    const test::TemporaryFolder folder;
    const mode_t before = ::umask(mask);
    const auto store = RunStore::open(folder.path() / "store", StoreAccess::write);
    ASSERT_TRUE(store) << toText(store.error());
    const std::string id = (*store)->createRun(test::sampleRun());
    ASSERT_TRUE(CheckpointStore::openToWrite(folder.path() / "store", id));
    ::umask(before);
    EXPECT_EQ(modeOf(folder.path() / "store"), 0700U);
    EXPECT_EQ(modeOf(folder.path() / "store/store.db"), 0600U);
    EXPECT_EQ(modeOf(folder.path() / "store/store.db-wal"), 0600U);
    EXPECT_EQ(modeOf(folder.path() / "store/checkpoints"), 0700U);
    EXPECT_EQ(modeOf(checkpointFile(folder.path() / "store", id)), 0600U);
  }
}

TEST_F(StrangersStore, ALockOnItsFolderIsWaitedForWithinReason) {
  const int held = ::open(root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  const auto refused = RunStore::open(root(), StoreAccess::write, std::chrono::milliseconds{100});
  ASSERT_FALSE(refused);
  EXPECT_THAT(toText(refused.error()), HasSubstr("locked"));
  EXPECT_TRUE(RunStore::open(root(), StoreAccess::read, std::chrono::milliseconds{100})) << "reading needs no lock";
  ::close(held);
  EXPECT_TRUE(RunStore::open(root(), StoreAccess::write, std::chrono::milliseconds{100}));
}

TEST_F(StrangersStore, ARunOfAnotherPidNamespaceIsNeverLost) {
  const auto store = *RunStore::open(root(), StoreAccess::write);
  ProcessIdentity contained = thisProcess();
  contained.bootId += "1";
  contained.pid = 1 << 30;
  store->setState(first, RunState::running, "");
  store->setSupervisor(first, contained);
  EXPECT_EQ(store->find(first)->supervisor, contained);
  EXPECT_TRUE(store->markLost().empty());
  const std::string boot = contained.bootId.substr(0, contained.bootId.find(' '));
  alter("UPDATE run SET supervisor_boot = '" + boot + "' WHERE id = '" + first + "'");
  EXPECT_TRUE(store->markLost().empty()) << "written by a version that did not note the namespace";
}

}  // namespace
}  // namespace slipstream
