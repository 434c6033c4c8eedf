// SPDX-License-Identifier: GPL-3.0-or-later
// The page of charts with many runs, as people work with it: legend, arrangement, enlarged charts, values for those who
// hear them.
#include <QAccessible>
#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ui/drawn_texts.h"
#include "tests/ui/small_workspace.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_handles.h"
#include "ui/charts/charts_page.h"
#include "ui/charts/legend_panel.h"
#include "ui/charts/legend_view.h"
#include "ui/charts/metric_picker.h"
#include "ui/theme/theme.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

class ManyCharts : public ::testing::Test {
 protected:
  ~ManyCharts() override { Settings::setChartLayout(QStringLiteral("small"), {}); }

  void open(int runs) {
    Settings::setChartLayout(QStringLiteral("small"), {});
    for (int i = 0; i < runs; ++i) {
      runs_.push_back(test::recordRun(*small_.store, {.variant = "rate " + std::to_string(i),
                                                      .accuracy = 0.99 - 0.3 * ((7 * i) % runs) / runs,
                                                      .steps = 120,
                                                      .ranks = 1}));
    }
    small_.open();
    small_.workspace.selection().setShown(runs_, runs_.front());
    makePage();
  }
  void makePage() {
    page_ = std::make_unique<ChartsPage>(small_.workspace, nullptr);
    page_->resize(984, 640);
    page_->show();
    page_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
    ASSERT_TRUE(test::eventually([this] {
      return !page_->charts().empty() && loss().model().curves.size() + page_->hidden().size() == runs_.size();
    }));
    settle();
  }
  void settle() { ASSERT_TRUE(test::answered(small_.workspace)); }
  MetricChart& loss() { return **std::ranges::find(page_->charts(), std::string("loss"), &MetricChart::metric); }
  LegendModel& legend() { return page_->legend().model(); }
  QPoint placeOf(int row, int column, int x) {
    const QRect cell = page_->legend().view().visualRect(legend().index(row, column));
    return {cell.left() + x, cell.center().y()};
  }
  void click(int row, bool eye) {
    QTest::mouseClick(page_->legend().view().viewport(), Qt::LeftButton, {},
                      placeOf(row, LegendModel::runColumn, eye ? 8 : 90));
    settle();
  }
  std::vector<std::string> order() {
    std::vector<std::string> metrics;
    for (const MetricChart* chart : page_->charts()) metrics.push_back(chart->metric());
    return metrics;
  }

  test::SmallWorkspace small_;
  std::vector<std::string> runs_;
  std::unique_ptr<ChartsPage> page_;
};

TEST_F(ManyCharts, TheLegendStandsBesideManyCurvesInTheOrderOfTheirValues) {
  open(40);
  ASSERT_TRUE(page_->legend().isVisible());
  EXPECT_GE(page_->legend().x(), loss().geometry().right()) << "no curve is hidden by it";
  ASSERT_EQ(legend().rowCount(), 40);
  Q_EMIT loss().cursorMoved(60.2);
  settle();
  EXPECT_TRUE(legend()
                  .headerData(LegendModel::valueColumn, Qt::Horizontal, Qt::DisplayRole)
                  .toString()
                  .startsWith(xText(ChartX::step, 60)));
  for (int row = 1; row < 40; ++row) EXPECT_LE(*legend().row(row - 1).value, *legend().row(row).value);
  legend().sort(LegendModel::valueColumn, Qt::DescendingOrder);
  EXPECT_GE(*legend().row(0).value, *legend().row(39).value);
  const auto& readings = loss().model().readings;
  const LegendRow& first = legend().rows().front();
  EXPECT_EQ(first.value, readings.front()->smoothed) << "the value of the same curve in the chart";
}

