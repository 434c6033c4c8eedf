// What is not saved is not lost: closing the window asks, and a draft comes back.
#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "ui/window/main_window.h"
#include "ui/workspace/document_files.h"
#include "ui/workspace/draft_notice.h"

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
    QTimer::singleShot(0, qApp, [this, button] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      ASSERT_NE(box, nullptr);
      EXPECT_TRUE(box->text().contains(QLatin1String("table.json")));
      ++questions_;
      box->button(button)->click();
    });
  }

  bool leave() { return mayLeave(nullptr, {&workspace_.experiment(), &workspace_.rankTable()}); }

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
  window.showPage(QStringLiteral("boost"));
  EXPECT_FALSE(notice->isVisible());
  window.showPage(QStringLiteral("rank-table"));
  EXPECT_TRUE(notice->isVisible());
  QTest::mouseClick(notice->findChild<QPushButton*>(), Qt::LeftButton);
  EXPECT_FALSE(notice->isVisible());
  EXPECT_EQ(next.rankTable().text(), "{}");
  EXPECT_FALSE(std::filesystem::exists(draft));
}

}  // namespace
}  // namespace slipstream::ui
