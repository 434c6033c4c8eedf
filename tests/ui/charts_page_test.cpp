// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/charts_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/wait_until.h"
#include "ui/charts/chart_export.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

/// A page over a store of its own.
class ChartsPageTest : public ::testing::Test {
 protected:
  ChartsPageTest() {
    const auto store = test::openStore(folder_.path());
    for (const bool adasum : {false, true}) {
      runs_.push_back(test::recordRun(*store, {.variant = adasum ? "adasum" : "mean", .adasum = adasum}));
    }
  }
  void open() {
    ASSERT_TRUE(workspace_.store().open(folder_.path()));
    ASSERT_TRUE(test::eventually([this] { return workspace_.store().snapshot()->runs.size() >= runs_.size(); }));
    workspace_.selection().setShown(runs_, runs_.front());
    page_ = std::make_unique<ChartsPage>(workspace_, nullptr);
    page_->resize(984, 640);
    page_->show();
    ASSERT_TRUE(test::eventually([this] { return !page_->charts().empty() && curves() > 0; }));
    waitForAnswers();
  }
  /// Until the answers to what was asked have come.
  void waitForAnswers() {
    for (int round = 0; round < 3; ++round) {
      bool answered = false;
      workspace_.store().reader().read(
          page_.get(), [](RunStore&) { return 0; }, [&](int) { answered = true; });
      ASSERT_TRUE(test::eventually([&] { return answered; }));
    }
  }
  MetricChart& loss() { return *page_->charts().front(); }
  std::size_t curves() { return loss().model().curves.size(); }
  void press(QAction* action) {
    action->trigger();
    waitForAnswers();
  }
  QAction* action(const char* key) {
    for (QAction* one : page_->actions()) {
      if (one->shortcut() == QKeySequence(QString::fromLatin1(key))) return one;
    }
    return nullptr;
  }

  test::TemporaryFolder folder_;
  std::vector<std::string> runs_;
  Workspace workspace_;
  std::unique_ptr<ChartsPage> page_;
};

TEST_F(ChartsPageTest, SmoothingIsOffWhereEverySampleIsDrawn) {
  const auto slider = [this] { return page_->findChild<QSlider*>(); };
  open();
  EXPECT_TRUE(slider()->isEnabled());
  page_.reset();
  runs_.clear();
  {
    const auto store = test::openStore(folder_.path());
    runs_.push_back(test::recordRun(*store, {.variant = "short", .steps = 40}));
  }
  workspace_.store().poll();
  ASSERT_TRUE(test::eventually([this] { return workspace_.store().snapshot()->find(runs_.front()) != nullptr; }));
  open();
  ASSERT_TRUE(test::eventually([&] { return !slider()->isEnabled(); }));
  EXPECT_FALSE(slider()->toolTip().isEmpty()) << "what is off says why";
}

/// Until somebody has chosen otherwise.
TEST_F(ChartsPageTest, ManySeedsBeginAsBands) {
  open();
  EXPECT_EQ(curves(), 2U);
  EXPECT_FALSE(page_->options().bands) << "two runs are two curves";
  {
    const auto store = test::openStore(folder_.path());
    for (const std::uint64_t seed : std::vector<std::uint64_t>{2, 3, 4}) {
      for (const bool adasum : {false, true})
        runs_.push_back(
            test::recordRun(*store, {.variant = adasum ? "adasum" : "mean", .seed = seed, .adasum = adasum}));
    }
  }
  workspace_.store().poll();
  ASSERT_TRUE(test::eventually([this] { return workspace_.store().snapshot()->find(runs_.back()) != nullptr; }));
  workspace_.selection().setShown(runs_, runs_.front());
  EXPECT_TRUE(page_->options().bands);
  ASSERT_TRUE(test::eventually([this] { return curves() == 2 && !loss().model().curves.front().lowest.empty(); }));
  EXPECT_THAT(loss().model().curves.front().label, testing::HasSubstr("4 seed"));

  ChartOptions every = page_->options();
  every.bands = false;
  page_->setOptions(every);
  ASSERT_TRUE(test::eventually([this] { return curves() == 8; }));
  workspace_.selection().setShown({runs_.begin() + 1, runs_.end()}, runs_.back());
  ASSERT_TRUE(test::eventually([this] { return curves() == 7; })) << "what was chosen stays";
  EXPECT_FALSE(page_->options().bands);
}