TEST_F(ManyCharts, AClickHidesACurveShowsItAloneAndShowsAllAgain) {
  open(9);
  const std::string first = legend().row(0).runs.front();
  click(0, true);
  EXPECT_EQ(loss().model().curves.size(), 8U);
  EXPECT_TRUE(page_->hidden().contains(first));
  const int row = legend().rowOf(first);
  EXPECT_EQ(row, 8) << "hidden ones come last";
  EXPECT_EQ(legend().index(row, LegendModel::valueColumn).data().toString(), LegendModel::tr("hidden"));
  EXPECT_TRUE(legend().row(row).last) << "and still say how they ended";
  click(row, true);
  EXPECT_EQ(loss().model().curves.size(), 9U);
  const std::string alone = legend().row(3).runs.front();
  click(3, false);
  ASSERT_EQ(loss().model().curves.size(), 1U);
  EXPECT_EQ(page_->hidden().size(), 8U);
  for (const MetricChart* chart : page_->charts()) EXPECT_LE(chart->model().curves.size(), 1U) << chart->metric();
  click(legend().rowOf(alone), false);
  EXPECT_EQ(loss().model().curves.size(), 9U) << "the same click again shows all";
}

TEST_F(ManyCharts, TheLegendIsWorkedByKeys) {
  open(9);
  LegendView& view = page_->legend().view();
  view.setFocus(Qt::TabFocusReason);
  QTest::keyClick(&view, Qt::Key_Down);
  QTest::keyClick(&view, Qt::Key_Space);
  settle();
  EXPECT_EQ(page_->hidden().size(), 1U);
  QTest::keyClick(&view, Qt::Key_Home);
  QTest::keyClick(&view, Qt::Key_Return);
  settle();
  EXPECT_EQ(loss().model().curves.size(), 1U);
}

TEST_F(ManyCharts, TheRowUnderTheMouseIsPointedOut) {
  open(9);
  const QImage before = loss().grab().toImage();
  Q_EMIT page_->legend().view().pointedAt(2);
  const QImage pointed = loss().grab().toImage();
  EXPECT_NE(before, pointed);
  Q_EMIT page_->legend().view().pointedAt(-1);
  EXPECT_EQ(loss().grab().toImage(), before);
}

TEST_F(ManyCharts, ACurveStaysPointedOutWhileOthersComeAndGo) {
  open(9);
  LegendView& view = page_->legend().view();
  view.setFocus(Qt::TabFocusReason);
  view.setCurrentIndex(legend().index(5, 0));
  const std::string pointed = legend().row(5).runs.front();
  const std::string gone = legend().row(1).runs.front();
  std::erase(runs_, gone);
  small_.workspace.selection().setShown(runs_, runs_.front());
  settle();
  ASSERT_EQ(legend().rowCount(), 8);
  EXPECT_EQ(view.currentIndex().row(), legend().rowOf(pointed));
  legend().sort(LegendModel::valueColumn, Qt::DescendingOrder);
  EXPECT_EQ(view.currentIndex().row(), legend().rowOf(pointed));
  const QImage image = loss().grab().toImage();
  loss().pointOutRuns({pointed});
  EXPECT_EQ(loss().grab().toImage(), image) << "the chart points it out, whichever of its curves it is now";
}

