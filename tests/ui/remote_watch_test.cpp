// SPDX-License-Identifier: GPL-3.0-or-later
// Another machine's runs in the window: a script stands for ssh, and slipstream answers through it.
#include "ui/launch/remote_watch.h"

#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/environment_variable.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/launch/launcher.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_dock.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"
#include "ui/window/where_box.h"

namespace slipstream::ui {
namespace {

class RemoteWatchTest : public testing::Test {
 protected:
  RemoteWatchTest() : far_(test::openStore(far())) {
    std::ofstream(ssh()) << "#!/bin/sh\n[ -e '" << cut().string()
                         << "' ] && { echo 'ssh: no route to host' >&2; exit 255; }\nshift\nexec sh -c \"$*\"\n";
    ::chmod(ssh().c_str(), 0700);
    Remote lab = *makeRemote("lab", "me@lab:" + far().string());
    lab.program = commandLineProgram().string();
    EXPECT_TRUE(saveRemotes({lab}));
  }
  ~RemoteWatchTest() override { EXPECT_TRUE(saveRemotes({})); }

  std::filesystem::path far() const { return farFolder_.path() / "store"; }
  std::filesystem::path ssh() const { return farFolder_.path() / "ssh"; }
  std::filesystem::path cut() const { return farFolder_.path() / "cut"; }
  void takeCableOut() const { std::ofstream(cut()) << ""; }
  void putCableBack() const { std::filesystem::remove(cut()); }

  RemoteWatch& remotes() { return small_.workspace.remotes(); }
  bool comesTo(FollowState::Link link) {
    return test::eventually(
        [&] { return remotes().find("lab") != nullptr && remotes().find("lab")->state.link == link; });
  }
  const RunRow* copyOf(const std::string& run) {
    const bool came = test::eventually([&] { return small_.workspace.store().snapshot()->find(run) != nullptr; });
    return came ? small_.workspace.store().snapshot()->find(run) : nullptr;
  }

  test::TemporaryFolder farFolder_;
  std::unique_ptr<RunStore> far_;
  const test::EnvironmentVariable variable_{"SLIPSTREAM_SSH", ssh().string()};
  test::SmallWorkspace small_;
};

TEST_F(RemoteWatchTest, RunsOfARemoteComeIntoTheListAndFollow) {
  const std::string run = test::recordRun(*far_, {.variant = "adasum"});
  small_.open();
  ASSERT_TRUE(comesTo(FollowState::Link::upToDate));
  const RunRow* row = copyOf(run);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->run.remote, "lab");
  far_->setLabel(run, {"named there", "", {}, false, false});
  EXPECT_TRUE(test::eventually([&] { return copyOf(run)->title() == QStringLiteral("named there"); }));
  far_->removeRun(run);
  EXPECT_TRUE(test::eventually([&] { return small_.workspace.store().snapshot()->runs.empty(); }));
}

TEST_F(RemoteWatchTest, WithoutANetworkTheWindowGoesOnAndSaysSo) {
  takeCableOut();
  const std::string own = test::recordRun(*small_.store, {.variant = "own"});
  small_.open();
  const MainWindow window(small_.workspace);
  ASSERT_TRUE(comesTo(FollowState::Link::offline));
  EXPECT_TRUE(window.findChild<StatusLine*>()->text().contains(QStringLiteral("lab: offline")));
  EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
  EXPECT_NE(copyOf(own), nullptr);
  const std::string run = test::recordRun(*far_, {.variant = "adasum"});
  putCableBack();
  EXPECT_NE(copyOf(run), nullptr);
  EXPECT_TRUE(comesTo(FollowState::Link::upToDate));
}

TEST_F(RemoteWatchTest, LaunchesGoWhereTheBoxSays) {
  small_.open();
  MainWindow window(small_.workspace);
  ASSERT_TRUE(comesTo(FollowState::Link::upToDate));
  auto* where = window.findChild<WhereBox*>();
  ASSERT_EQ(where->count(), 3) << "this machine, lab, and one to add";
  EXPECT_EQ(where->currentIndex(), 0);
  QWheelEvent wheel(QPointF(5, 5), where->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(where, &wheel);
  EXPECT_EQ(where->currentIndex(), 0) << "no wheel changes where launches go";
  Q_EMIT where->activated(1);
  EXPECT_EQ(remotes().chosen(), "lab");
  EXPECT_EQ(where->currentText(), QStringLiteral("lab"));
  QSignalSpy refused(&small_.workspace.launcher(), &Launcher::refused);
  small_.workspace.launcher().runThere("lab", QStringLiteral("wrong"), R"({"name": "wrong", "networks": "lenet5"})",
                                       "/wrong.json");
  ASSERT_TRUE(test::eventually([&] { return !refused.isEmpty(); }));
  EXPECT_TRUE(refused.front().front().toString().contains(QStringLiteral("networks"))) << "as it is said there";
  Q_EMIT where->activated(2);
  auto* dialog = window.findChild<AddMachineDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(remotes().chosen(), "lab") << "asking for another chooses nothing";
  dialog->reject();
}

TEST_F(RemoteWatchTest, ACopyIsStoppedThereAndChangedThere) {
  const std::string run = far_->createRun(test::sampleRun());
  far_->setSupervisor(run, thisProcess());
  far_->setState(run, RunState::running, "");
  small_.open();
  MainWindow window(small_.workspace);
  ASSERT_NE(copyOf(run), nullptr);
  RunActions& actions = window.findChild<RunsDock*>()->runActions();
  actions.setChosen({run}, {});
  EXPECT_FALSE(actions.rename->isEnabled());
  EXPECT_FALSE(actions.remove->isEnabled());
  EXPECT_TRUE(actions.remove->toolTip().contains(QStringLiteral("lab")));
  EXPECT_TRUE(actions.stopAfterStep->isEnabled());
  EXPECT_FALSE(small_.workspace.launcher().isBusy()) << "this machine is idle";
  actions.stopAfterStep->trigger();
  EXPECT_TRUE(test::eventually([&] { return far_->stopRequest(run) == StopKind::afterStep; }));
  far_->setState(run, RunState::stopped, "");
}

TEST_F(RemoteWatchTest, AMachineIsAddedWithoutALeave) {
  EXPECT_TRUE(saveRemotes({}));
  small_.open();
  AddMachineDialog dialog(remotes(), nullptr);
  dialog.setAttribute(Qt::WA_DeleteOnClose, false);
  const auto fields = dialog.findChildren<QLineEdit*>();
  ASSERT_EQ(fields.size(), 3);
  fields[0]->setText(QStringLiteral("lab"));
  fields[1]->setText(QStringLiteral("-oProxyCommand=x"));
  QPushButton* add = nullptr;
  for (QPushButton* one : dialog.findChildren<QPushButton*>()) {
    if (one->property("primary").toBool()) add = one;
  }
  ASSERT_NE(add, nullptr);
  dialog.show();
  add->click();
  EXPECT_TRUE(dialog.isVisible()) << "what is wrong is said below the fields";
  fields[1]->setText(QStringLiteral("me@lab"));
  add->click();
  EXPECT_FALSE(dialog.isVisible());
  EXPECT_TRUE(test::eventually([&] { return remotes().find("lab") != nullptr; }));
}

}  // namespace
}  // namespace slipstream::ui
