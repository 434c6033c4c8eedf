// SPDX-License-Identifier: GPL-3.0-or-later
// A window that is killed in the middle of a run takes nothing with it.
#include <QCoreApplication>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "tests/ui/driven_window.h"
#include "tests/ui/wait_until.h"
#include "tests/ui/window_process.h"

namespace slipstream::test {
namespace {

using namespace slipstream::ui;

class KilledWindow : public testing::Test {
 protected:
  static constexpr int testTimeout = 300'000, steps = 4000;

  KilledWindow() {
    const std::filesystem::path file = folder_.path() / "long.json";
    EXPECT_TRUE(writeFile(file, experimentOfFourRanks(steps).dump()));
    window_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    window_.start(QCoreApplication::applicationFilePath(),
                  {QStringLiteral("--window"), QString::fromStdString(folder_.path().string()),
                   QString::fromStdString(file.string())});
  }
  ~KilledWindow() override {
    window_.kill();
    window_.waitForFinished();
  }

  /// The id that the window prints once its run has started.
  std::string launched() {
    EXPECT_TRUE(test::eventually([this] { return window_.canReadLine(); }));
    return window_.readLine().trimmed().toStdString();
  }
  std::int64_t stepsOf(const std::string& run) {
    return static_cast<std::int64_t>(store_->series(run, "loss").steps.size());
  }

  TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_ = openStore(folder_.path());
  QProcess window_;
};

TEST_F(KilledWindow, LosesNothing) {
  const std::string run = launched();
  ASSERT_FALSE(run.empty());
  ASSERT_TRUE(test::eventually([&] { return stepsOf(run) > 20; }));
  window_.kill();  // SIGKILL
  ASSERT_TRUE(window_.waitForFinished());
  EXPECT_EQ(window_.exitStatus(), QProcess::CrashExit);
  ASSERT_EQ(store_->find(run)->state, RunState::running);

  // The next window finds the run, and what was not saved.
  Workspace next;
  QSignalSpy reported(&next, &Workspace::reported);
  ASSERT_TRUE(next.store().open(folder_.path()));
  next.recoverDrafts();
  MainWindow window(next);
  window.show();
  EXPECT_EQ(next.rankTable().text(), unsavedTable());
  EXPECT_TRUE(next.rankTable().isRecovered());
  const auto greeted = [&] {
    return std::any_of(reported.begin(), reported.end(), [](const QList<QVariant>& words) {
      return words[0].toString().contains(QStringLiteral("still running"));
    });
  };
  EXPECT_TRUE(test::eventually(greeted));
  const auto ended = [&] {
    const RunRow* row = next.store().snapshot()->find(run);
    return row != nullptr && isTerminal(row->run.state);
  };
  ASSERT_TRUE(test::eventually(ended));
  EXPECT_EQ(next.store().snapshot()->find(run)->run.state, RunState::done);

  // Every step is there, once.
  const Series loss = store_->series(run, "loss");
  ASSERT_EQ(loss.steps.size(), static_cast<std::size_t>(steps));
  for (std::size_t i = 1; i < loss.steps.size(); ++i) ASSERT_EQ(loss.steps[i], loss.steps[i - 1] + 1);
  EXPECT_TRUE(store_->verify().empty());
  next.rankTable().discard();
}

}  // namespace
}  // namespace slipstream::test
