// SPDX-License-Identifier: GPL-3.0-or-later
// The page of studies over studies whose runs were written rather than trained: the matrix by value and by colour, the
// figures of every tab, and what can be done from there.
#include "ui/study/study_page.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/support/sample_study.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/text_faults.h"
#include "ui/report/chart_flow.h"
#include "ui/study/matrix_view.h"
#include "ui/study/next_tab.h"
#include "ui/study/study_details.h"
#include "ui/study/study_header.h"
#include "ui/study/study_list.h"
#include "ui/study/study_marks.h"
#include "ui/study/study_panels.h"
#include "ui/study/study_results.h"
#include "ui/study/study_saver.h"
#include "ui/study/trial_rows.h"
#include "ui/widgets/cell_table.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"

namespace slipstream::ui {
namespace {

using test::CellOutcome;
using test::SampleStudy;
using ::testing::HasSubstr;
using ::testing::StartsWith;

enum Tab { reachedTab, scalingTab, tradeOffTab, profileTab, nextTab };

nlohmann::json accuracyOverRanks() {
  return {{"variants", {{{"name", "mean"}}, {{"name", "adasum"}}, {{"name", "slow"}}, {{"name", "alike"}}}},
          {"factors", {{"parallel.ranks", {2, 4}}}},
          {"seeds", {{"least", 5}, {"most", 10}}},
          {"question", {{"measure", "accuracy"}, {"margin", 0.02}}}};
}

CellOutcome clearly(const StudyCell& cell) {
  CellOutcome outcome{.run = {.ranks = test::ranksOf(cell)}};
  const double more = cell.variant == "adasum" ? 0.06 : cell.variant == "slow" ? -0.06 : 0;
  outcome.run.accuracy = 0.90 + more + test::seedJitter(cell);
  return outcome;
}

nlohmann::json toTarget() {
  return {{"variants", {{{"name", "mean"}}, {{"name", "adasum"}}}},
          {"factors", {{"parallel.ranks", {2, 4}}}},
          {"seeds", {{"least", 4}}},
          {"question", {{"measure", "steps_to_target"}, {"target", 0.9}}}};
}

/// 0.9 is reached at 80 of 0.99, at 120 of 0.93, never of 0.89.
CellOutcome reaches(const StudyCell& cell) {
  CellOutcome outcome{.run = {.ranks = test::ranksOf(cell)}};
  const bool adasum = cell.variant == "adasum";
  outcome.run.accuracy = adasum ? (cell.seed == 2 ? 0.95 : 0.99) : cell.seed == 1 ? 0.89 : 0.93;
  if (adasum && cell.seed == 4) outcome.state = RunState::failed;
  return outcome;
}

class StudyPages : public ::testing::Test {
 protected:
  void SetUp() override { useLanguage({}); }
  void TearDown() override { useLanguage({}); }
  RunStore& store() { return *small.store; }

  /// The page, once it shows what came of the newest study.
  StudyPage& shown() {
    small.open();
    page = std::make_unique<StudyPage>(small.workspace, nullptr);
    page->resize(1000, 760);
    page->show();
    EXPECT_TRUE(test::eventually([&] { return page->shown().has_value(); }));
    return *page;
  }
  static QStringList rowOf(StudyTab& tab, int row) {
    QStringList texts;
    const CellGrid& grid = tab.table().cells().grid();
    if (row < static_cast<int>(grid.rows.size())) {
      for (const Cell& cell : grid.rows[static_cast<std::size_t>(row)]) texts << cell.text;
    }
    return texts;
  }
  StudyTab& tab(int index) {
    page->panels().results().showTab(index);
    return *page->panels().results().tabs()[static_cast<std::size_t>(index)];
  }
  /// In the middle of the dot of a seed.
  static QPoint dotOf(MatrixView& view, int row, int column, std::size_t seed) {
    const StudyMatrixCell& cell = *view.matrix().cellAt(view.matrix().index(row, column));
    const QRect place = view.visualRect(view.matrix().index(row, column));
    int left = -1, right = -1;
    const int y = place.bottom() - 12;
    for (int x = place.left(); x <= place.right(); ++x) {
      if (view.seedAt({x, y}) != &cell.seeds[seed]) continue;
      if (left < 0) left = x;
      right = x;
    }
    return {(left + right) / 2, y};
  }

