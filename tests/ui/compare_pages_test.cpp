// SPDX-License-Identifier: GPL-3.0-or-later
// Compare, checkpoints and report over a small store, each page on its own.
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/report/comparison_document.h"
#include "engine/report/report.h"
#include "engine/store/checkpoint_store.h"
#include "tests/support/finished_runs.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/checkpoints/checkpoints_page.h"
#include "ui/compare/compare_page.h"
#include "ui/report/chart_flow.h"
#include "ui/report/document_view.h"
#include "ui/report/report_page.h"
#include "ui/report/report_saver.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/notice.h"

namespace slipstream::ui {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ComparePages : public ::testing::Test {
 protected:
  ComparePages() {
    store = test::openStore(folder());
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const double more = 0.005 * static_cast<double>(seed);
      ids.push_back(test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = 0.95 + more}));
      ids.push_back(
          test::recordRun(*store, {.variant = "adasum", .seed = seed, .accuracy = 0.97 + more, .adasum = true}));
    }
    workspace = std::make_unique<Workspace>();
    EXPECT_TRUE(workspace->store().open(folder()));
    EXPECT_TRUE(test::eventually([this] { return workspace->store().snapshot()->runs.size() == 6; }));
  }
  std::filesystem::path folder() const { return directory.path().toStdString(); }
  std::filesystem::path file(const char* name) const { return folder() / name; }
  void show(Page& page) {
    page.resize(950, 600);
    page.show();
  }
  void keepCheckpoint(const std::string& run, std::int64_t step) {
    const auto checkpoints = std::move(CheckpointStore::openToWrite(folder(), run).value());
    const std::vector<std::byte> bytes(1000, static_cast<std::byte>(step));
    const std::string hash = sha256(std::span<const std::byte>(bytes));
    checkpoints->begin();
    if (!checkpoints->has(hash)) checkpoints->addPart(hash, 0, bytes);
    checkpoints->complete({step, 1, true, "", {{"weight", "F32", {250}, -1, hash, std::ssize(bytes)}}});
    store->addCheckpoint(run, {step, 1, true, 1000, 1000, 7});
  }

  QTemporaryDir directory;
  std::unique_ptr<RunStore> store;
  std::vector<std::string> ids;
  std::unique_ptr<Workspace> workspace;
};

TEST_F(ComparePages, ThreeSeedsOfTwoVariantsGetAClaim) {
  ComparePage page(*workspace, nullptr);
  workspace->selection().setShown(ids, ids.front());
  show(page);
  ASSERT_TRUE(test::eventually([&] { return page.shown().comparison.variants.size() == 2; }));
  const auto tables = page.findChildren<CellTable*>();
  const auto paired = std::find_if(tables.begin(), tables.end(), [](const CellTable* table) {
    return table->accessibleName() == QStringLiteral("Paired by seed, n = 3");
  });
  ASSERT_NE(paired, tables.end());
  const std::vector<Cell>& accuracy = (*paired)->cells().grid().rows.front();
  EXPECT_EQ(accuracy[0].text, QStringLiteral("Test accuracy, %"));
  EXPECT_EQ(accuracy[1].text, QStringLiteral("96.00"));
  EXPECT_EQ(accuracy[3].text, QStringLiteral("+2.00"));
  EXPECT_EQ(accuracy.back().verdict, ComparisonVerdict::better);
  EXPECT_TRUE(accuracy[5].interval);
}

TEST_F(ComparePages, ThePinnedRunIsTheBaseline) {
  RunLabel pinned;
  pinned.pinned = true;
  store->setLabel(ids[1], pinned);
  ComparePage page(*workspace, nullptr);
  workspace->selection().setShown(ids, ids.front());
  show(page);
  ASSERT_TRUE(test::eventually([&] { return page.shown().comparison.variants.size() == 2; }));
  EXPECT_EQ(page.shown().comparison.variants.front().label, "adasum");
}

