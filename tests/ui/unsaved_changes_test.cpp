// SPDX-License-Identifier: GPL-3.0-or-later
// What is not saved is not lost: closing the window asks, and a draft comes back.
#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/ui/user_input.h"
#include "tests/ui/wait_until.h"
#include "ui/documents/document_files.h"
#include "ui/window/main_window.h"
#include "ui/workspace/document_dialogs.h"

namespace slipstream::ui {
namespace {

class UnsavedChanges : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(folder_.isValid());
    file_ = folder_.filePath(QStringLiteral("table.json")).toStdString();
    ASSERT_TRUE(writeFile(file_, "{}"));
    ASSERT_TRUE(workspace_.rankTable().load(file_));
    workspace_.rankTable().edit("{ }", QStringLiteral("Blank"));
  }

  /// Presses a button of the next question.
  void answer(QMessageBox::StandardButton button) {
    test::whenAsked([this, button](QMessageBox& box) {
      EXPECT_TRUE(box.text().contains(QLatin1String("table.json")));
      ++questions_;
      box.button(button)->click();
    });
  }

  /// A button of the question that stands there, or will: the file is looked at first.
  void press(const QString& label) {
    test::whenAsked([this, label](QMessageBox& box) {
      for (QAbstractButton* button : box.buttons()) {
        if (button->text() != label) continue;
        ++questions_;
        return button->click();
      }
      ADD_FAILURE() << "no button " << label.toStdString();
      box.reject();
    });
  }

  bool leave() { return confirmClose(nullptr, {&workspace_.experiment(), &workspace_.rankTable()}); }

  QTemporaryDir folder_;
  std::filesystem::path file_;
  Workspace workspace_;
  int questions_ = 0;
};

TEST_F(UnsavedChanges, SaveWritesTheFile) {
  answer(QMessageBox::Save);
  EXPECT_TRUE(leave());
  EXPECT_EQ(questions_, 1);
  EXPECT_EQ(*readFile(file_), "{ }");
  EXPECT_TRUE(leave()) << "nothing is left to ask about";
  EXPECT_EQ(questions_, 1);
}

TEST_F(UnsavedChanges, DiscardGoesBackToTheFile) {
  answer(QMessageBox::Discard);
  EXPECT_TRUE(leave());
  EXPECT_EQ(*readFile(file_), "{}");
  EXPECT_EQ(workspace_.rankTable().text(), "{}");
  EXPECT_FALSE(workspace_.rankTable().isModified());
}

TEST_F(UnsavedChanges, CancelKeepsTheWindow) {
  MainWindow window(workspace_);
  window.show();
  answer(QMessageBox::Cancel);
  EXPECT_FALSE(window.close());
  EXPECT_TRUE(window.isVisible());
  EXPECT_EQ(workspace_.rankTable().text(), "{ }");
  answer(QMessageBox::Discard);
  EXPECT_TRUE(window.close());
  EXPECT_EQ(questions_, 2);
}

TEST_F(UnsavedChanges, ADraftComesBackAndIsToldOf) {
  const std::filesystem::path draft = userDataFolder() / "drafts" / "rank_table.json";
  ASSERT_TRUE(makeFolder(draft.parent_path()));
  ASSERT_TRUE(writeFile(draft, file_.string() + "\n{  }"));
  Workspace next;
  next.recoverDrafts();
  EXPECT_TRUE(next.rankTable().isRecovered());
  EXPECT_FALSE(next.experiment().isRecovered());
  MainWindow window(next);
  window.show();
  const auto* notice = window.findChild<DraftNotice*>();
  ASSERT_NE(notice, nullptr);
  window.showPage(PageId::boost);
  EXPECT_FALSE(notice->isVisible());
  window.showPage(PageId::rankTable);
  EXPECT_TRUE(notice->isVisible());
  QTest::mouseClick(notice->findChild<QPushButton*>(), Qt::LeftButton);
  EXPECT_FALSE(notice->isVisible());
  EXPECT_EQ(next.rankTable().text(), "{}");
  EXPECT_TRUE(test::eventually([&] { return !std::filesystem::exists(draft); }));
}

