// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <fstream>
#include <functional>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/runs/run_logs.h"
#include "engine/runs/store_verify.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/database.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

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

/// SQLite opens paths of limited length, and what it makes of a longer one names no cause.
TEST_F(StoreRefusals, APathThatIsTooLong) {
  constexpr std::size_t longest = 450;
  constexpr std::size_t component = 100;
  const auto deep = [&](std::size_t bytes) {
    std::string path = folder.path().string();
    while (path.size() + component < bytes) path += "/" + std::string(component - 1, 'x');
    path.resize(bytes, 'x');
    return path;
  };
  ASSERT_EQ(deep(longest).size(), longest);
  EXPECT_EQ(refusal(deep(longest), StoreAccess::write), "opened");
  EXPECT_EQ(refusal(deep(longest), StoreAccess::read), "opened");
  EXPECT_TRUE(CheckpointStore::openToWrite(deep(longest), "00000000")) << "what lies in the store has longer paths";
  EXPECT_THAT(refusal(deep(longest + 1), StoreAccess::write), HasSubstr("is too long a path"));
  EXPECT_FALSE(std::filesystem::exists(deep(longest + 1)));
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
    store->compact(id);
    EXPECT_TRUE(verifyStore(folder.path())->problems.empty());
    store->addCheckpoint(id, {20, 1, true, 1000, 400, 7});
  }
  EXPECT_EQ(verifyStore(folder.path())->problems.size(), 1U);
  alter("UPDATE chunk SET data = zeroblob(length(data))");
  EXPECT_EQ(verifyStore(folder.path())->problems.size(), 2U);
}

TEST_F(StoreRefusals, ATruncatedStoreIsNamedWithARemedy) {
  openStore(folder.path())->createRun(sampleRun());
  for (const std::uintmax_t size : {40'000U, 9'000U, 50U}) {
    std::filesystem::resize_file(folder.path() / "store.db", size);
    for (const auto access : {StoreAccess::read, StoreAccess::write}) {
      const std::string text = refusal(folder.path(), access);
      EXPECT_THAT(text, HasSubstr("store.db: is a damaged run store")) << size;
      EXPECT_THAT(text, HasSubstr("--store")) << size;
    }
  }
}

TEST_F(StoreRefusals, DamageInsideIsAnErrorOfItsOwn) {
  auto store = openStore(folder.path());
  for (int i = 0; i < 50; ++i) store->createRun(sampleRun());
  store = nullptr;
  {
    std::fstream file(folder.path() / "store.db", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(16'384);
    file << std::string(std::filesystem::file_size(folder.path() / "store.db") - 16'384, '\xAB');
  }
  EXPECT_THROW(openStore(folder.path(), StoreAccess::read)->runs(), StoreDamaged);
}

TEST_F(StoreRefusals, AWriterWaitsForAnotherAsLongAsItIsToldAndThenSaysSo) {
  using namespace std::chrono_literals;
  auto store = std::move(RunStore::open(folder.path(), StoreAccess::write, 20ms).value());
  SQLite::Database other((folder.path() / "store.db").string(), SQLite::OPEN_READWRITE);
  other.exec("BEGIN IMMEDIATE");
  EXPECT_THROW(store->createRun(sampleRun()), StoreBusy);
  const auto second = RunStore::open(folder.path(), StoreAccess::write, 20ms);
  ASSERT_TRUE(second) << "opening writes nothing: " << toText(second.error());
  other.exec("ROLLBACK");
  EXPECT_FALSE(store->createRun(sampleRun()).empty());
}

/// Runs `body` in a process that may not write to what this one owns; what it returns is the answer.
std::string asAnotherUser(const std::function<std::string()>& body) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && ::setuid(nobody) != 0) ::_exit(1);
    const std::string answer = body();
    ::_exit(::write(ends[1], answer.data(), answer.size()) == std::ssize(answer) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string answer(10'000, ' ');
  std::size_t size = 0;
  for (ssize_t got = 0; (got = ::read(ends[0], answer.data() + size, answer.size() - size)) > 0;) {
    size += static_cast<std::size_t>(got);
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return answer.substr(0, size);
}

/// A store in a folder that nobody may write to, with a name that means something in a URI.
class ReadOnlyStore : public StoreRefusals {
 protected:
  ReadOnlyStore() { ::chmod(folder.path().c_str(), 0755); }
  ~ReadOnlyStore() override { ::chmod(place.c_str(), 0755); }
  /// Others may read it: its owner says so.
  void seal() {
    for (const auto& entry : std::filesystem::directory_iterator(place)) ::chmod(entry.path().c_str(), 0644);
    ::chmod(place.c_str(), 0555);
  }
  std::string read() {
    return asAnotherUser([&] {
      const auto store = RunStore::open(place, StoreAccess::read);
      return store ? (*store)->runs().at(0).id : toText(store.error());
    });
  }
  std::filesystem::path place = folder.path() / "a?mode=memory#50%41";
};

TEST_F(ReadOnlyStore, IsReadAsItLies) {
  const std::string id = openStore(place)->createRun(sampleRun());
  seal();
  EXPECT_EQ(read(), id);
  EXPECT_THAT(asAnotherUser([&] { return refusal(place, StoreAccess::write); }), HasSubstr("cannot be written"));
}

TEST_F(ReadOnlyStore, IsReadWhileItsOwnerWrites) {
  const auto writer = openStore(place);
  const std::string id = writer->createRun(sampleRun());
  seal();
  EXPECT_EQ(read(), id);
}

TEST_F(ReadOnlyStore, WithChangesThatNobodyFinishedIsRefused) {
  openStore(place);
  std::ofstream(place / "store.db-wal") << "left behind";
  seal();
  EXPECT_THAT(read(), HasSubstr("did not finish"));
}

TEST_F(ReadOnlyStore, OutOfReachIsAFailureAndNoException) {
  openStore(place);
  ::chmod(place.c_str(), 0700);
  if (::geteuid() != 0) ::chmod(place.c_str(), 0);
  EXPECT_THAT(read(), HasSubstr("cannot be read: Permission denied"));
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