TEST_F(ComparePages, AnotherComparisonIsReadFromItsBeginning) {
  ComparePage page(*workspace, nullptr);
  workspace->selection().setShown(ids, ids.front());
  show(page);
  page.resize(1000, 300);
  ASSERT_TRUE(test::eventually([&] { return page.shown().comparison.variants.size() == 2; }));
  QScrollBar* bar = page.findChild<QScrollArea*>()->verticalScrollBar();
  ASSERT_TRUE(test::eventually([&] { return bar->maximum() > 0; }));
  bar->setValue(bar->maximum());
  workspace->selection().setShown({ids[0], ids[1]}, ids[0]);
  ASSERT_TRUE(test::eventually([&] { return page.shown().comparison.variants.front().outcomes.size() == 1; }));
  ASSERT_TRUE(test::eventually([&] { return bar->maximum() > 0; })) << "it could be scrolled";
  EXPECT_EQ(bar->value(), 0);
}

TEST_F(ComparePages, CopiedTablesAreTheCommandLinesCsv) {
  ComparePage page(*workspace, nullptr);
  workspace->selection().setShown(ids, ids.front());
  show(page);
  ASSERT_TRUE(test::eventually([&] { return !page.shown().comparison.compared.empty(); }));
  page.copyTables();
  EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), toCsvText(page.shown().comparison));
}

TEST_F(ComparePages, OneVariantAloneIsNotCompared) {
  ComparePage page(*workspace, nullptr);
  workspace->selection().setShown({ids[0], ids[2]}, ids[0]);
  show(page);
  ASSERT_TRUE(test::eventually([&] { return !page.shown().comparison.variants.empty(); }));
  for (const CellTable* table : page.findChildren<CellTable*>()) EXPECT_FALSE(table->isVisible());
}

TEST_F(ComparePages, TheSavedPageIsTheCommandLines) {
  ReportPage page(*workspace, nullptr);
  workspace->selection().setShown({ids[0], ids[1]}, ids[0]);
  QSignalSpy saved(&page.saver(), &ReportSaver::saved);
  page.saver().save(file("report.html"));
  ASSERT_TRUE(saved.wait());
  const std::vector<RunRecord> runs{store->find(ids[0]).value(), store->find(ids[1]).value()};
  EXPECT_EQ(readFile(file("report.html")).value(), reportHtml(*store, runs).value());
}

TEST_F(ComparePages, OtherFormatsAreWhatTheirEndingsSay) {
  ReportPage page(*workspace, nullptr);
  workspace->selection().setShown(ids, ids[0]);
  QSignalSpy saved(&page.saver(), &ReportSaver::saved);
  for (const auto& [name, head] :
       {std::pair{"report.pdf", "%PDF"}, {"report.png", "\x89PNG"}, {"report.csv", "stage,against stage,reference"}}) {
    page.saver().save(file(name));
    ASSERT_TRUE(saved.wait()) << name;
    EXPECT_THAT(readFile(file(name)).value(), StartsWith(head));
  }
}

TEST_F(ComparePages, WhatCannotBeSavedIsSaidInTheEnginesWords) {
  ReportPage page(*workspace, nullptr);
  workspace->selection().setShown(ids, ids[0]);
  QSignalSpy failed(&page.saver(), &ReportSaver::failed);
  page.saver().save(file("report.docx"));
  ASSERT_EQ(failed.count(), 1);
  EXPECT_THAT(failed[0][0].toString().toStdString(), HasSubstr("write .html, .pdf, .png or .csv"));
  page.saver().save("/nowhere/at/all/report.html");
  ASSERT_TRUE(failed.wait());
  EXPECT_THAT(failed[1][0].toString().toStdString(), HasSubstr("/nowhere/at/all"));
}

TEST_F(ComparePages, TheReportPageShowsTheReportsHead) {
  ReportPage page(*workspace, nullptr);
  workspace->selection().setShown(ids, ids[0]);
  show(page);
  ASSERT_TRUE(test::eventually([&] { return page.shown().has_value(); }));
  EXPECT_EQ(page.shown()->title.in(), "adasum against mean on 2 ranks");
  std::vector<RunRecord> runs;
  for (const std::string& id : ids) runs.push_back(store->find(id).value());
  const std::string saved = reportHtml(*store, runs).value();
  EXPECT_THAT(saved, HasSubstr("<h1>adasum against mean on 2 ranks</h1>"));
  const auto* lead = std::get_if<Paragraph>(&page.shown()->blocks[1]);
  ASSERT_NE(lead, nullptr);
  QString words = richText(lead->text);
  words.replace(QStringLiteral("b>"), QStringLiteral("strong>")).remove(QStringLiteral("</strong><strong>"));
  EXPECT_THAT(saved, HasSubstr(words.toStdString())) << "the saved page says the same";
}