  test::SmallWorkspace small;
  std::unique_ptr<StudyPage> page;
};

TEST_F(StudyPages, BeginsAtTheStrongestClaim) {
  SampleStudy sample(store(), accuracyOverRanks());
  sample.finish(clearly);
  MatrixView& view = shown().panels().results().matrix();
  const auto effectAt = [&](int row, int column) {
    const auto& comparison = view.matrix().row(row).cells[static_cast<std::size_t>(column)].comparison;
    const bool claims = comparison && (comparison->verdict == StudyVerdictKind::better ||
                                       comparison->verdict == StudyVerdictKind::worse);
    return claims ? std::abs(comparison->effect) : 0;
  };
  const double chosen = effectAt(view.chosenRow(), view.chosenColumn());
  EXPECT_GT(chosen, 0);
  for (int row = 0; row < view.matrix().rowCount(); ++row) {
    for (int column = 0; column + 1 < view.matrix().columnCount(); ++column)
      EXPECT_LE(effectAt(row, column), chosen) << row << ", " << column;
  }
}

TEST_F(StudyPages, TheColumnThatATabIsAboutIsChosenBesideTheTabs) {
  SampleStudy sample(store(), toTarget());
  sample.finish(reaches);
  StudyResults& results = shown().panels().results();
  ASSERT_EQ(results.place().count(), 2);
  StudyTab& reached = tab(reachedTab);
  for (const int column : {0, 1}) {
    results.place().setCurrentIndex(column);
    Q_EMIT results.place().activated(column);
    EXPECT_EQ(results.matrix().chosenColumn(), column);
    const ShownChart& chart = reached.charts().charts().front()->model();
    EXPECT_THAT(text(chart.treatment).toStdString(), StartsWith(column == 0 ? "2 ranks" : "4 ranks"));
    const QAbstractItemModel& table = *reached.table().model();
    const QString mean = table.index(table.rowCount() - 1, table.columnCount() - 1).data().toString();
    EXPECT_EQ(text(chart.curves.back().label), QStringLiteral("adasum · ") + mean) << "as in the matrix and the table";
    EXPECT_EQ(chart.first, 0) << "what an axis leaves out makes differences look larger";
  }
  results.matrix().choose(0, 0);
  EXPECT_EQ(results.place().currentIndex(), 0) << "it follows the matrix";
}

TEST_F(StudyPages, TheDetailsAreAPanelThatClosesAndComesBack) {
  SampleStudy sample(store(), accuracyOverRanks());
  sample.finish(clearly);
  StudyPanels& panels = shown().panels();
  auto* details = panels.findChild<StudyDetails*>();
  page->resize(1280, 760);
  ASSERT_TRUE(test::eventually([&] { return details->geometry().right() == panels.rect().right(); }));
  ASSERT_TRUE(details->isVisible());
  EXPECT_EQ(details->height(), panels.height()) << "from top to bottom, whatever is scrolled beside it";
  const auto buttons = panels.findChildren<QPushButton*>();
  const auto opens = std::ranges::find(buttons, QStringLiteral("Details"), &QPushButton::text);
  ASSERT_NE(opens, buttons.end());
  EXPECT_FALSE((*opens)->isVisible()) << "they are there";
  QTest::keyClick(details, Qt::Key_Escape);
  EXPECT_FALSE(details->isVisible());
  (*opens)->click();
  EXPECT_TRUE(details->isVisible());
  page->resize(700, 760);
  EXPECT_TRUE(test::eventually([&] { return details->width() == panels.width(); }))
      << "below the results of a narrow page, where somebody wants them";
}

TEST_F(StudyPages, TheMatrixShowsChangesIntervalsAndStates) {
  SampleStudy sample(store(), accuracyOverRanks());
  sample.finish(clearly);
  MatrixModel& matrix = shown().panels().results().matrix().matrix();
  ASSERT_EQ(matrix.rowCount(), 4);
  ASSERT_EQ(matrix.columnCount(), 3);
  EXPECT_EQ(matrix.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("4 ranks"));
  const auto textAt = [&](int row, int column) { return matrix.index(row, column).data().toString().toStdString(); };
  EXPECT_EQ(textAt(0, 0), "mean");
  EXPECT_EQ(matrix.about(0), QStringLiteral("reference · untuned"));
  EXPECT_THAT(textAt(0, 1), StartsWith("90.0")) << "the reference in absolute values";
  const StudyComparison& comparison = *matrix.cellAt(matrix.index(1, 1))->comparison;
  EXPECT_EQ(comparison.verdict, StudyVerdictKind::better);
  EXPECT_THAT(textAt(1, 1), StartsWith("+6.0"));
  EXPECT_THAT(textAt(1, 1), HasSubstr(" [+"));
  EXPECT_THAT(textAt(2, 1), StartsWith("−6.0"));
  EXPECT_EQ(matrix.cellAt(matrix.index(2, 1))->comparison->verdict, StudyVerdictKind::worse);
  EXPECT_EQ(matrix.cellAt(matrix.index(3, 1))->comparison->verdict, StudyVerdictKind::same);
  const QString sentence = page->panels().results().sentence().text();
  EXPECT_THAT(sentence.toStdString(), StartsWith("<b>At"));
  EXPECT_FALSE(sentence.contains(QStringLiteral(" ["))) << "a change stays with its interval";
}

TEST_F(StudyPages, DotsWearTheColourOfTheVerdict) {
  SampleStudy sample(store(), accuracyOverRanks());
  sample.finish(clearly);
  MatrixView& view = shown().panels().results().matrix();
  view.choose(0, 1);
  const QImage image = view.viewport()->grab().toImage();
  const auto colourOf = [&](int row) { return image.pixelColor(dotOf(view, row, 1, 2) * image.devicePixelRatio()); };
  EXPECT_EQ(colourOf(0), tokens().secondText);
  EXPECT_EQ(colourOf(1), tokens().good);
  EXPECT_EQ(colourOf(2), tokens().error);
  EXPECT_EQ(colourOf(3), tokens().secondText);
}

TEST_F(StudyPages, SeedsDifferInShape) {
  const QImage blank = [] {
    QImage image(24, 24, QImage::Format_RGB32);
    image.fill(Qt::white);
    return image;
  }();
  std::vector<QImage> images;
  for (const SeedState state : {SeedState::waiting, SeedState::running, SeedState::stopped, SeedState::reached,
                                SeedState::never, SeedState::failed, SeedState::deleted}) {
    QImage image = blank;
    QPainter painter(&image);
    paintSeed(painter, QRectF(4, 4, 16, 16), state, Qt::black);
    painter.end();
    image = image.convertToFormat(QImage::Format_Mono);
    for (const QImage& other : images) EXPECT_NE(image, other);
    EXPECT_NE(image, blank.convertToFormat(QImage::Format_Mono));
    images.push_back(image);
  }
  images.clear();
  for (int verdict = 0; verdict <= static_cast<int>(StudyVerdictKind::invalid); ++verdict) {
    QImage image = blank;
    QPainter painter(&image);
    paintVerdict(painter, QRectF(4, 4, 16, 16), static_cast<StudyVerdictKind>(verdict));
    painter.end();
    image = image.convertToFormat(QImage::Format_Mono);
    for (const QImage& other : images) EXPECT_NE(image, other);
    images.push_back(image);
  }
}

TEST_F(StudyPages, TimeToTargetTellsWhoReachedItAndWhoNeverDid) {
  SampleStudy sample(store(), toTarget());
  sample.finish(reaches);
  shown().panels().results().matrix().choose(1, 0);
  StudyTab& reached = tab(reachedTab);
  EXPECT_EQ(rowOf(reached, 0), (QStringList{QStringLiteral("mean"), QStringLiteral("3 of 4"), QStringLiteral("1"),
                                            QStringLiteral("0"), QStringLiteral("120"), QStringLiteral("140")}));
  EXPECT_EQ(rowOf(reached, 1), (QStringList{QStringLiteral("adasum"), QStringLiteral("3 of 4"), QStringLiteral("0"),
                                            QStringLiteral("1"), QStringLiteral("80"), QStringLiteral("115")}));
  ASSERT_FALSE(reached.charts().charts().empty());
  const ShownChart& chart = reached.charts().charts().front()->model();
  EXPECT_EQ(chart.curves.size(), 2U);
  EXPECT_TRUE(chart.curves[0].censored);
  EXPECT_EQ(text(chart.curves[1].note), QStringLiteral("1 failed"));
  EXPECT_THAT(reached.note().text().toStdString(), HasSubstr("2 ranks"));
}

TEST_F(StudyPages, WhereNoSeedReachesTheTargetNoChangeIsTold) {
  SampleStudy sample(store(), toTarget());
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome{.run = {.accuracy = 0.95, .ranks = test::ranksOf(cell)}};
    if (cell.variant == "adasum" && cell.seed % 2 == 0) outcome.state = RunState::failed;
    if (cell.variant == "adasum") outcome.run.accuracy = 0.85;
    return outcome;
  });
  MatrixModel& matrix = shown().panels().results().matrix().matrix();
  EXPECT_EQ(matrix.index(1, 1).data().toString(), QStringLiteral("none reached it"));
  EXPECT_NE(matrix.index(0, 1).data().toString(), QStringLiteral("none reached it"));
}

