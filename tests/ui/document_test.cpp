// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/document.h"

#include <QProcess>
#include <QSysInfo>
#include <QTest>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/wait_until.h"
#include "ui/documents/rank_table_document.h"
#include "ui/store/job_thread.h"

namespace slipstream::ui {
namespace {

TEST(Document, EveryEditIsOneUndoStep) {
  RankTableDocument document(nullptr);
  document.start("{}");
  document.edit("{ }", QStringLiteral("Blank"));
  document.edit("{  }", QStringLiteral("Blank"));
  EXPECT_TRUE(document.isModified());
  document.undoStack().undo();
  EXPECT_EQ(document.text(), "{ }");
  document.undoStack().undo();
  EXPECT_EQ(document.text(), "{}");
  EXPECT_FALSE(document.isModified());
  document.undoStack().redo();
  EXPECT_EQ(document.text(), "{ }");
}

TEST(Document, TypingIsOneStep) {
  RankTableDocument document(nullptr);
  document.start("");
  for (const char* text : {"a", "ab", "abc"}) document.edit(text, QStringLiteral("Type"), 1);
  document.undoStack().undo();
  EXPECT_EQ(document.text(), "");
}

TEST(Document, AnUnsavedTextSurvivesAsADraft) {
  const std::filesystem::path draft = userDataFolder() / "drafts" / "rank_table.json";
  {
    RankTableDocument document(nullptr);
    document.start("{}", "/somewhere/table.json");
    document.edit("{ }", QStringLiteral("Blank"));
    ASSERT_TRUE(makeFolder(draft.parent_path()));
    ASSERT_TRUE(writeFile(draft, "/somewhere/table.json\n{ }"));
  }
  RankTableDocument next(nullptr);
  ASSERT_TRUE(next.recoverDraft());
  EXPECT_EQ(next.text(), "{ }");
  EXPECT_EQ(next.file(), "/somewhere/table.json");
  EXPECT_TRUE(next.isModified());
  next.dropDraft();
  EXPECT_FALSE(next.recoverDraft());
}

TEST(Document, WindowsBesideEachOtherKeepADraftEach) {
  constexpr int draftTime = 5000;
  const std::filesystem::path folder = userDataFolder() / "drafts";
  const auto drafts = [&] {
    int count = 0;
    for (const char* name : {"rank_table.json", "rank_table-2.json"}) count += std::filesystem::exists(folder / name);
    return count;
  };
  auto first = std::make_unique<RankTableDocument>(nullptr);
  auto second = std::make_unique<RankTableDocument>(nullptr);
  first->edit("first", QStringLiteral("Type"));
  second->edit("second", QStringLiteral("Type"));
  ASSERT_TRUE(test::eventually([&] { return drafts() == 2; }, draftTime));
  RankTableDocument third(nullptr);
  EXPECT_FALSE(third.recoverDraft()) << "both belong to windows that are open";
  first.reset();
  second.reset();
  diskThread().finish();
  RankTableDocument next(nullptr), last(nullptr);
  ASSERT_TRUE(next.recoverDraft());
  ASSERT_TRUE(last.recoverDraft());
  EXPECT_EQ((std::set<std::string>{next.text(), last.text()}), (std::set<std::string>{"first", "second"}));
  next.discard();
  last.discard();
  diskThread().finish();
  EXPECT_EQ(drafts(), 0);
}

/// A lock as a window leaves it that was killed: of a process that is gone.
void leaveLock(const std::filesystem::path& file) {
  QProcess gone;
  gone.start(QStringLiteral("true"), QStringList());
  ASSERT_TRUE(gone.waitForStarted());
  const qint64 pid = gone.processId();
  ASSERT_TRUE(gone.waitForFinished());
  std::ofstream(file) << pid << "\nslipstream\n" << QSysInfo::machineHostName().toStdString() << "\n";
}

TEST(Document, TheDraftOfAKilledWindowIsTakenUp) {
  const std::filesystem::path draft = userDataFolder() / "drafts" / "rank_table.json";
  ASSERT_TRUE(makeFolder(draft.parent_path()));
  ASSERT_TRUE(writeFile(draft, "\n{ }"));
  leaveLock(draft.string() + ".lock");
  RankTableDocument next(nullptr);
  ASSERT_TRUE(next.recoverDraft());
  EXPECT_EQ(next.text(), "{ }");
  next.dropDraft();
}

class ChangedOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(writeFile(file_, "{}"));
    ASSERT_TRUE(document_.load(file_));
  }
  /// As another program would, which does not put a new file in the old one's place.
  void changeOutside(const char* text) { std::ofstream(file_) << text; }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "table.json";
  RankTableDocument document_{nullptr};
};

TEST_F(ChangedOnDisk, IsSeenAndCanBeTakenUp) {
  EXPECT_FALSE(document_.checkFile());
  document_.edit("{ }", QStringLiteral("Blank"));
  changeOutside("[]");
  EXPECT_TRUE(test::eventually([&] { return document_.isChangedOnDisk(); })) << "the file is watched";
  ASSERT_TRUE(document_.reload());
  EXPECT_EQ(document_.text(), "[]");
  EXPECT_FALSE(document_.isModified());
  EXPECT_FALSE(document_.checkFile());
  document_.undoStack().undo();
  EXPECT_EQ(document_.text(), "{ }") << "what stood here is not lost";
  EXPECT_TRUE(document_.isModified());
  changeOutside("[ ]");
  EXPECT_TRUE(test::eventually([&] { return document_.isChangedOnDisk(); })) << "it is still watched";
}

TEST_F(ChangedOnDisk, OwnWritesAreNoChange) {
  document_.edit("{ }", QStringLiteral("Blank"));
  ASSERT_TRUE(document_.save(file_));
  QTest::qWait(400);  // a change that is seen later would be one all the same
  EXPECT_FALSE(document_.isChangedOnDisk());
  EXPECT_FALSE(document_.checkFile());
  std::filesystem::remove(file_);
  EXPECT_FALSE(document_.checkFile()) << "a file that is gone is written anew";
}

TEST_F(ChangedOnDisk, ADraftOlderThanItsFileSaysSo) {
  const std::filesystem::path draft = userDataFolder() / "drafts" / "rank_table.json";
  ASSERT_TRUE(makeFolder(draft.parent_path()));
  ASSERT_TRUE(writeFile(draft, file_.string() + "\n{ }"));
  std::filesystem::last_write_time(draft, std::filesystem::last_write_time(file_) - std::chrono::hours(1));
  RankTableDocument next(nullptr);
  ASSERT_TRUE(next.recoverDraft());
  EXPECT_TRUE(next.isChangedOnDisk());
  next.discard();
  EXPECT_FALSE(next.isChangedOnDisk());
}

TEST(Document, SteadyTypingKeepsADraftToo) {
  const std::filesystem::path draft = userDataFolder() / "drafts" / "rank_table.json";
  RankTableDocument document(nullptr);
  std::string text = "[";
  constexpr int mostLetters = 600;
  for (int letters = 0; letters < mostLetters && !std::filesystem::exists(draft); ++letters) {
    document.edit(text += ' ', QStringLiteral("Type"), 1);
    QTest::qWait(100);
  }
  EXPECT_TRUE(std::filesystem::exists(draft)) << "typing without a pause is kept nowhere";
  document.discard();
  diskThread().finish();
}

}  // namespace
}  // namespace slipstream::ui