TEST_F(ComparePages, AChineseWindowShowsAndSavesAChineseReport) {
  const QLocale before;
  QLocale::setDefault(QLocale(QLocale::Chinese, QLocale::China));
  ReportPage page(*workspace, nullptr);
  workspace->selection().setShown(ids, ids[0]);
  show(page);
  ASSERT_TRUE(test::eventually([&] { return page.shown().has_value(); }));
  EXPECT_EQ(text(page.shown()->title), QStringLiteral("adasum 与 mean 对比，2 个 rank"));
  QSignalSpy saved(&page.saver(), &ReportSaver::saved);
  page.saver().save(file("report.html"));
  EXPECT_TRUE(saved.wait());
  EXPECT_THAT(readFile(file("report.html")).value(), HasSubstr("<h1>adasum 与 mean 对比，2 个 rank</h1>"));
  QLocale::setDefault(before);
}

TEST_F(ComparePages, RunsOfOneVariantAreSaidToBeWhatTheyAre) {
  ids.push_back(test::recordRun(*store, {.variant = "mean", .seed = 1, .accuracy = 0.95}));
  ASSERT_TRUE(test::eventually([this] { return workspace->store().snapshot()->runs.size() == 7; }));
  ComparePage page(*workspace, nullptr);
  const auto says = [&](const char* words) {
    const auto labels = page.findChildren<QLabel*>();
    return std::ranges::any_of(
        labels, [&](const QLabel* label) { return label->isVisible() && label->text() == QLatin1String(words); });
  };
  workspace->selection().setShown({ids[0], ids.back()}, ids[0]);  // both of seed 1
  show(page);
  EXPECT_TRUE(test::eventually([&] { return says("These runs have the same settings and the same seed"); }));
  workspace->selection().setShown({ids[0], ids[2]}, ids[0]);
  EXPECT_TRUE(test::eventually([&] { return says("These runs have the same settings, with different seeds"); }));
}

TEST_F(ComparePages, VariantsWithoutACommonSeedHaveAnUnpairedTable) {
  ComparePage page(*workspace, nullptr);
  workspace->selection().setShown({ids[0], ids[3]}, ids[0]);  // mean with seed 1, adasum with seed 2
  show(page);
  CellTable* table = nullptr;
  ASSERT_TRUE(test::eventually([&] {
    for (CellTable* one : page.findChildren<CellTable*>()) {
      const bool found = one->accessibleName() == QStringLiteral("No seed in common: nothing is paired");
      if (found && one->isVisibleTo(&page)) table = one;
    }
    return table != nullptr;
  }));
  const CellGrid& grid = table->cells().grid();
  ASSERT_FALSE(grid.rows.empty());
  EXPECT_EQ(grid.rows.front()[0].text, QStringLiteral("Test accuracy, %"));
  EXPECT_EQ(grid.rows.front()[1].text, QStringLiteral("95.50 (1 run)"));
  EXPECT_EQ(grid.rows.front()[2].text, QStringLiteral("98.00 (1 run)"));
  EXPECT_EQ(grid.rows.front()[3].text, QStringLiteral("+2.50"));
  for (const auto& row : grid.rows) EXPECT_FALSE(row.back().verdict) << "no verdict without pairs";
  EXPECT_THAT(page.shown().comparison.compared,
              ::testing::Each(::testing::Field(&ComparedVariant::measures, ::testing::IsEmpty())));
}

TEST_F(ComparePages, NothingIsLeftToResumeAfterTheLastStep) {
  keepCheckpoint(ids[0], 100);
  keepCheckpoint(ids[0], 200);  // of 200 steps
  CheckpointsPage page(*workspace, nullptr);
  workspace->selection().setCurrent(ids[0]);
  show(page);
  ASSERT_TRUE(test::eventually([&] { return page.model().rowCount() == 2; }));
  const auto buttons = page.findChildren<QPushButton*>();
  const auto resume = std::ranges::find(buttons, QStringLiteral("Resume from checkpoint"), &QPushButton::text);
  ASSERT_NE(resume, buttons.end());
  page.view().selectRow(1);
  EXPECT_FALSE((*resume)->isEnabled());
  EXPECT_FALSE((*resume)->toolTip().isEmpty());
  page.view().selectRow(0);
  EXPECT_TRUE((*resume)->isEnabled());
}