TEST_F(StudyPages, ScalingTradeOffAndProfileShowTheirFigures) {
  SampleStudy sample(store(), toTarget());
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome{.run = {.accuracy = 0.99, .ranks = test::ranksOf(cell)}};
    outcome.run.stepSeconds = cell.variant == "adasum" && outcome.run.ranks == 4 ? 0.008 : 0.010;
    return outcome;
  });
  shown();
  StudyTab& scaling = tab(scalingTab);
  const QStringList last = rowOf(scaling, 3);
  EXPECT_EQ(last[0], QStringLiteral("adasum"));
  EXPECT_EQ(last[1], QStringLiteral("4"));
  EXPECT_EQ(last[3], QStringLiteral("125.0")) << "twice the samples in four fifths of the time";
  EXPECT_EQ(last[4], QStringLiteral("1.25"));
  EXPECT_EQ(last[5], QStringLiteral("62.5"));
  EXPECT_EQ(scaling.charts().charts().size(), 4U);
  StudyTab& trade = tab(tradeOffTab);
  EXPECT_EQ(rowOf(trade, 3)[3], QStringLiteral("1.6"));
  EXPECT_EQ(rowOf(trade, 3)[4], QStringLiteral("1.15 MB"));
  StudyTab& profile = tab(profileTab);
  EXPECT_EQ(rowOf(profile, 0)[1], QStringLiteral("100")) << "both need as many steps";
}

