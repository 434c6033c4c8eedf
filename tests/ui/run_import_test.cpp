// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_import.h"

#include <QApplication>
#include <QDialog>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/store/run_store.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/wait_until.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {
namespace {

constexpr int importTimeout = 60'000;

class RunImportTest : public testing::Test {
 protected:
  RunImportTest() { EXPECT_TRUE(workspace.store().open(folder.path() / "store")); }

  void take(const char* name, const std::string& table) {
    const auto file = folder.path() / name;
    ASSERT_TRUE(writeFile(file, table));
    RunImport taking(workspace, &window);
    QSignalSpy done(&taking, &RunImport::done);
    QTimer closing;
    QObject::connect(&closing, &QTimer::timeout, &window, [this] {
      auto* box = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      warned = true;
      box->reject();
    });
    closing.start(20);
    taking.take({file});
    ASSERT_TRUE(done.count() > 0 || done.wait(importTimeout));
  }

  test::TemporaryFolder folder;
  Workspace workspace;
  QWidget window;
  bool warned = false;
};

TEST_F(RunImportTest, ATableBecomesARunBesideOurs) {
  take("other.csv", "step,loss\n0,2.5\n1,2.25\n2,2\n");
  EXPECT_FALSE(warned);
  ASSERT_TRUE(test::eventually([&] { return workspace.store().snapshot()->runs.size() == 1; }, importTimeout));
  const RunRecord& run = workspace.store().snapshot()->runs.front().run;
  EXPECT_EQ(run.state, RunState::done);
  EXPECT_EQ(run.device, importedDevice);
  const auto store = RunStore::open(workspace.store().folder(), StoreAccess::read);
  ASSERT_TRUE(store);
  EXPECT_EQ((*store)->series(run.id, "loss").values, (std::vector<double>{2.5, 2.25, 2}));
}

TEST_F(RunImportTest, WhatIsWrongIsSaidAndNothingIsWritten) {
  take("bad.csv", "step,loss\n0,1\n1,x\n");
  EXPECT_TRUE(warned);
  const auto store = RunStore::open(workspace.store().folder(), StoreAccess::read);
  ASSERT_TRUE(store);
  EXPECT_TRUE((*store)->heads().empty());
}

}  // namespace
}  // namespace slipstream::ui