TEST_F(ComparePages, CheckpointsAreMarkedOnTheCurvesOfTheirRun) {
  keepCheckpoint(ids[0], 100);
  keepCheckpoint(ids[0], 150);
  CheckpointsPage page(*workspace, nullptr);
  workspace->selection().setCurrent(ids[0]);
  show(page);
  ASSERT_TRUE(test::eventually([&] { return page.model().rowCount() == 2; }));
  const std::vector<LineChart*>& charts = page.findChild<ChartFlow*>()->charts();
  ASSERT_EQ(charts.size(), 2U) << "accuracy and loss";
  for (const LineChart* chart : charts) {
    ASSERT_EQ(chart->model().curves.size(), 1U);
    EXPECT_EQ(chart->model().last, 200) << "all of the run";
    ASSERT_EQ(chart->model().borders.size(), 2U);
    EXPECT_EQ(chart->model().borders[0].x, 100);
    EXPECT_EQ(chart->model().borders[1].name, "150");
  }
  EXPECT_EQ(charts[0]->model().cursor, std::nullopt) << "nothing was evaluated there";
  EXPECT_EQ(charts[1]->model().cursor, 150) << "at the newest";
  page.view().selectRow(0);
  for (const LineChart* chart : charts) EXPECT_EQ(chart->model().cursor, 100) << "at the chosen one";
}

TEST_F(ComparePages, CheckpointsAreListedAndDeletedAfterAQuestion) {
  keepCheckpoint(ids[0], 100);
  keepCheckpoint(ids[0], 200);
  CheckpointsPage page(*workspace, nullptr);
  const QAbstractItemModelTester tester(&page.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  workspace->selection().setCurrent(ids[0]);
  show(page);
  ASSERT_TRUE(test::eventually([&] { return page.model().rowCount() == 2; }));
  page.view().selectRow(0);
  page.remove();
  EXPECT_THAT(page.notice().message().toStdString(), HasSubstr("frees 1.00 kB"));
  EXPECT_EQ(store->checkpoints(ids[0]).size(), 2U) << "nothing goes before the answer";
  for (QPushButton* button : page.notice().findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("Delete")) QTest::mouseClick(button, Qt::LeftButton);
  }
  ASSERT_TRUE(test::eventually([&] { return page.model().rowCount() == 1; }));
  EXPECT_EQ(page.model().entries().front().weights.step, 200);
  EXPECT_EQ(store->checkpoints(ids[0]).size(), 1U);
}

TEST_F(ComparePages, GoingBackIsAskedForWhereLaterCheckpointsWouldBeGivenUp) {
  keepCheckpoint(ids[0], 100);
  keepCheckpoint(ids[0], 200);
  CheckpointsPage page(*workspace, nullptr);
  workspace->selection().setCurrent(ids[0]);
  show(page);
  ASSERT_TRUE(test::eventually([&] { return page.model().rowCount() == 2; }));
  page.view().selectRow(0);
  page.resume();
  EXPECT_THAT(page.notice().message().toStdString(), HasSubstr("Resume from step 100"));
}

TEST(CheckpointModel, EvaluationsReadAsTheCommandLinesWords) {
  EXPECT_EQ(evaluationText(R"({"accuracy":0.981,"loss":0.0612,"samples":10})"), QStringLiteral("98.10 %, loss 0.0612"));
  EXPECT_EQ(evaluationText(R"({"accuracy":0.1,"loss":"nan"})"), QStringLiteral("10.00 %, loss nan"));
}

TEST(CheckpointModel, ListsAreMerged) {
  CheckpointModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  const auto set = [&](const std::vector<std::int64_t>& steps) {
    std::vector<CheckpointEntry> entries(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) entries[i].weights.step = steps[i];
    model.setEntries(std::move(entries));
    std::vector<std::int64_t> held;
    for (const CheckpointEntry& entry : model.entries()) held.push_back(entry.weights.step);
    EXPECT_EQ(held, steps);
  };
  set({100, 200});
  set({50, 100, 150, 200, 250});
  set({150});
  set({});
  set({7});
  EXPECT_EQ(reset.count(), 0);
}