TEST_F(StudyPages, ATabWithoutFiguresSaysWhatItWouldTake) {
  SampleStudy sample(store(), {{"variants", {{{"name", "mean"}}, {{"name", "adasum"}}}},
                               {"seeds", {{"least", 3}}},
                               {"question", {{"measure", "accuracy"}}}});
  sample.finish(clearly);
  StudyResults& results = shown().panels().results();
  EXPECT_EQ(results.currentTab(), tradeOffTab) << "the first one with figures is in front";
  results.showTab(reachedTab);
  results.setReading(*results.reading());
  EXPECT_EQ(results.currentTab(), reachedTab) << "what was chosen stays";
  EXPECT_THAT(tab(reachedTab).note().text().toStdString(), HasSubstr("target"));
  EXPECT_THAT(tab(scalingTab).note().text().toStdString(), HasSubstr("parallel.ranks"));
  EXPECT_THAT(tab(profileTab).note().text().toStdString(), HasSubstr("target"));
  EXPECT_FALSE(tab(tradeOffTab).table().cells().grid().rows.empty());
}

TEST_F(StudyPages, WhatNextTellsWhatMoreSeedsCost) {
  nlohmann::json asked = accuracyOverRanks();
  asked["budget"]["cores"] = 1;
  SampleStudy sample(store(), asked);
  sample.finish(clearly);
  shown();
  auto& next = static_cast<NextTab&>(tab(nextTab));
  EXPECT_EQ(next.table().cells().grid().rows.size(), 6U);
  EXPECT_EQ(next.count().maximum(), 5) << "ten were frozen, five are judged";
  next.count().setValue(3);
  EXPECT_EQ(next.cost().text(), QStringLiteral("24 runs, about 04:00"));
  EXPECT_TRUE(next.add().isEnabled());
  store().studies().setSupervisor(sample.number(), thisProcess());
  store().studies().setState(sample.number(), StudyState::running);
  EXPECT_TRUE(test::eventually([&] { return !next.add().isEnabled(); }));
  EXPECT_FALSE(next.add().toolTip().isEmpty());
}