TEST_F(UnsavedChanges, AFileThatSomebodyElseChangedIsAskedAbout) {
  ASSERT_TRUE(writeFile(file_, "[]"));
  const auto choose = [this](const QString& label) {
    press(label);
    return saveDocument(nullptr, workspace_.rankTable());
  };
  EXPECT_FALSE(choose(QStringLiteral("Cancel")));
  EXPECT_EQ(*readFile(file_), "[]");
  EXPECT_EQ(workspace_.rankTable().text(), "{ }");
  EXPECT_TRUE(choose(QStringLiteral("Overwrite")));
  EXPECT_EQ(*readFile(file_), "{ }");
  ASSERT_TRUE(writeFile(file_, "[ ]"));
  workspace_.rankTable().edit("{  }", QStringLiteral("Blank"));
  EXPECT_FALSE(choose(QStringLiteral("Reload")));
  EXPECT_EQ(workspace_.rankTable().text(), "[ ]");
  EXPECT_EQ(*readFile(file_), "[ ]");
  EXPECT_EQ(questions_, 3);
}

TEST_F(UnsavedChanges, AChangeOnDiskIsToldAndCanBeReloaded) {
  ASSERT_TRUE(workspace_.rankTable().save(file_));
  MainWindow window(workspace_);
  window.show();
  window.showPage(PageId::rankTable);
  ASSERT_TRUE(writeFile(file_, "[]"));
  const auto* notice = window.findChild<DraftNotice*>();
  ASSERT_TRUE(test::eventually([&] { return notice->isVisible(); }));
  QTest::mouseClick(notice->findChild<QPushButton*>(), Qt::LeftButton);
  EXPECT_FALSE(notice->isVisible());
  EXPECT_EQ(workspace_.rankTable().text(), "[]");
}

TEST_F(UnsavedChanges, AQuestionSaysWhatWasRecoveredAndWhatStaysIsTold) {
  const std::filesystem::path draft = userDataFolder() / "drafts" / "rank_table.json";
  ASSERT_TRUE(makeFolder(draft.parent_path()));
  ASSERT_TRUE(writeFile(draft, file_.string() + "\n{  }"));
  const std::filesystem::path other = folder_.filePath(QStringLiteral("other.json")).toStdString();
  for (const auto& file : {file_, other}) ASSERT_TRUE(writeFile(file, R"({"version": "1.0", "server_list": []})"));
  Workspace next;
  next.recoverDrafts();
  MainWindow window(next);
  window.show();
  QSignalSpy reported(&next, &Workspace::reported);
  QString asked;
  test::whenAsked([&asked](QMessageBox& box) {
    asked = box.text();
    box.button(QMessageBox::Cancel)->click();
  });
  ASSERT_TRUE(window.openFile(other));
  EXPECT_TRUE(asked.contains(QStringLiteral("Recovered from a draft"))) << asked.toStdString();
  ASSERT_EQ(reported.count(), 1);
  EXPECT_TRUE(reported[0][0].toString().contains(QStringLiteral("other.json was not opened")));
  EXPECT_EQ(next.rankTable().text(), "{  }");
  ASSERT_TRUE(window.openFile(file_)) << "the file that the draft is of: nothing is asked";
  EXPECT_EQ(next.rankTable().text(), "{  }");
  EXPECT_EQ(window.frontPage(), PageId::rankTable);
  next.rankTable().discard();
}

TEST_F(UnsavedChanges, FilesThatNobodyEditsAreRefusedBeforeTheyAreRead) {
  const std::filesystem::path huge = folder_.filePath(QStringLiteral("huge.json")).toStdString();
  ASSERT_TRUE(writeFile(huge, "{}"));
  std::filesystem::resize_file(huge, largestDocument + 1);
  MainWindow window(workspace_);
  for (const std::filesystem::path& file : {huge, std::filesystem::path("/dev/zero")}) {
    const Status opened = window.openFile(file);
    ASSERT_FALSE(opened) << file;
    EXPECT_NE(toText(opened.error()).find(file.string()), std::string::npos) << toText(opened.error());
  }
  EXPECT_EQ(workspace_.rankTable().text(), "{ }");
}

TEST_F(UnsavedChanges, AFileWithoutAnEndingGetsOne) {
  workspace_.experiment().start(R"({"name": "study"})");
  EXPECT_EQ(workspace_.experiment().proposedName(), QStringLiteral("study"));
  test::chooseInNextDialog(folder_.filePath(QStringLiteral("typed")).toStdString());
  ASSERT_TRUE(saveDocument(nullptr, workspace_.experiment()));
  EXPECT_EQ(workspace_.experiment().file().filename(), "typed.json");
  EXPECT_TRUE(std::filesystem::exists(workspace_.experiment().file()));
}

}  // namespace
}  // namespace slipstream::ui
