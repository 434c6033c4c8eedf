// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include "engine/base/number_format.h"
#include "tests/support/damaged_values.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/store/store_snapshot.h"

namespace slipstream::ui {
namespace {

using test::FinishedRun;
using test::SmallWorkspace;

class RunModelTest : public testing::Test {
 protected:
  void SetUp() override {
    small_.open();
    QObject::connect(&model_, &QAbstractItemModel::modelReset, &model_, [this] { ++resets_; });
  }

  void arrange(RunGrouping grouping = RunGrouping::experiment, const std::vector<QueuedLaunch>& queue = {},
               const std::vector<ComingRun>& coming = {}) {
    ASSERT_TRUE(small_.settled());
    const StoreSnapshotPointer snapshot = small_.workspace.store().snapshot();
    model_.take(arrangeRuns(*snapshot, coming, queue, grouping, [](const RunRow&) { return true; }), snapshot);
  }

  /// The tree as words: "small(mean · seed 1, adasum · seed 1)".
  QString words(const QModelIndex& parent = {}) const {
    QStringList rows;
    for (int row = 0; row < model_.rowCount(parent); ++row) {
      const QModelIndex index = model_.index(row, 0, parent);
      QString text = index.data().toString();
      if (model_.rowCount(index) > 0) text += QLatin1Char('(') + words(index) + QLatin1Char(')');
      rows << text;
    }
    return rows.join(QStringLiteral(", "));
  }