TEST(CheckpointModel, TheBestAndTheLastAreMarked) {
  CheckpointModel model;
  const auto kinds = [&](const std::vector<CheckpointEntry>& entries) {
    model.setEntries(entries);
    QStringList words;
    for (int row = 0; row < model.rowCount(); ++row) {
      words << model.index(row, CheckpointModel::kindColumn).data().toString();
    }
    return words.join(QStringLiteral(", ")).toStdString();
  };
  const auto entry = [](std::int64_t step, std::optional<double> accuracy, WeightsKind kind = WeightsKind::full) {
    CheckpointEntry made;
    made.weights.step = step;
    made.weights.kind = kind;
    made.accuracy = accuracy;
    return made;
  };
  EXPECT_EQ(kinds({entry(100, 0.9)}), "complete") << "one alone is neither";
  EXPECT_EQ(kinds({entry(100, 0.9), entry(200, 0.8)}), "complete · best kept, complete · last");
  EXPECT_EQ(kinds({entry(100, 0.9), entry(200, 0.9)}), "complete · best kept, complete · last")
      << "the first of equals";
  EXPECT_EQ(kinds({entry(100, 0.8), entry(200, {}), entry(300, 0.9)}),
            "complete, complete, complete · best kept · last");
  EXPECT_EQ(kinds({entry(100, {}), entry(200, {})}), "complete, complete · last");
  EXPECT_EQ(kinds({entry(100, 0.9), entry(200, 0.8), entry(300, {}, WeightsKind::snapshot)}),
            "complete · best kept, complete · last, snapshot");
}

TEST(CheckpointModel, SizesThatAreAllEqualShareNothing) {
  CheckpointModel model;
  CheckpointEntry one;
  one.weights.bytes = 100;
  one.weights.ownBytes = one.weights.newBytes = 100;
  model.setEntries({one});
  EXPECT_FALSE(model.sharesAny());
  one.weights.ownBytes = 40;
  model.setEntries({one});
  EXPECT_TRUE(model.sharesAny());
}

/// A page that scrolls: a chart above a table of ten rows.
struct ScrolledTable {
  ScrolledTable() {
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    flow = new ChartFlow;
    table = new CellTable;
    CellGrid grid;
    grid.headings.resize(1);
    grid.rows.resize(10, std::vector<Cell>(1));
    table->setGrid(std::move(grid));
    ShownChart chart;
    chart.curves.resize(1);
    flow->setModels({chart});
    layout->addWidget(flow);
    layout->addWidget(table);
    layout->addStretch();
    area.setWidgetResizable(true);
    area.setWidget(body);
    area.resize(600, 400);
    area.show();
  }
  int cut() const {
    const int firstRow = table->mapTo(area.widget(), QPoint()).y() + table->horizontalHeader()->height();
    return (area.viewport()->height() - firstRow) % table->rowHeight(0);
  }
  /// The chart's height once the page ends between two rows.
  int endBetweenRows(int height) {
    flow->setChartHeight(height);
    flow->endBetweenRowsOf(table);
    flow->endBetweenRowsOf(table);  // as two answers in a row ask for it
    QTest::qWait(50);
    return flow->chartHeight();
  }
  QScrollArea area;
  ChartFlow* flow = nullptr;
  CellTable* table = nullptr;
};

TEST(ChartFlow, GrowsSoThatThePageEndsBetweenTwoRows) {
  ScrolledTable page;
  const int row = page.table->rowHeight(0);
  for (const int height : {180, 187, 195, 180}) {
    const int grown = page.endBetweenRows(height);
    EXPECT_GE(grown, height);
    EXPECT_LT(grown, height + row);
    QTest::qWait(50);
    EXPECT_LE(page.cut(), 1) << height;
  }
  const int settled = page.flow->chartHeight();
  page.flow->endBetweenRowsOf(page.table);
  QTest::qWait(50);
  EXPECT_EQ(page.flow->chartHeight(), settled) << "asked again it stays";
}

TEST(ChartFlow, StaysWhereNoRowIsCut) {
  ScrolledTable page;
  page.area.resize(600, 1200);
  QTest::qWait(50);
  EXPECT_EQ(page.endBetweenRows(180), 180) << "all rows are in sight";
  page.table->hide();
  page.area.resize(600, 400);
  QTest::qWait(50);
  EXPECT_EQ(page.endBetweenRows(181), 181) << "nor by a table that is hidden";
}

}  // namespace
}  // namespace slipstream::ui
