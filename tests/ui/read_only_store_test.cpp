// SPDX-License-Identifier: GPL-3.0-or-later
// A store that may not be written to: what is in it is shown, and what would write is off, with the reason.
#include <QAction>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_dock.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace slipstream::ui {
namespace {

/// Nobody in particular, as whom even a test of root's may not write everywhere.
class AsNobody {
 public:
  AsNobody() : wasRoot_(::geteuid() == 0) {
    constexpr uid_t nobody = 65534;
    if (wasRoot_ && ::setresuid(nobody, nobody, 0) != 0) throw std::runtime_error("cannot become nobody");
  }
  ~AsNobody() {
    if (wasRoot_ && ::setresuid(0, 0, 0) != 0) std::abort();
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  bool wasRoot_;
};

class ReadOnlyStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    run_ = test::recordRun(*small_.store, test::FinishedRun{"mean"});
    small_.store.reset();
    seal(0555, 0444);
  }
  void TearDown() override { seal(0755, 0644); }
  void seal(mode_t folder, mode_t file) {
    ASSERT_EQ(::chmod((small_.folder.path() / "store.db").c_str(), file), 0);
    ASSERT_EQ(::chmod(small_.folder.path().c_str(), folder), 0);
  }
  StoreWatcher& store() { return small_.workspace.store(); }
  bool hasRun() {
    return test::eventually([&] { return store().snapshot()->find(run_) != nullptr; });
  }

  test::SmallWorkspace small_;
  std::string run_;
};

TEST_F(ReadOnlyStoreTest, IsShownAndWhatWritesIsOffWithTheReason) {
  const AsNobody nobody;
  ASSERT_TRUE(store().open(small_.folder.path()));
  ASSERT_TRUE(hasRun());
  EXPECT_TRUE(store().whyReadOnly().contains(QStringLiteral("store.db"))) << store().whyReadOnly().toStdString();
  MainWindow window(small_.workspace);
  window.show();
  small_.workspace.selection().setCurrent(run_);
  const RunActions& actions = window.findChild<RunsDock*>()->runActions();
  for (const QAction* action : {window.actions().launch, window.actions().runExample, actions.rename, actions.archive,
                                actions.pin, actions.remove, actions.resumeFrom, actions.stopNow}) {
    EXPECT_FALSE(action->isEnabled()) << action->text().toStdString();
    EXPECT_EQ(action->toolTip(), store().whyReadOnly()) << action->text().toStdString();
  }
  EXPECT_TRUE(actions.copyCommand->isEnabled());
  EXPECT_TRUE(window.actions().saveReport->isEnabled());
  EXPECT_TRUE(window.findChild<StatusLine*>()->text().contains(QStringLiteral("read only")));
}

TEST_F(ReadOnlyStoreTest, OpenedAgainWhereItMayBeWrittenItIsAStoreLikeAnyOther) {
  {
    const AsNobody nobody;
    ASSERT_TRUE(store().open(small_.folder.path()));
  }
  seal(0755, 0644);
  ASSERT_TRUE(store().open(small_.folder.path()));
  EXPECT_TRUE(store().whyReadOnly().isEmpty());
  ASSERT_TRUE(hasRun());
}

TEST_F(ReadOnlyStoreTest, WhatIsNoStoreAtAllIsRefusedAsBefore) {
  const AsNobody nobody;
  const Status opened = store().open(small_.folder.path() / "none");
  EXPECT_FALSE(opened);
  EXPECT_FALSE(store().isOpen());
}

}  // namespace
}  // namespace slipstream::ui
