// SPDX-License-Identifier: GPL-3.0-or-later
// Of several runs that are shown, pages about one let people choose which.
#include "ui/workspace/run_title.h"

#include <QMenu>
#include <QToolButton>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "ui/ranks/ranks_page.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

using test::FinishedRun;

class RunTitleTest : public testing::Test {
 protected:
  void SetUp() override {
    mean_ = test::recordRun(*small_.store, FinishedRun{"mean & more"});
    adasum_ = test::recordRun(*small_.store, FinishedRun{"adasum"});
    small_.open();
    page_ = std::make_unique<RanksPage>(small_.workspace, nullptr);
    page_->show();
  }
  void show(const std::vector<std::string>& runs) { selection().setShown(runs, runs.front()); }
  RunSelection& selection() { return small_.workspace.selection(); }
  RunTitle& title() { return *page_->findChild<RunTitle*>(); }
  QToolButton& choice() { return *title().findChild<QToolButton*>(); }
  /// As it is when it opens.
  QList<QAction*> choices() {
    Q_EMIT choice().menu()->aboutToShow();
    return choice().menu()->actions();
  }

  test::SmallWorkspace small_;
  std::string mean_, adasum_;
  std::unique_ptr<RanksPage> page_;
};

TEST_F(RunTitleTest, OneRunLeavesNothingToChoose) {
  show({mean_});
  EXPECT_TRUE(choice().isHidden());
}

TEST_F(RunTitleTest, AnotherOfTheRunsShownIsChosenAndAllStayShown) {
  show({adasum_, mean_});
  EXPECT_FALSE(choice().isHidden());
  ASSERT_EQ(choices().size(), 2) << "oldest first";
  EXPECT_FALSE(choices()[1]->isEnabled()) << "the page is about it";
  EXPECT_EQ(choices()[0]->text(), QStringLiteral("mean && more · seed 1")) << "an ampersand, not the mark of a key";
  choices()[0]->trigger();
  EXPECT_EQ(selection().current(), mean_);
  EXPECT_EQ(selection().shown(), (std::vector<std::string>{adasum_, mean_}));
  EXPECT_EQ(title().findChild<ElidedLabel*>()->whole(), QStringLiteral("mean & more · seed 1"));
}

TEST_F(RunTitleTest, RunsThatAreGoneAreNotOffered) {
  show({adasum_, "gone"});
  EXPECT_TRUE(choice().isHidden());
}

}  // namespace
}  // namespace slipstream::ui