TEST_F(StudyPages, AStudyThatGoesOnClaimsNothingBeforeALook) {
  SampleStudy sample(store(), accuracyOverRanks());
  store().studies().setSupervisor(sample.number(), thisProcess());
  store().studies().setState(sample.number(), StudyState::running);
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome = clearly(cell);
    if (cell.cell > 20) outcome.state = cell.cell == 21 ? RunState::running : RunState::draft;
    return outcome;
  });
  shown();
  EXPECT_THAT(page->panels().results().sentence().text().toStdString(), StartsWith("So far 20 of 40 cells have ended"));
  EXPECT_TRUE(page->panels().header().pause().isVisibleTo(page.get()));
  EXPECT_FALSE(page->panels().header().goOn().isVisibleTo(page.get()));
  QSignalSpy reported(&small.workspace, &Workspace::reported);
  for (const StudyCell& cell : store().studies().cells(sample.number()))
    if (cell.cell == 21) store().setState(cell.run, RunState::done, "");
  sample.finish(clearly);
  store().studies().setState(sample.number(), StudyState::done);
  store().studies().setSupervisor(sample.number(), {});
  ASSERT_TRUE(test::eventually([&] { return page->shown()->standing.state == StudyState::done; }));
  EXPECT_THAT(page->panels().results().sentence().accessibleName().toStdString(),
              HasSubstr("points higher in accuracy"));
  ASSERT_FALSE(reported.isEmpty()) << "its end is told once";
  EXPECT_THAT(reported.back().front().toString().toStdString(), StartsWith("Study study is done."));
}

TEST_F(StudyPages, AQueueThatWasKilledIsNotShownAsRunning) {
  SampleStudy sample(store(), accuracyOverRanks());
  ProcessIdentity gone = thisProcess();
  gone.startTicks += 1;
  store().studies().setState(sample.number(), StudyState::running);
  store().studies().setSupervisor(sample.number(), gone);
  shown();
  EXPECT_TRUE(page->panels().header().goOn().isVisibleTo(page.get()));
  EXPECT_EQ(small.workspace.currentStudy()->state, StudyState::waiting);
}

TEST_F(StudyPages, AnotherStudyThatGoesOnIsNamedWhereThisOneCannot) {
  nlohmann::json first = accuracyOverRanks();
  first["name"] = "first";
  SampleStudy other(store(), first);
  store().studies().setState(other.number(), StudyState::running);
  store().studies().setSupervisor(other.number(), thisProcess());
  SampleStudy sample(store(), accuracyOverRanks());
  shown();
  EXPECT_FALSE(page->panels().header().goOn().isEnabled());
  EXPECT_THAT(page->panels().header().goOn().toolTip().toStdString(), HasSubstr("first"));
}

TEST_F(StudyPages, AFailedStudyCountsAndNamesItsFailures) {
  SampleStudy sample(store(), accuracyOverRanks());
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome = clearly(cell);
    if (cell.variant == "slow") outcome.state = RunState::failed;
    return outcome;
  });
  store().studies().setState(sample.number(), StudyState::done);
  shown();
  EXPECT_THAT(page->panels().results().sentence().text().toStdString(), HasSubstr("Not comparable: slow (2 ranks)"));
  const MatrixModel& matrix = page->panels().results().matrix().matrix();
  EXPECT_EQ(matrix.cellAt(matrix.index(2, 1))->seeds.front().state, SeedState::failed);
  EXPECT_THAT(matrix.index(2, 1).data(Qt::AccessibleTextRole).toString().toStdString(), HasSubstr("5 failed"));
  bool named = false;
  for (const QLabel* label : page->findChildren<QLabel*>())
    named = named || label->text().contains(QStringLiteral("failed: the loss is no number"));
  EXPECT_TRUE(named);
}