TEST_F(ChartsPageTest, OfManyRunsTheTitleSaysWhatTheyHaveInCommon) {
  runs_.clear();
  {
    const auto store = test::openStore(folder_.path());
    for (std::uint64_t seed = 1; seed <= 9; ++seed)
      runs_.push_back(test::recordRun(*store, {.variant = "mean", .seed = seed}));
    runs_.push_back(test::recordRun(*store, {.variant = "wide", .ranks = 4}));
  }
  open();
  const auto says = [this](const QString& words) {
    const auto labels = page_->findChildren<ElidedLabel*>();
    return std::ranges::any_of(labels, [&](const ElidedLabel* label) { return label->whole().contains(words); });
  };
  EXPECT_TRUE(test::eventually([&] { return says(QStringLiteral("10 of 12 run(s) · lenet5 · digits")); }));
  EXPECT_FALSE(says(QStringLiteral("rank(s) × "))) << "one has another count of ranks";
  runs_.pop_back();
  workspace_.selection().setShown(runs_, runs_.front());
  EXPECT_TRUE(test::eventually([&] { return says(QStringLiteral("2 rank(s) × ")); }));
}

TEST_F(ChartsPageTest, ShowsTheLossOverWhatTellsMostBesideIt) {
  open();
  std::vector<std::string> metrics;
  for (const MetricChart* chart : page_->charts()) metrics.push_back(chart->metric());
  EXPECT_EQ(metrics, (std::vector<std::string>{"loss", "accuracy", "orthogonality/*", "step_seconds"}));
  EXPECT_EQ(page_->charts()[1]->model().withoutCurve.size(), 0U);
  EXPECT_EQ(page_->charts()[2]->model().withoutCurve.size(), 1U) << "averaging combines no tensors";
  ASSERT_EQ(curves(), 2U);
  EXPECT_EQ(loss().model().curves[0].colourSlot, 0);
  EXPECT_EQ(loss().model().curves[1].colourSlot, 1);
  EXPECT_EQ(loss().model().curves[1].label, "adasum");
  EXPECT_EQ(loss().model().first, 0);
  EXPECT_EQ(loss().model().last, 200);
}

TEST_F(ChartsPageTest, ZoomingOneChartZoomsAll) {
  open();
  Q_EMIT loss().rangeWanted(50, 60);
  waitForAnswers();
  for (const MetricChart* chart : page_->charts()) {
    EXPECT_EQ(chart->model().first, 50) << chart->metric();
    EXPECT_EQ(chart->model().last, 60) << chart->metric();
  }
  EXPECT_LE(loss().model().curves[0].line.front().x.size(), 13U);
  press(action("R"));
  EXPECT_EQ(loss().model().last, 200);
}

TEST_F(ChartsPageTest, ZoomingOutOfTheRunShowsAllOfIt) {
  open();
  Q_EMIT loss().rangeWanted(-100, 1000);
  EXPECT_FALSE(page_->options().zoom);
}

TEST_F(ChartsPageTest, TheCursorIsOneForAll) {
  open();
  Q_EMIT loss().cursorMoved(50.2);
  waitForAnswers();
  EXPECT_EQ(loss().model().cursor, 50) << "the line stands on the sample that is read";
  // Others have it there, too, also where their nearest sample is elsewhere.
  for (const MetricChart* chart : page_->charts()) {
    if (chart->model().readings.empty()) continue;
    EXPECT_EQ(chart->model().cursor, 50) << chart->metric();
  }
  QTest::keyClick(&loss(), Qt::Key_Right);
  waitForAnswers();
  EXPECT_EQ(loss().model().cursor, 51);
  ASSERT_EQ(loss().model().readings.size(), 2U);
  EXPECT_EQ(loss().model().readings[0]->x, 51);
  press(action("P"));
  Q_EMIT loss().cursorMoved(std::nullopt);
  EXPECT_EQ(loss().model().cursor, 51);
  press(action("X"));
  EXPECT_FALSE(loss().model().cursor) << "a step is no place on another axis";
  Q_EMIT loss().cursorMoved(loss().model().last / 2);
  waitForAnswers();
  EXPECT_TRUE(loss().model().cursor) << "it is pinned no more";
}

TEST_F(ChartsPageTest, KeysChangeHowCurvesAreShown) {
  open();
  for (const ChartX x : {ChartX::epoch, ChartX::samples, ChartX::wallTime, ChartX::relativeTime, ChartX::step}) {
    press(action("X"));
    EXPECT_EQ(loss().model().x, x);
    const Line& line = loss().model().curves[0].line.front();
    EXPECT_LE(loss().model().first, line.x.front());
    EXPECT_GE(loss().model().last, line.x.back());
  }
  EXPECT_TRUE(loss().model().logarithmic);
  press(action("L"));
  EXPECT_FALSE(loss().model().logarithmic);
  press(action("S"));
  EXPECT_FALSE(loss().model().smoothed);
  EXPECT_TRUE(loss().model().curves[0].raw.empty());
  press(action("S"));
  EXPECT_FALSE(loss().model().curves[0].raw.empty());
}

