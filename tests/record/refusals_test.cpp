#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/record/checkpoint_store.h"
#include "engine/record/database.h"
#include "engine/record/run_logs.h"
#include "engine/record/store_verify.h"
#include "tests/record/sample_run.h"
#include "tests/record/temporary_folder.h"

namespace slipstream {
namespace {

using test::block;
using test::openStore;
using test::sampleRun;
using ::testing::HasSubstr;

double one(std::int64_t, std::size_t) {
  return 1.0;
}

std::string refusal(const std::filesystem::path& folder, StoreAccess access) {
  const auto store = RunStore::open(folder, access);
  return store ? "opened" : toText(store.error());
}

class StoreRefusals : public ::testing::Test {
 protected:
  void alter(const std::string& sql) {
    SQLite::Database raw((folder.path() / "store.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    raw.exec(sql);
  }
  test::TemporaryFolder folder;
};

TEST_F(StoreRefusals, AMissingStoreIsNotMadeByReading) {
  const auto missing = folder.path() / "none";
  EXPECT_THAT(refusal(missing, StoreAccess::read), HasSubstr("--store"));
  EXPECT_FALSE(std::filesystem::exists(missing));
}

TEST_F(StoreRefusals, AFileInPlaceOfTheFolder) {
  const auto file = folder.path() / "file";
  std::ofstream(file) << "x";
  EXPECT_THAT(refusal(file, StoreAccess::write), HasSubstr("is a file"));
  EXPECT_THAT(refusal(file / "below", StoreAccess::write), HasSubstr("--store"));
}

TEST_F(StoreRefusals, AnotherProgramsDatabaseIsLeftAsItIs) {
  alter("CREATE TABLE theirs (x)");
  const std::string before = readFile(folder.path() / "store.db").value();
  for (const auto access : {StoreAccess::read, StoreAccess::write}) {
    EXPECT_THAT(refusal(folder.path(), access), HasSubstr("not a run store"));
  }
  EXPECT_EQ(readFile(folder.path() / "store.db").value(), before);
}

TEST_F(StoreRefusals, AFileThatIsNoDatabaseIsLeftAsItIs) {
  std::ofstream(folder.path() / "store.db") << "a letter to the editor";
  EXPECT_THAT(refusal(folder.path(), StoreAccess::write), HasSubstr("not a run store"));
  EXPECT_EQ(readFile(folder.path() / "store.db").value(), "a letter to the editor");
}

TEST_F(StoreRefusals, ANewerStoreIsRefusedByName) {
  openStore(folder.path());
  alter("PRAGMA user_version = 1000");
  for (const auto access : {StoreAccess::read, StoreAccess::write}) {
    EXPECT_THAT(refusal(folder.path(), access), HasSubstr("newer slipstream"));
  }
}

TEST_F(StoreRefusals, APlaceWhereNothingCanBeMade) {
  EXPECT_THAT(refusal("/proc/slipstream-store", StoreAccess::write), HasSubstr("cannot be created"));
}

TEST_F(StoreRefusals, ADamagedDatabase) {
  const std::string id = openStore(folder.path())->createRun(sampleRun());
  std::filesystem::resize_file(folder.path() / "store.db", 9000);
  const auto check = verifyStore(folder.path());
  EXPECT_TRUE(!check || !check->problems.empty());
}

TEST_F(StoreRefusals, VerifyFindsAFlippedByteInAChunkAndMissingWeights) {
  {
    auto store = openStore(folder.path());
    const std::string id = store->createRun(sampleRun());
    store->appendMetrics(id, store->startAttempt(id, 0), 0, 1, block(0, 50, {"loss"}, one));
    store->fold(id);
    EXPECT_TRUE(verifyStore(folder.path())->problems.empty());
    store->addCheckpoint(id, {20, 1, true, 1000, 400, 7});
  }
  EXPECT_EQ(verifyStore(folder.path())->problems.size(), 1U);
  alter("UPDATE chunk SET data = zeroblob(length(data))");
  EXPECT_EQ(verifyStore(folder.path())->problems.size(), 2U);
}

constexpr std::string_view firstScript = "CREATE TABLE a (x); INSERT INTO a VALUES (7);";
constexpr std::string_view secondScript = "ALTER TABLE a ADD COLUMN y DEFAULT 8;";

TEST_F(StoreRefusals, AnOlderFileIsBroughtUpToDateAndACopyPutAside) {
  const auto file = folder.path() / "old.db";
  const std::array scripts{firstScript, secondScript};
  DatabaseKind kind{7, "sample", std::span(scripts).first(1), "", ""};
  ASSERT_TRUE(Database::open(file, StoreAccess::write, kind));
  kind.scripts = scripts;
  EXPECT_THAT(toText(Database::open(file, StoreAccess::read, kind).error()), HasSubstr("older"));
  auto database = Database::open(file, StoreAccess::write, kind);
  ASSERT_TRUE(database) << toText(database.error());
  EXPECT_EQ((*database)->number("SELECT x + y FROM a"), 15);
  EXPECT_EQ((*database)->number("PRAGMA user_version"), 2);
  EXPECT_TRUE(std::filesystem::exists(file.string() + ".before-version-2"));
}

TEST_F(StoreRefusals, AScriptThatFailsChangesNothing) {
  const auto file = folder.path() / "old.db";
  constexpr std::string_view broken = "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1);";
  const std::array scripts{firstScript, broken};
  DatabaseKind kind{7, "sample", std::span(scripts).first(1), "", ""};
  ASSERT_TRUE(Database::open(file, StoreAccess::write, kind));
  kind.scripts = scripts;
  EXPECT_FALSE(Database::open(file, StoreAccess::write, kind));
  kind.scripts = std::span(scripts).first(1);
  auto database = Database::open(file, StoreAccess::write, kind);
  ASSERT_TRUE(database);
  EXPECT_EQ((*database)->number("SELECT count(*) FROM sqlite_master WHERE name = 'b'"), 0);
}

TEST_F(StoreRefusals, AFullDiskUndoesWhatWasBeingWrittenAndTheStoreGoesOn) {
  const std::array scripts{std::string_view("CREATE TABLE a (x)")};
  const DatabaseKind kind{7, "sample", scripts, "PRAGMA page_size = 4096", ""};
  const auto database = std::move(Database::open(folder.path() / "small.db", StoreAccess::write, kind).value());
  database->execute("INSERT INTO a VALUES (1)");
  database->number("PRAGMA max_page_count = 6");
  const std::string large(40'000, 'x');
  database->begin();
  database->execute("INSERT INTO a VALUES (2)");
  EXPECT_THROW(database->execute("INSERT INTO a VALUES (?)", large), StoreFull);
  database->rollback();
  EXPECT_EQ(database->number("SELECT count(*) FROM a"), 1);
  database->number("PRAGMA max_page_count = 1000");
  database->execute("INSERT INTO a VALUES (?)", large);
  EXPECT_EQ(database->number("SELECT count(*) FROM a"), 2);
}

/// Appends one block a transaction and reports each on a pipe once it is committed.
[[noreturn]] void writeUntilKilled(const std::filesystem::path& folder, const std::string& id, int pipe) {
  auto store = openStore(folder);
  for (std::int64_t sequence = 0;; ++sequence) {
    store->begin();
    store->appendMetrics(id, 1, 0, sequence, block(sequence * 20, 20, {"loss", "accuracy"}, one));
    ::usleep(200);  // so that some are killed within a transaction
    store->commit();
    if (::write(pipe, &sequence, sizeof(sequence)) < 0) ::_exit(1);
  }
}

TEST_F(StoreRefusals, KillingTheWriterLosesNothingCommitted) {
  for (int round = 0; round < 5; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const auto folderOfRound = folder.path() / std::to_string(round);
    const std::string run = openStore(folderOfRound)->createRun(sampleRun());
    const pid_t writer = ::fork();
    if (writer == 0) writeUntilKilled(folderOfRound, run, ends[1]);
    ::close(ends[1]);
    std::int64_t committed = -1;
    while (committed<80 + 13 * round&& ::read(ends[0], &committed, sizeof(committed))> 0) {
    }
    ::kill(writer, SIGKILL);
    while (::read(ends[0], &committed, sizeof(committed)) > 0) {
    }
    ::close(ends[0]);
    ::waitpid(writer, nullptr, 0);
    const auto store = openStore(folderOfRound);
    const Series loss = store->series(run, "loss");
    ASSERT_GE(static_cast<std::int64_t>(loss.steps.size()), (committed + 1) * 20);
    for (std::size_t i = 0; i < loss.steps.size(); ++i) ASSERT_EQ(loss.steps[i], static_cast<std::int64_t>(i));
    EXPECT_TRUE(verifyStore(folderOfRound)->problems.empty());
  }
}

TEST_F(StoreRefusals, SeveralProcessesMayMakeTheStoreAtOnce) {
  for (int round = 0; round < 5; ++round) {
    const auto place = folder.path() / std::to_string(round);
    std::vector<pid_t> children;
    for (int i = 0; i < 6; ++i) {
      children.push_back(::fork());
      if (children.back() != 0) continue;
      const auto store = RunStore::open(place, StoreAccess::write);
      if (!store) std::fprintf(stderr, "%s\n", toText(store.error()).c_str());
      ::_exit(store && !(*store)->createRun(sampleRun()).empty() ? 0 : 1);
    }
    for (const pid_t child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(openStore(place, StoreAccess::read)->runs().size(), 6U);
  }
}

TEST(RunLogs, AreFoundByAttemptRankAndStream) {
  test::TemporaryFolder folder;
  for (const char* place : {"attempt-1/1/rank.00", "attempt-1/1/rank.11", "attempt-2/1/rank.00"}) {
    const auto path = folder.path() / "logs/run" / place;
    std::filesystem::create_directories(path);
    std::ofstream(path / "stdout") << "hello";
    std::ofstream(path / "stderr");
    std::ofstream(path / "other");
  }
  const auto logs = rankLogs(folder.path(), "run");
  ASSERT_EQ(logs.size(), 6U);
  EXPECT_EQ(logs[0].stream, "stderr");
  EXPECT_EQ(logs[2].rank, 11);
  EXPECT_EQ(logs[5].attempt, 2);
  EXPECT_TRUE(rankLogs(folder.path(), "nobody").empty());
}

}  // namespace
}  // namespace slipstream