TEST_F(StudyPages, AChangedBaseIsSaidAndCanBeAskedAnew) {
  SampleStudy sample(store(), accuracyOverRanks());
  sample.finish(clearly);
  nlohmann::json changed = nlohmann::json::parse(readFile(sample.base()).value());
  changed["train"]["steps"] = 300;
  ASSERT_TRUE(writeFile(sample.base(), changed.dump()));
  shown();
  QPushButton* follow = nullptr;
  for (QPushButton* button : page->findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("New study from this")) follow = button;
  }
  ASSERT_NE(follow, nullptr);
  ASSERT_TRUE(follow->isVisibleTo(page.get()));
  follow->click();
  EXPECT_TRUE(small.workspace.studies().isDraft());
  EXPECT_EQ(small.workspace.studyDraft().root()["follows"], "study");
  EXPECT_EQ(small.workspace.studyDraft().root()["name"], "study_2");
  small.workspace.studyDraft().start({});
}

TEST_F(StudyPages, EnterComparesTheRunsOfACellAndADotOpensItsRun) {
  SampleStudy sample(store(), accuracyOverRanks());
  sample.finish(clearly);
  MatrixView& view = shown().panels().results().matrix();
  QSignalSpy wanted(&small.workspace, &Workspace::pageWanted);
  view.choose(1, 1);
  view.setFocus();
  QTest::keyClick(&view, Qt::Key_Return);
  ASSERT_EQ(wanted.size(), 1);
  EXPECT_EQ(wanted.back().front().value<PageId>(), PageId::compare);
  EXPECT_EQ(small.workspace.selection().shown().size(), 10U) << "five of adasum and five of the reference";
  const std::string run = view.matrix().cellAt(view.matrix().index(2, 1))->seeds[3].run;
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, dotOf(view, 2, 1, 3));
  EXPECT_EQ(small.workspace.selection().current(), run);
  EXPECT_EQ(wanted.back().front().value<PageId>(), PageId::charts);
}

TEST_F(StudyPages, ArrowKeysChooseACellAndTheTabFollows) {
  SampleStudy sample(store(), toTarget());
  sample.finish(reaches);
  MatrixView& view = shown().panels().results().matrix();
  view.choose(1, 1);
  view.setFocus();
  StudyTab& reached = tab(reachedTab);
  EXPECT_THAT(reached.note().text().toStdString(), HasSubstr("4 ranks"));
  QTest::keyClick(&view, Qt::Key_Left);
  EXPECT_EQ(view.chosenColumn(), 0);
  EXPECT_THAT(reached.note().text().toStdString(), HasSubstr("2 ranks"));
  QTest::keyClick(&view, Qt::Key_Left);
  EXPECT_EQ(view.chosenColumn(), 0) << "names cannot be chosen";
}

TEST_F(StudyPages, CellsAndPartsHaveNamesForScreenReaders) {
  SampleStudy sample(store(), accuracyOverRanks());
  sample.finish(clearly);
  shown();
  const MatrixModel& matrix = page->panels().results().matrix().matrix();
  const std::string cell = matrix.index(1, 2).data(Qt::AccessibleTextRole).toString().toStdString();
  EXPECT_THAT(cell, StartsWith("adasum at 4 ranks, better, +6.0"));
  EXPECT_THAT(cell, HasSubstr("5 seeds: 5 done"));
  EXPECT_EQ(page->panels().results().matrix().accessibleName(), QStringLiteral("Variants by factors"));
  for (QAbstractButton* button : page->findChildren<QAbstractButton*>()) {
    const QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(button);
    if (!button->isVisibleTo(page.get()) || reader == nullptr) continue;
    EXPECT_FALSE(reader->text(QAccessible::Name).isEmpty()) << button->metaObject()->className();
  }
}