  SmallWorkspace small_;
  RunModel model_{small_.workspace.store(), nullptr};
  QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};
  int resets_ = 0;
};

TEST_F(RunModelTest, RunsThatALaunchHasNotBegunStandInTheQueue) {
  test::recordRun(*small_.store, FinishedRun{"averaged", 1});
  QueuedLaunch waiting;
  waiting.title = QStringLiteral("small");
  waiting.number = 4;
  arrange(RunGrouping::experiment, {waiting}, {{"launch", "small", {"adasum", 1}}, {"launch", "small", {"rival", 2}}});
  EXPECT_EQ(words(), QStringLiteral("small(averaged · seed 1, adasum · seed 1, rival · seed 2, small)"));
  const QModelIndex group = model_.index(0, 0);
  EXPECT_EQ(model_.valueOf(model_.index(1, 0, group)), QStringLiteral("queue 1"));
  EXPECT_EQ(model_.valueOf(model_.index(2, 0, group)), QStringLiteral("queue 2"));
  EXPECT_EQ(model_.valueOf(model_.index(3, 0, group)), QStringLiteral("queue 3"));
  EXPECT_EQ(model_.queueNumberOf(model_.index(1, 0, group)), 0) << "it cannot be taken out of the queue by itself";
}

TEST_F(RunModelTest, WhatARunWaitsForIsSaid) {
  const std::string id = test::recordRun(*small_.store, FinishedRun{"mean"});
  const auto valueIn = [&](RunState state, const char* why) {
    small_.store->setState(id, state, why);
    arrange();
    return model_.valueOf(model_.index(0, 0, model_.index(0, 0)));
  };
  EXPECT_EQ(valueIn(RunState::queued, "Resources"), QStringLiteral("queued: Resources"));
  EXPECT_EQ(valueIn(RunState::starting, "waiting for host b"), QStringLiteral("starting: waiting for host b"));
}

TEST_F(RunModelTest, RunsOfOneNameAreCounted) {
  for (const std::uint64_t seed : {1U, 2U, 1U, 1U}) test::recordRun(*small_.store, FinishedRun{"mean", seed});
  test::recordRun(*small_.store, FinishedRun{"adasum", 1});
  arrange();
  QStringList names = words().remove(QStringLiteral("small(")).remove(QLatin1Char(')')).split(QStringLiteral(", "));
  names.sort();
  EXPECT_EQ(names.join(QStringLiteral(", ")),
            QStringLiteral("adasum · seed 1, mean · seed 1, mean · seed 1 #2, mean · seed 1 #3, mean · seed 2"));
  const StoreSnapshotPointer snapshot = small_.workspace.store().snapshot();
  const RunNames all(*snapshot);
  for (const RunRow& row : snapshot->runs) EXPECT_EQ(runName(*snapshot, row), all.of(row));
}

TEST_F(RunModelTest, RunsOfOneNameOnUnlikeRanksAreToldApartByThem) {
  for (const int ranks : {2, 4, 4}) test::recordRun(*small_.store, FinishedRun{.variant = "mean", .ranks = ranks});
  arrange();
  const StoreSnapshotPointer snapshot = small_.workspace.store().snapshot();
  const RunNames all(*snapshot);
  QStringList names;
  for (const RunRow& row : snapshot->runs) {
    names << all.of(row);
    EXPECT_EQ(runName(*snapshot, row), all.of(row));
  }
  const auto ranks = [](int count) { return QCoreApplication::translate("RunTree", "%n rank(s)", nullptr, count); };
  EXPECT_EQ(names.join(QStringLiteral(", ")),
            QStringLiteral("mean · seed 1 · %1, mean · seed 1 · %2, mean · seed 1 · %2 #2").arg(ranks(2), ranks(4)));
}

TEST_F(RunModelTest, GroupsRunsAndTakesUpWhatChanges) {
  const std::string mean = test::recordRun(*small_.store, FinishedRun{"mean"});
  arrange();
  EXPECT_EQ(words(), QStringLiteral("small(mean · seed 1)"));
  test::recordRun(*small_.store, FinishedRun{"adasum", 2});
  arrange();
  EXPECT_EQ(words(), QStringLiteral("small(adasum · seed 2, mean · seed 1)")) << "the newest launch first";
  const QPersistentModelIndex kept = model_.indexOfRun(mean);
  small_.store->setLabel(mean, {"the old way", "", {}, false, false});
  arrange();
  EXPECT_EQ(words(), QStringLiteral("small(adasum · seed 2, the old way)"));
  EXPECT_TRUE(kept.isValid());
  EXPECT_EQ(kept.data().toString(), QStringLiteral("the old way"));
  small_.store->setLabel(mean, {"", "", {}, false, true});
  arrange();
  EXPECT_EQ(words(), QStringLiteral("small(adasum · seed 2), Archived(mean · seed 1)"));
  small_.store->removeRun(mean);
  arrange();
  EXPECT_EQ(words(), QStringLiteral("small(adasum · seed 2)"));
  EXPECT_FALSE(model_.indexOfRun(mean).isValid());
  EXPECT_EQ(resets_, 0);
}

TEST_F(RunModelTest, SeedsOfAVariantGoTogether) {
  test::recordRun(*small_.store, FinishedRun{"mean", 1});
  test::recordRun(*small_.store, FinishedRun{"mean", 2});
  test::recordRun(*small_.store, FinishedRun{"adasum", 1});
  arrange(RunGrouping::seeds);
  EXPECT_EQ(words(), QStringLiteral("small(adasum · seed 1, mean(seed 2, seed 1))"));
  const QModelIndex seed = model_.index(0, 0, model_.index(1, 0, model_.index(0, 0)));
  EXPECT_TRUE(seed.data(Qt::ToolTipRole).toString().contains(QStringLiteral("mean · seed 2")));
  RunLabel named;
  named.title = "mean · tuned";
  small_.store->setLabel(model_.runOf(seed)->run.id, named);
  arrange(RunGrouping::seeds);
  EXPECT_EQ(seed.data().toString(), QStringLiteral("mean · tuned")) << "as somebody named it";
  small_.store->setLabel(model_.runOf(seed)->run.id, {});
  EXPECT_EQ(model_.runsUnder(model_.index(0, 0)).size(), 3U);
  EXPECT_EQ(model_.valueOf(model_.index(0, 0)), QStringLiteral("3 run(s)"));
  arrange(RunGrouping::experiment);
  EXPECT_EQ(words(), QStringLiteral("small(adasum · seed 1, mean · seed 2, mean · seed 1)"));
}

TEST_F(RunModelTest, AVariantHasTheMeanOfItsSeedsAndTheirGravestState) {
  std::vector<std::string> seeds;
  for (const std::uint64_t seed : {1U, 2U, 3U})
    seeds.push_back(test::recordRun(*small_.store, FinishedRun{"mean", seed}));
  arrange(RunGrouping::seeds);
  const QModelIndex variant = model_.index(0, 0, model_.index(0, 0));
  ASSERT_EQ(model_.kindOf(variant), RunTreeEntry::Kind::variant);
  EXPECT_EQ(model_.stateOf(variant), RunState::done);
  ASSERT_TRUE(test::eventually([&] { return !model_.valueOf(variant).isEmpty(); }));
  double sum = 0;
  for (const std::string& seed : seeds) {
    const RunSummary* summary = model_.summaryOf(model_.indexOfRun(seed));
    ASSERT_NE(summary, nullptr);
    sum += summary->loss.value();
  }
  EXPECT_EQ(model_.valueOf(variant).toStdString(), threeDigits(sum / 3));
  small_.store->setState(seeds.back(), RunState::failed, "a rank died");
  arrange(RunGrouping::seeds);
  EXPECT_EQ(model_.stateOf(variant), RunState::failed);
}

TEST_F(RunModelTest, AVariantHasTheMarksOfItsRunsAndNoValueWithoutALoss) {
  NewRun asked = test::sampleRun();
  asked.variant = "bare";
  asked.group = "launch";
  for (const std::uint64_t seed : {1U, 2U}) {
    asked.seed = seed;
    small_.store->setState(small_.store->createRun(asked), RunState::done, "");
  }
  arrange(RunGrouping::seeds);
  const QModelIndex variant = model_.index(0, 0, model_.index(0, 0));
  ASSERT_EQ(model_.kindOf(variant), RunTreeEntry::Kind::variant);
  ASSERT_TRUE(test::eventually([&] { return model_.valueOf(variant) == QStringLiteral("–"); }));
  const QString tip = variant.data(Qt::ToolTipRole).toString();
  EXPECT_TRUE(tip.contains(QLatin1Char('2')) && !tip.contains(QStringLiteral("mean"))) << tip.toStdString();
  EXPECT_FALSE(model_.marksOf(variant).pinned);
  RunLabel pinned;
  pinned.pinned = true;
  small_.store->setLabel(model_.runsUnder(variant).front(), pinned);
  arrange(RunGrouping::seeds);
  EXPECT_TRUE(model_.marksOf(variant).pinned);
}

TEST_F(RunModelTest, WhatWaitsStandsWithItsExperiment) {
  test::recordRun(*small_.store, FinishedRun{"mean"});
  const QueuedLaunch small{{QStringLiteral("small"), "{}", "/a.json", "/s"}, 7, "a"};
  const QueuedLaunch other{{QStringLiteral("other"), "{}", "/b.json", "/s"}, 8, "b"};
  arrange(RunGrouping::experiment, {small, other});
  EXPECT_EQ(words(), QStringLiteral("other(other), small(mean · seed 1, small)"));
  const QModelIndex waiting = model_.index(1, 0, model_.index(1, 0));
  EXPECT_EQ(model_.queueNumberOf(waiting), 7);
  EXPECT_EQ(model_.valueOf(waiting), QStringLiteral("queue 1"));
  arrange();
  EXPECT_EQ(words(), QStringLiteral("small(mean · seed 1)"));
}

TEST_F(RunModelTest, TheValueSaysWhatTheStateLeavesOpen) {
  const std::string done = test::recordRun(*small_.store, FinishedRun{"done", 1, 0.95, 200});
  const std::string stopped = test::recordRun(*small_.store, FinishedRun{"stopped", 1, 0.95, 1200});
  small_.store->setState(stopped, RunState::stopped, "asked");
  const std::string broken = small_.store->createRun(test::sampleRun("broken"));
  small_.store->appendMetrics(broken, small_.store->startAttempt(broken, 0), 0, 1,
                              test::block(0, 50, {"loss"}, [](std::int64_t step, std::size_t) {
                                return step < 41 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
                              }));
  small_.store->setState(broken, RunState::failed, "the loss is nan");
  arrange();
  const auto value = [&](const std::string& run) { return model_.valueOf(model_.indexOfRun(run)); };
  value(done);  // asks
  EXPECT_TRUE(test::eventually([&] { return value(done).startsWith(QStringLiteral("0.")); }));
  EXPECT_TRUE(test::eventually([&] { return value(stopped) == QStringLiteral("at 1,200"); }));
  EXPECT_TRUE(test::eventually([&] { return value(broken) == QStringLiteral("NaN at 41"); }));
}

TEST_F(RunModelTest, TenThousandRunsAreListed) {
  NewRun asked = test::sampleRun();
  small_.store->begin();
  for (int i = 0; i < 10'000; ++i) {
    asked.experimentName = "experiment " + std::to_string(i % 50);
    asked.variant = "variant " + std::to_string(i % 7);
    asked.seed = static_cast<std::uint64_t>(i);
    small_.store->createRun(asked);
  }
  small_.store->commit();
  QElapsedTimer clock;
  clock.start();
  ASSERT_TRUE(test::eventually([&] { return small_.workspace.store().snapshot()->runs.size() == 10'000; }));
  const qint64 seen = clock.restart();
  const StoreSnapshotPointer snapshot = small_.workspace.store().snapshot();
  RunModel plain(small_.workspace.store(), nullptr);  // without the tester, which asks for every row
  plain.take(arrangeRuns(*snapshot, {}, {}, RunGrouping::experiment, [](const RunRow&) { return true; }), snapshot);
  const qint64 listed = clock.restart();
  plain.take(arrangeRuns(*snapshot, {}, {}, RunGrouping::experiment, [](const RunRow&) { return true; }), snapshot);
  RecordProperty("read_ms", std::to_string(seen));
  RecordProperty("list_ms", std::to_string(listed));
  std::printf("10,000 runs: seen after %lld ms, listed in %lld ms, again in %lld ms\n", static_cast<long long>(seen),
              static_cast<long long>(listed), static_cast<long long>(clock.elapsed()));
  EXPECT_EQ(plain.rowCount(), 50);
  EXPECT_EQ(plain.runCount(), 10'000);
}

TEST_F(RunModelTest, DamagedValuesBelongToTheirRunAlone) {
  const std::string sound = test::recordRun(*small_.store, FinishedRun{"sound"});
  const std::string broken = test::recordRun(*small_.store, FinishedRun{"broken"});
  test::damageValues(*small_.store, broken, "loss");
  QSignalSpy troubled(&small_.workspace.store(), &StoreWatcher::troubled);
  arrange();
  const auto value = [&](const std::string& run) { return model_.valueOf(model_.indexOfRun(run)); };
  value(broken);  // asks
  value(sound);
  EXPECT_TRUE(test::eventually([&] { return value(broken) == QStringLiteral("values damaged"); }));
  EXPECT_TRUE(test::eventually([&] { return value(sound).startsWith(QStringLiteral("0.")); }));
  EXPECT_TRUE(model_.data(model_.indexOfRun(broken), Qt::ToolTipRole).toString().contains(QStringLiteral("loss")));
  EXPECT_EQ(troubled.count(), 0) << "the store itself can be read";
}

}  // namespace
}  // namespace slipstream::ui