TEST_F(ChartsPageTest, AMetricThatIsAskedForComesIntoSight) {
  open();
  const auto has = [&](const std::string& metric) {
    return std::ranges::find(page_->charts(), metric, &MetricChart::metric) != page_->charts().end();
  };
  ASSERT_FALSE(has("record_seconds"));
  workspace_.showMetric(QStringLiteral("record_seconds"));
  EXPECT_TRUE(test::eventually([&] { return has("record_seconds"); }));
  EXPECT_TRUE(Settings::addedCharts().contains(QStringLiteral("record_seconds")));
  const std::size_t charts = page_->charts().size();
  workspace_.showMetric(QStringLiteral("loss"));  // there already
  waitForAnswers();
  EXPECT_EQ(page_->charts().size(), charts);
  QSignalSpy reported(&workspace_, &Workspace::reported);
  workspace_.showMetric(QStringLiteral("of_no_run"));
  EXPECT_TRUE(test::eventually([&] { return reported.count() > 0; }));
  EXPECT_FALSE(has("of_no_run"));
  Settings::setAddedCharts({});
}

TEST_F(ChartsPageTest, FewSamplesAreNotCalledSmoothed) {
  const auto store = test::openStore(folder_.path());
  runs_ = {test::recordRun(*store, {.variant = "brief", .steps = 60})};
  open();
  EXPECT_GT(page_->options().smoothing, 0);
  EXPECT_FALSE(loss().model().smoothed);
  EXPECT_FALSE(text(loss().model().treatment).contains(QStringLiteral("smoothed")));
  runs_ = {test::recordRun(*store, {.variant = "long", .steps = 64})};
  open();
  EXPECT_TRUE(loss().model().smoothed);
  EXPECT_TRUE(text(loss().model().treatment).contains(QStringLiteral("smoothed 0.85")));
}

TEST_F(ChartsPageTest, CopiesTheVisibleSamples) {
  open();
  Q_EMIT loss().rangeWanted(50, 54);
  waitForAnswers();
  press(action("C"));
  const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  ASSERT_EQ(lines.size(), 6);
  EXPECT_EQ(lines[0], QStringLiteral("\"step\",\"mean\",\"adasum\""));
  EXPECT_TRUE(lines[1].startsWith(QStringLiteral("50,")));
}

TEST_F(ChartsPageTest, PointsArriveWhileTheRunIsAlive) {
  std::string living;
  const auto store = test::openStore(folder_.path());
  NewRun alone = test::sampleRun("living");
  alone.ranks = 1;
  living = store->createRun(alone);
  const int attempt = store->startAttempt(living, 0);
  store->setState(living, RunState::running, "");
  store->appendMetrics(living, attempt, 0, 1, test::block(0, 100, {"loss"}, [](auto, auto) { return 1.0; }));
  runs_ = {living};
  open();
  EXPECT_TRUE(loss().model().curves[0].largeEnd);
  EXPECT_EQ(loss().model().curves[0].line.front().x.back(), 99);
  store->appendMetrics(living, attempt, 0, 2, test::block(100, 20, {"loss"}, [](auto, auto) { return 1.0; }));
  EXPECT_TRUE(test::eventually([&] { return loss().model().curves[0].line.front().x.back() == 119; }));
}

TEST_F(ChartsPageTest, ChartsAreSavedAsPictures) {
  open();
  test::TemporaryFolder pictures;
  const QString base = QString::fromStdString(pictures.path().string());
  ASSERT_TRUE(saveChart(loss(), base + QStringLiteral("/loss.svg")));
  const std::string svg = *readFile(pictures.path() / "loss.svg");
  EXPECT_NE(svg.find("Training loss"), std::string::npos);
  EXPECT_LT(svg.size(), 100'000U);
  ASSERT_TRUE(saveChart(loss(), base + QStringLiteral("/loss.png")));
  const QImage image(base + QStringLiteral("/loss.png"));
  int inked = 0;
  const QColor colour = runPen(0).colour;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) inked += image.pixelColor(x, y) == colour ? 1 : 0;
  }
  EXPECT_GT(inked, 500);
  ASSERT_TRUE(saveChart(loss(), base + QStringLiteral("/loss.pdf")));
  EXPECT_TRUE(readFile(pictures.path() / "loss.pdf")->starts_with("%PDF"));
  EXPECT_FALSE(saveChart(loss(), base + QStringLiteral("/loss.bmp")));
}

}  // namespace
}  // namespace slipstream::ui