TEST_F(StudyPages, TheReportIsTheCommandLines) {
  SampleStudy sample(store(), accuracyOverRanks());
  sample.finish(clearly);
  shown();
  QSignalSpy saved(&page->saver(), &StudySaver::saved);
  const std::filesystem::path file = small.folder.path() / "verdict.csv";
  page->saver().save(file);
  ASSERT_TRUE(test::eventually([&] { return !saved.isEmpty(); }));
  EXPECT_THAT(readFile(file).value(), HasSubstr("adasum,mean,parallel.ranks = 2"));
  QSignalSpy failed(&page->saver(), &StudySaver::failed);
  page->saver().save("/nowhere/verdict.html");
  ASSERT_TRUE(test::eventually([&] { return !failed.isEmpty(); }));
}

TEST_F(StudyPages, AnEmptyStoreOffersAStudy) {
  small.open();
  StudyPage empty(small.workspace, nullptr);
  empty.resize(900, 600);
  empty.show();
  QPushButton* begin = nullptr;
  for (QPushButton* button : empty.findChildren<QPushButton*>()) {
    if (button->isVisible() && button->text() == QStringLiteral("New study")) begin = button;
  }
  ASSERT_NE(begin, nullptr);
  begin->click();
  EXPECT_TRUE(small.workspace.studies().isDraft());
  EXPECT_FALSE(small.workspace.studyDraft().isBlank());
  small.workspace.studyDraft().start({});
}

TEST_F(StudyPages, InChineseNothingIsLeftInEnglish) {
  useLanguage(QStringLiteral("zh_CN"));
  nlohmann::json asked = toTarget();
  asked["variants"] = {{{"name", "erste"}}, {{"name", "zweite"}}};
  SampleStudy sample(store(), asked);
  sample.finish([](const StudyCell& cell) {
    StudyCell renamed = cell;
    renamed.variant = cell.variant == "zweite" ? "adasum" : "mean";
    return reaches(renamed);
  });
  shown();
  for (int index = reachedTab; index <= nextTab; ++index) {
    tab(index);
    ASSERT_TRUE(test::answered(small.workspace));
    const QStringList faults = test::faultsOf(*page, QString::number(index), true);
    EXPECT_TRUE(faults.isEmpty()) << faults.join(QLatin1Char('\n')).toStdString();
  }
}

class StudyLists : public StudyPages {};

TEST_F(StudyLists, TheDockListsStudiesAndChoosesThem) {
  small.open();
  QWidget dock;
  StudyList list(small.workspace, &dock);
  list.resize(280, 300);
  dock.show();
  EXPECT_TRUE(list.isHidden()) << "there is none";
  nlohmann::json first = accuracyOverRanks();
  first["name"] = "first";
  SampleStudy one(store(), first);
  one.finish(clearly);
  SampleStudy two(store(), accuracyOverRanks());
  const auto& model = static_cast<const StudyListModel&>(*list.view().model());
  ASSERT_TRUE(test::eventually([&] { return model.rowCount() == 2; }));
  EXPECT_FALSE(list.isHidden());
  EXPECT_EQ(model.index(0).data().toString(), QStringLiteral("study")) << "the newest first";
  EXPECT_EQ(model.valueAt(0), QStringLiteral("0 / 40"));
  EXPECT_EQ(model.valueAt(1), QStringLiteral("40"));
  EXPECT_THAT(model.index(1).data(Qt::AccessibleTextRole).toString().toStdString(),
              HasSubstr("first, Waiting, 40 of 40 runs ended, 0 failed"));
  QSignalSpy wanted(&small.workspace, &Workspace::pageWanted);
  QTest::mouseClick(list.view().viewport(), Qt::LeftButton, {}, list.view().visualRect(model.index(1)).center());
  EXPECT_EQ(small.workspace.studies().name(), "first");
  EXPECT_EQ(wanted.back().front().value<PageId>(), PageId::study);
  small.workspace.studyDraft().start("{\"name\": \"coming\"}");
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(model.index(0).data().toString(), QStringLiteral("coming"));
  EXPECT_EQ(model.valueAt(0), QStringLiteral("draft"));
  small.workspace.studyDraft().start({});
  EXPECT_EQ(model.rowCount(), 2);
}