TEST_F(ManyCharts, WithoutACursorTheLegendSaysHowCurvesEnded) {
  open(9);
  const std::vector<LegendRow> whole = loss().legendRows();
  Q_EMIT loss().rangeWanted(10, 20);
  settle();
  const std::vector<LegendRow> zoomed = loss().legendRows();
  ASSERT_EQ(zoomed.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(zoomed[i].value, whole[i].value);
}

TEST_F(ManyCharts, WithoutACursorEachValueIsThereOnce) {
  open(9);
  const LegendView& view = page_->legend().view();
  EXPECT_TRUE(view.isColumnHidden(LegendModel::lastColumn));
  EXPECT_EQ(legend().headerData(LegendModel::valueColumn, Qt::Horizontal, Qt::DisplayRole).toString(),
            QStringLiteral("last ↑"));
  Q_EMIT loss().cursorMoved(60);
  settle();
  EXPECT_FALSE(view.isColumnHidden(LegendModel::lastColumn));
}

TEST(Legend, LivingRunsComeFirstAndHiddenOnesLast) {
  LegendModel model;
  model.setLivingFirst(true);
  model.sort(LegendModel::valueColumn, Qt::AscendingOrder);
  const auto row = [](const char* run, double value, bool hidden, bool living) {
    return LegendRow{.runs = {run}, .hidden = hidden, .living = living, .value = value};
  };
  model.setRows({row("best", 0.1, false, false), row("living", 0.9, false, true), row("hidden", 0.05, true, false),
                 row("second", 0.2, false, false)});
  std::vector<std::string> order;
  for (int i = 0; i < model.rowCount(); ++i) order.push_back(model.row(i).runs.front());
  EXPECT_EQ(order, (std::vector<std::string>{"living", "best", "second", "hidden"}));
}

TEST_F(ManyCharts, FewCurvesHaveTheirLegendInTheChart) {
  open(3);
  EXPECT_EQ(page_->legend().parentWidget(), &loss());
  EXPECT_TRUE(page_->legend().isVisible());
  EXPECT_TRUE(loss().plot().toRect().adjusted(-2, -2, 2, 2).contains(page_->legend().geometry()));
  click(1, true);
  EXPECT_EQ(loss().model().curves.size(), 2U);
}

/// The first step is at minus infinity there.
TEST_F(ManyCharts, ALegendIsInTheChartAlsoWhereItsXAxisIsLogarithmic) {
  open(3);
  const auto actions = page_->actions();
  const auto logarithmic = std::ranges::find(actions, QKeySequence(Qt::SHIFT | Qt::Key_L),
                                             [](const QAction* action) { return action->shortcut(); });
  ASSERT_NE(logarithmic, actions.end());
  (*logarithmic)->trigger();
  settle();
  EXPECT_TRUE(test::eventually([this] { return loss().model().logarithmicX; }));
  EXPECT_TRUE(page_->legend().isVisible());
  EXPECT_EQ(page_->legend().parentWidget(), &loss());
}

TEST_F(ManyCharts, ALegendShrinksWhereEveryCornerIsTakenByRawLines) {
  open(3);
  const ShownChart calm = loss().model();
  const ChartLayout frame = layoutOf(calm, loss().size());
  ShownChart noisy = calm;
  Line raw;  // all over the plot, but for a corner that is too small for the whole legend
  for (int step = 0; step <= 1000; ++step) {
    const double x = calm.first + (calm.last - calm.first) * step / 1000;
    for (const double share : {0.02, 0.2, 0.4, 0.6, 0.8, 0.98}) {
      if (step < 230 && share < 0.5) continue;
      raw.x.push_back(x);
      raw.y.push_back(frame.y.valueAt(share));
    }
  }
  noisy.curves.front().raw = {raw};
  loss().setModel(noisy);
  Q_EMIT page_->legend().foldWanted();  // has it placed again
  EXPECT_EQ(page_->legend().form(), LegendForm::small);
  EXPECT_TRUE(page_->legend().view().isColumnHidden(LegendModel::rawColumn));
  const QRectF place = page_->legend().geometry();
  EXPECT_EQ(allPointsWithin(noisy, frame, {place.left(), place.top(), place.right(), place.bottom()}), 0);
  loss().setModel(calm);
  Q_EMIT page_->legend().foldWanted();
  EXPECT_EQ(page_->legend().form(), LegendForm::inside) << "and is whole again where there is room";
}

TEST_F(ManyCharts, ValuesOfSmallChartsAreInTheOrderOfTheLegendAndSayWhereTheyAre) {
  open(3);
  Q_EMIT loss().cursorMoved(61);
  settle();
  MetricChart* accuracy = page_->charts()[1];
  const ShownChart& model = accuracy->model();
  ASSERT_EQ(model.readingOrder.size(), 3U);
  for (int row = 0; row < 3; ++row) {
    EXPECT_EQ(text(model.curves[model.readingOrder[static_cast<std::size_t>(row)]].label), legend().row(row).label);
  }
  ASSERT_TRUE(model.readings.front());
  const double there = model.readings.front()->x;
  ASSERT_NE(there, 61) << "the accuracy is measured rarely";
  const QString words = chartText("at %1").arg(xText(ChartX::step, there));
  EXPECT_TRUE(std::ranges::any_of(test::drawnTexts(*page_), [&](const test::DrawnText& drawn) {
    return drawn.text.contains(words);
  })) << words.toStdString();
}

TEST_F(ManyCharts, EveryChartHasTheValuesAtTheCursor) {
  open(9);
  Q_EMIT loss().cursorMoved(60);
  settle();
  for (const MetricChart* chart : page_->charts()) {
    if (chart->metric() == "loss") continue;
    EXPECT_EQ(chart->model().readingRow == ReadingRow::values, !chart->model().curves.empty()) << chart->metric();
    const bool read = std::ranges::any_of(chart->model().readings, [](const auto& one) { return one.has_value(); });
    EXPECT_EQ(read, !chart->model().curves.empty()) << chart->metric();
  }
}

TEST_F(ManyCharts, AnImageSaysHowManyCurvesItDoesNotName) {
  open(40);
  const std::string svg = svgTextOf(loss().model(), loss().size());
  std::size_t named = 0;
  for (int i = 0; i < 40; ++i) named += svg.find(">rate " + std::to_string(i) + "<") != std::string::npos ? 1U : 0U;
  EXPECT_GT(named, 0U);
  EXPECT_NE(svg.find(std::to_string(40 - named) + " more"), std::string::npos) << named;
}

TEST_F(ManyCharts, AChartIsEnlargedAndComesBack) {
  open(2);
  MetricChart* accuracy = page_->charts()[1];
  const QRect small = accuracy->geometry();
  accuracy->setFocus();
  QTest::keyClick(accuracy, Qt::Key_Return);
  settle();
  EXPECT_GT(accuracy->height(), 2 * small.height());
  EXPECT_FALSE(loss().isVisible());
  EXPECT_EQ(page_->legend().parentWidget(), accuracy) << "the legend is about the chart that is seen";
  QTest::keyClick(accuracy, Qt::Key_Escape);
  EXPECT_EQ(accuracy->geometry(), small);
  EXPECT_TRUE(loss().isVisible());
  QTest::mouseDClick(&loss(), Qt::LeftButton, {}, loss().plot().center().toPoint());
  EXPECT_FALSE(accuracy->isVisible());
}

TEST_F(ManyCharts, ChartsThatComeToSightAgainHaveTheCursorOfThePage) {
  open(2);
  MetricChart* accuracy = page_->charts()[1];
  Q_EMIT loss().cursorMoved(20);
  settle();
  accuracy->setFocus();
  QTest::keyClick(accuracy, Qt::Key_Return);
  Q_EMIT accuracy->cursorMoved(80);
  settle();
  QTest::keyClick(accuracy, Qt::Key_Escape);
  settle();
  EXPECT_GT(loss().model().cursor.value_or(0), 60);
}

TEST_F(ManyCharts, ATitleIsDraggedToAnotherPlaceThatIsKeptAndTakenBack) {
  open(2);
  const std::vector<std::string> before = order();
  MetricChart* last = page_->charts().back();
  const QPoint grip(30, 8);
  const QPoint target = last->mapFrom(last->parentWidget(), page_->charts()[1]->geometry().center());
  QTest::mousePress(last, Qt::LeftButton, {}, grip);
  QTest::mouseMove(last, (grip + target) / 2);
  QTest::mouseMove(last, target);
  QTest::mouseRelease(last, Qt::LeftButton, {}, target);
  std::vector<std::string> moved = before;
  std::rotate(moved.begin() + 1, moved.end() - 1, moved.end());
  EXPECT_EQ(order(), moved);
  makePage();
  EXPECT_EQ(order(), moved) << "kept for the experiment";
  small_.workspace.labelUndo().undo();
  EXPECT_FALSE(Settings::chartLayout(QStringLiteral("small")).isEmpty());
  makePage();
  EXPECT_EQ(order(), before);
}

TEST_F(ManyCharts, EscLetsGoOfAChart) {
  open(2);
  const std::vector<std::string> before = order();
  MetricChart* last = page_->charts().back();
  QTest::mousePress(last, Qt::LeftButton, {}, QPoint(30, 8));
  QTest::mouseMove(last, QPoint(-300, 8));
  QTest::keyClick(last, Qt::Key_Escape);
  QTest::mouseRelease(last, Qt::LeftButton, {}, QPoint(-300, 8));
  EXPECT_EQ(order(), before);
}

TEST_F(ManyCharts, KeysMoveAndResizeAChart) {
  open(2);
  MetricChart* second = page_->charts()[1];
  const std::string metric = second->metric();
  const int width = second->width();
  second->setFocus();
  QTest::keyClick(second, Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_GT(second->width(), width);
  EXPECT_EQ(page_->arrangement().find(metric)->width, 2);
  QTest::keyClick(second, Qt::Key_Left, Qt::ControlModifier);
  EXPECT_EQ(order().front(), metric);
}

TEST_F(ManyCharts, AnEdgeResizesInThirds) {
  open(2);
  MetricChart* second = page_->charts()[1];
  const QPoint edge(second->width() - 2, second->height() / 2);
  QTest::mousePress(second, Qt::LeftButton, {}, edge);
  QTest::mouseMove(second, edge + QPoint(150, 0));
  QTest::mouseMove(second, edge + QPoint(300, 0));
  QTest::mouseRelease(second, Qt::LeftButton, {}, edge + QPoint(300, 0));
  EXPECT_EQ(page_->arrangement().find(second->metric())->width, 2);
}

TEST_F(ManyCharts, AChartHasAxesOfItsOwn) {
  open(2);
  ChartArrangement charts = page_->arrangement();
  charts.setView("loss", {.logarithmic = false, .range = std::pair(0.5, 1.5)});
  Settings::setChartLayout(QStringLiteral("small"), charts.toText());
  makePage();
  EXPECT_FALSE(loss().model().logarithmic);
  EXPECT_NEAR(loss().pixelOfValue(0.5), loss().plot().bottom(), 1e-6);
  EXPECT_NEAR(loss().pixelOfValue(1.5), loss().plot().top(), 1e-6);
  const ChartLayout layout = layoutOf(loss().model(), loss().size());
  EXPECT_FALSE(layout.outside.empty()) << "what the axis does not reach is marked";
}

TEST_F(ManyCharts, MetricsAreSearchedAndAdded) {
  open(2);
  auto* picker = page_->findChild<MetricPicker*>();
  ASSERT_NE(picker, nullptr);
  picker->popup(QPoint(400, 100));
  auto* search = picker->findChild<QLineEdit*>();
  QTest::keyClicks(search, QStringLiteral("^record_"));
  QTest::keyClick(search, Qt::Key_Return);
  settle();
  EXPECT_EQ(order().back(), "record_seconds");
  Settings::setAddedCharts({});
}

TEST_F(ManyCharts, EveryButtonHasANameAndEveryChartTellsItsValues) {
  open(9);
  for (MetricChart* chart : page_->charts()) {
    for (const QToolButton* button : chart->findChildren<QToolButton*>()) {
      EXPECT_FALSE(button->accessibleName().isEmpty()) << chart->metric();
    }
    QAccessibleInterface* told = QAccessible::queryAccessibleInterface(chart);
    ASSERT_NE(told, nullptr);
    EXPECT_EQ(told->role(), QAccessible::Chart);
    const QString value = told->text(QAccessible::Value);
    EXPECT_TRUE(value.contains(chart->display().title)) << chart->metric() << ": " << value.toStdString();
    EXPECT_TRUE(chart->model().curves.empty() || value.contains(QStringLiteral("rate "))) << value.toStdString();
  }
  EXPECT_TRUE(legend()
                  .index(0, LegendModel::runColumn)
                  .data(Qt::AccessibleTextRole)
                  .toString()
                  .contains(QStringLiteral("rate ")));
}

TEST_F(ManyCharts, TheAxisOfALivingRunGrowsWithIt) {
  const RunPlan plan = test::planOf({.variant = "living", .steps = 5000, .ranks = 1});
  NewRun asked = test::sampleRun("living");
  asked.experimentName = "small";
  asked.ranks = 1;
  asked.planText = toJsonText(plan);
  const std::string run = small_.store->createRun(asked);
  const int attempt = small_.store->startAttempt(run, 0);
  small_.store->setState(run, RunState::running, "");
  const auto add = [&](std::int64_t first, std::int64_t count, std::int64_t sequence) {
    small_.store->appendMetrics(run, attempt, 0, sequence,
                                test::block(first, count, {"loss"}, [](auto, auto) { return 1.0; }));
  };
  add(0, 100, 1);
  runs_ = {run};
  small_.open();
  small_.workspace.selection().setShown(runs_, run);
  makePage();
  EXPECT_GE(loss().model().last, 99);
  EXPECT_LE(loss().model().last, 99 * 1.1 * 1.1) << "no empty plot for steps that are far away";
  add(100, 900, 2);
  ASSERT_TRUE(test::eventually([&] { return loss().model().last >= 999; }));
  EXPECT_LE(loss().model().last, 999 * 1.1 * 1.1);
}

}  // namespace
}  // namespace slipstream::ui
