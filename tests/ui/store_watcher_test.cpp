// SPDX-License-Identifier: GPL-3.0-or-later
// The store seen from the window: nothing is lost, nothing waits, and every failure is told.
#include "ui/store/store_watcher.h"

#include <QSignalSpy>
#include <QThread>
#include <atomic>
#include <fstream>
#include <optional>

#include <gtest/gtest.h>

#include "tests/support/damaged_values.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"

namespace slipstream::ui {
namespace {

using test::SmallWorkspace;

TEST(StoreWatcher, AFolderHasOneNameHoweverItWasWritten) {
  SmallWorkspace small;
  StoreWatcher& store = small.workspace.store();
  ASSERT_TRUE(store.open(small.folder.path()));
  const std::filesystem::path name = store.folder();
  EXPECT_TRUE(name.has_filename());
  for (const std::filesystem::path& other : {small.folder.path() / "", small.folder.path() / "." / ""}) {
    ASSERT_TRUE(store.open(other));
    EXPECT_EQ(store.folder(), name) << other;
  }
}

TEST(StoreReader, AFailedJobAnswersWhoAsked) {
  SmallWorkspace small;
  small.open();
  StoreReader& reader = small.workspace.store().reader();
  QSignalSpy failed(&reader, &StoreReader::failed);
  QString words;
  int answers = 0;
  reader.read(
      &small.workspace, [](RunStore&) -> int { throw Error("no such page"); }, [&](int) { ++answers; },
      [&](const QString& why) { words = why; });
  EXPECT_TRUE(test::eventually([&] { return !words.isEmpty(); }));
  EXPECT_EQ(words, QStringLiteral("no such page"));
  EXPECT_EQ(answers, 0);
  EXPECT_EQ(failed.count(), 1);
}

TEST(StoreReader, LongJobsKeepNobodyWaiting) {
  SmallWorkspace small;
  small.open();
  StoreWatcher& store = small.workspace.store();
  std::atomic<bool> mayEnd = false;
  bool ended = false;
  store.longReader().read(
      &small.workspace,
      [&mayEnd](RunStore&) {
        while (!mayEnd) QThread::msleep(1);
        return 0;
      },
      [&](int) { ended = true; });
  const std::string run = small.store->createRun(test::sampleRun());
  EXPECT_TRUE(test::eventually([&] { return store.snapshot()->find(run) != nullptr; }));
  EXPECT_FALSE(ended);
  mayEnd = true;
  EXPECT_TRUE(test::eventually([&] { return ended; }));
}

TEST(StoreWatcher, VersionsNeverComeBack) {
  SmallWorkspace small;
  small.open();
  StoreWatcher& store = small.workspace.store();
  ASSERT_TRUE(test::eventually([&] { return store.snapshot()->version > 0; }));
  std::int64_t last = store.snapshot()->version;
  for (int i = 0; i < 3; ++i) {
    QSignalSpy changed(&store, &StoreWatcher::changed);
    // A failed job gives up the connection; the next one counts from its own beginning.
    store.reader().read(
        &small.workspace, [](RunStore&) -> int { throw Error("gone"); }, [](int) {});
    ASSERT_TRUE(test::eventually([&] { return !changed.isEmpty(); }));
    EXPECT_GT(store.snapshot()->version, last);
    last = store.snapshot()->version;
  }
  const test::TemporaryFolder other;
  ASSERT_TRUE(store.open(other.path()));
  ASSERT_TRUE(test::eventually([&] { return store.snapshot()->version > 0; }));
  EXPECT_GT(store.snapshot()->version, last);
}

TEST(StoreWatcher, WritesAreDoneInOrderAndTheirFailuresTold) {
  SmallWorkspace small;
  const std::string run = small.store->createRun(test::sampleRun());
  small.open();
  StoreWatcher& store = small.workspace.store();
  for (const char* title : {"first", "second"}) {
    store.write(&small.workspace, [run, title](RunStore& writer) { writer.setLabel(run, {title, "", {}}); });
  }
  EXPECT_TRUE(store.isWriting());
  ASSERT_TRUE(small.written());
  EXPECT_EQ(small.store->labels()[run].title, "second");
  Status answer;
  store.write(
      &small.workspace, [](RunStore& writer) { writer.setLabel("nobody", {}); },
      [&](const Status& written) { answer = written; });
  ASSERT_TRUE(small.written());
  ASSERT_FALSE(answer);
  EXPECT_NE(toText(answer.error()).find("nobody"), std::string::npos);
}

TEST(StoreWatcher, WhatWasWrittenIsThereAlsoWhereTheWindowCloses) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = store->createRun(test::sampleRun());
  {
    StoreWatcher watcher;
    ASSERT_TRUE(watcher.open(folder.path()));
    watcher.write(&watcher, [run](RunStore& writer) { writer.setLabel(run, {"last words", "", {}}); });
  }
  EXPECT_EQ(store->labels()[run].title, "last words");
}

TEST(StoreWatcher, AnotherStoreIsOpenedWithoutWaiting) {
  SmallWorkspace small;
  small.open();
  const test::TemporaryFolder other;
  StoreWatcher& store = small.workspace.store();
  std::optional<Status> answer;
  store.openLater(other.path(), &small.workspace, [&](const Status& opened) { answer = opened; });
  EXPECT_FALSE(answer);
  ASSERT_TRUE(test::eventually([&] { return answer.has_value(); }));
  EXPECT_TRUE(*answer);
  EXPECT_EQ(store.folder(), other.path());
  answer.reset();
  store.openLater("/proc/none", &small.workspace, [&](const Status& opened) { answer = opened; });
  ASSERT_TRUE(test::eventually([&] { return answer.has_value(); }));
  EXPECT_FALSE(*answer);
  EXPECT_EQ(store.folder(), other.path()) << "the old one stays open";
}

TEST(StoreWatcher, SomebodysOtherFilesAreNoPlaceForAStore) {
  SmallWorkspace small;
  const test::TemporaryFolder other;
  std::ofstream(other.path() / "thesis.txt") << "of somebody";
  const Status opened = small.workspace.store().open(other.path());
  ASSERT_FALSE(opened);
  EXPECT_NE(toText(opened.error()).find("is a folder of other files and holds no run store"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(other.path() / "store.db"));
}

TEST(StoreWatcher, TheSizeOnDiskBecomesTrueAgain) {
  SmallWorkspace small;
  small.open();
  const std::int64_t before = small.workspace.store().snapshot()->bytes;
  { std::ofstream(small.folder.path() / "more") << std::string(100'000, 'x'); }
  small.store->createRun(test::sampleRun());
  EXPECT_TRUE(test::eventually([&] { return small.workspace.store().snapshot()->bytes >= before + 100'000; }, 15'000));
}

TEST(StoreReader, DamageWithinTheStoreIsNoReasonToOpenItAgain) {
  SmallWorkspace small;
  const std::string run = test::recordRun(*small.store, test::FinishedRun{"broken"});
  test::damageValues(*small.store, run, "loss");
  small.open();
  StoreReader& reader = small.workspace.store().reader();
  QSignalSpy failed(&reader, &StoreReader::failed);
  const int connection = reader.connection();
  QString words;
  reader.read(
      &small.workspace, [run](RunStore& store) { return store.series(run, "loss"); }, [](const Series&) {},
      [&](const QString& why) { words = why; });
  ASSERT_TRUE(test::eventually([&] { return !words.isEmpty(); }));
  EXPECT_TRUE(words.contains(QString::fromStdString(run))) << words.toStdString();
  int steps = 0;
  reader.read(
      &small.workspace, [run](RunStore& store) { return store.series(run, "accuracy").steps.size(); },
      [&](std::size_t count) { steps = static_cast<int>(count); });
  EXPECT_TRUE(test::eventually([&] { return steps == 10; }));
  EXPECT_EQ(reader.connection(), connection);
  EXPECT_EQ(failed.count(), 0);
}

/// Every file of a store; a folder that is left looks like one that was never used.
void removeStore(const std::filesystem::path& folder) {
  for (const char* name : {"store.db", "store.db-wal", "store.db-shm"}) std::filesystem::remove(folder / name);
}

TEST(StoreWatcher, AStoreThatIsDeletedHasNoRunsAndIsSaidToBeGone) {
  SmallWorkspace small;
  const std::string run = test::recordRun(*small.store, test::FinishedRun{"mean"});
  small.open();
  StoreWatcher& store = small.workspace.store();
  ASSERT_TRUE(test::eventually([&] { return !store.snapshot()->runs.empty(); })) << "it was there";
  small.workspace.selection().setCurrent(run);
  removeStore(small.folder.path());
  ASSERT_TRUE(test::eventually([&] { return store.snapshot()->runs.empty(); }));
  EXPECT_TRUE(store.trouble().contains(QStringLiteral("Store not found"))) << store.trouble().toStdString();
  EXPECT_TRUE(small.workspace.selection().current().empty());
  Status answer;
  store.write(
      &small.workspace, [run](RunStore& writer) { writer.setLabel(run, {}); },
      [&](const Status& written) { answer = written; });
  ASSERT_TRUE(small.written());
  ASSERT_FALSE(answer);
  EXPECT_NE(toText(answer.error()).find("gone"), std::string::npos) << toText(answer.error());
  EXPECT_FALSE(std::filesystem::exists(small.folder.path() / "store.db")) << "writing made it anew";
}

/// Whichever thread notices first: one that had not opened the store yet knows it just as well.
TEST(StoreReader, AStoreThatWasDeletedBeforeTheFirstJobIsGoneToo) {
  SmallWorkspace small;
  StoreReader reader;
  reader.open(small.folder.path());
  removeStore(small.folder.path());
  QString words;
  reader.read(
      &small.workspace, [](RunStore&) { return 0; }, [](int) {}, [&](const QString& why) { words = why; });
  ASSERT_TRUE(test::eventually([&] { return !words.isEmpty(); }));
  EXPECT_TRUE(words.contains(QStringLiteral("Store not found"))) << words.toStdString();
  EXPECT_TRUE(reader.isGone());
}

TEST(StoreWatcher, AStoreThatIsPutInThePlaceOfAnotherIsShown) {
  SmallWorkspace small;
  const std::string before = test::recordRun(*small.store, test::FinishedRun{"before"});
  small.open();
  const test::TemporaryFolder other;
  const std::string after = test::recordRun(*test::openStore(other.path()), test::FinishedRun{"after"});
  StoreWatcher& store = small.workspace.store();
  QSignalSpy opened(&store, &StoreWatcher::opened);
  QSignalSpy noticed(&store, &StoreWatcher::noticed);
  for (const char* name : {"store.db-wal", "store.db-shm"}) std::filesystem::remove(small.folder.path() / name);
  std::filesystem::rename(other.path() / "store.db", small.folder.path() / "store.db");
  ASSERT_TRUE(test::eventually([&] { return store.snapshot()->find(after) != nullptr; }));
  EXPECT_EQ(store.snapshot()->find(before), nullptr);
  EXPECT_EQ(opened.count(), 1);
  EXPECT_EQ(noticed.count(), 1);
  EXPECT_TRUE(store.trouble().isEmpty());
}

TEST(StoreReader, WhatPeopleWantToHaveIsDoneAlsoWhereTheReaderCloses) {
  SmallWorkspace small;
  std::atomic<bool> mayEnd = false;
  std::atomic<int> reads = 0, writes = 0;
  QObject receiver;
  auto reader = std::make_unique<StoreReader>();
  reader->open(small.folder.path());
  const auto count = [](std::atomic<int>& counter) { return [&counter](RunStore&) { return ++counter; }; };
  reader->read(
      &receiver,
      [&mayEnd](RunStore&) {
        while (!mayEnd) QThread::msleep(1);
        return 0;
      },
      [](int) {});
  reader->read(&receiver, count(reads), [](int) {});
  reader->readToTheEnd(&receiver, count(writes), [](int) {});
  reader->read(&receiver, count(reads), [](int) {});
  QThread* waker = QThread::create([&mayEnd] {
    QThread::msleep(50);
    mayEnd = true;
  });
  waker->start();
  reader.reset();
  waker->wait();
  delete waker;
  EXPECT_EQ(writes, 1);
  EXPECT_EQ(reads, 0) << "nobody waits for what only pages want";
}

}  // namespace
}  // namespace slipstream::ui