/// Only the runs of the study that is opened are read, however many there are beside it.
TEST_F(StudyPages, OneOfTwoHundredIsOpenedAmongTenThousandRuns) {
  constexpr int studies = 200, seeds = 5;
  nlohmann::json asked = accuracyOverRanks();
  asked.erase("factors");
  asked["seeds"] = {{"least", seeds}};
  SampleStudy sample(store(), asked);
  sample.finish(clearly);
  NewRun filler = test::sampleRun();
  store().begin();
  for (int i = 1; i < studies; ++i) {
    StudyRecord record = sample.record();
    record.name = "study " + std::to_string(i);
    std::vector<StudyCell> cells = cellsOf(sample.study());
    const std::int64_t number = store().studies().create(record, cells);
    for (int extra = 0; extra < 50; ++extra) {
      filler.seed = static_cast<std::uint64_t>(extra);
      const std::string run = store().createRun(filler);
      store().setState(run, RunState::done, "");
      if (extra < static_cast<int>(cells.size())) store().studies().setRun(number, extra + 1, run, "{}", 100);
    }
  }
  store().commit();
  small.open();
  small.workspace.studies().choose(sample.study().name);
  ASSERT_TRUE(test::eventually([&] { return small.workspace.store().snapshot()->studies.size() == studies; }));
  page = std::make_unique<StudyPage>(small.workspace, nullptr);
  page->resize(1000, 760);
  QElapsedTimer clock;
  clock.start();
  page->show();
  ASSERT_TRUE(test::eventually([&] { return page->shown().has_value(); }));
  page->grab();
  std::printf("10,000 runs and 200 studies: the page is drawn after %lld ms\n",
              static_cast<long long>(clock.elapsed()));
  EXPECT_EQ(page->shown()->standing.record.number, sample.number());
  EXPECT_EQ(page->shown()->verdict.comparisons.size(), 3U);
  EXPECT_EQ(small.workspace.store().snapshot()->runs.size(), 20U + 199 * 50);
}

StudySettings rate(double value) {
  return {{"optimizer.learning_rate", value}};
}

TEST(TrialRows, RatesAreOnALogScaleThatAllRowsShare) {
  TrialRows rows;
  rows.setRows({{.name = QStringLiteral("averaged"), .tried = {rate(0.02), rate(0.04)}, .chosen = rate(0.04)},
                {.name = QStringLiteral("adasum"), .tried = {rate(0.16), rate(0.01)}, .chosen = rate(0.01)}});
  EXPECT_TRUE(rows.isLogarithmic());
  EXPECT_DOUBLE_EQ(rows.place(rate(0.01)), 0);
  EXPECT_DOUBLE_EQ(rows.place(rate(0.02)), 0.25);
  EXPECT_DOUBLE_EQ(rows.place(rate(0.04)), 0.5);
  EXPECT_DOUBLE_EQ(rows.place(rate(0.16)), 1);
}

TEST(TrialRows, WordsAndSeveralKeysAreInTheirOrder) {
  TrialRows rows;
  const auto scope = [](const char* word) { return StudySettings{{"boost.adasum.scope", word}}; };
  rows.setRows({{.name = QStringLiteral("adasum"), .tried = {scope("flat"), scope("auto"), scope("server")}}});
  EXPECT_FALSE(rows.isLogarithmic());
  EXPECT_DOUBLE_EQ(rows.place(scope("auto")), 0);
  EXPECT_DOUBLE_EQ(rows.place(scope("flat")), 0.5);
  EXPECT_DOUBLE_EQ(rows.place(scope("server")), 1);
  rows.setRows({{.name = QStringLiteral("adasum"), .tried = {scope("flat")}}});
  EXPECT_DOUBLE_EQ(rows.place(scope("flat")), 0.5) << "one trial is in the middle";
}

}  // namespace
}  // namespace slipstream::ui
