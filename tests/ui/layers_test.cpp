// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"
#include "ui/layers/layers_reading.h"
#include "ui/layers/strip_chart.h"
#include "ui/ranks/rank_bars.h"
#include "ui/ranks/stacked_bars.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

StripModel twoRows() {
  StripModel picture;
  picture.rows = {{"conv1.weight", {0, 1, NAN, 1}}, {"fc1.weight", {1, 1, 1, 1}}};
  picture.colour = [](double share) { return sequentialColour(share); };
  picture.reading = [](double share) { return QString::number(share); };
  picture.last = 8;
  picture.leftRoom = 100;
  return picture;
}

TEST(StripChart, CellsHaveTheirColourAndEmptyOnesNone) {
  StripChart chart;
  chart.setModel(twoRows());
  chart.resize(600, chart.sizeHint().height());
  QImage image(chart.size(), QImage::Format_RGB32);
  image.fill(Qt::white);
  chart.render(&image, {}, {}, {});
  const auto pixel = [&](double step, int row) {
    return image.pixelColor(static_cast<int>(chart.pixelOf(step)),
                            static_cast<int>(chart.plot().top()) + chart.pitch() * row + 9);
  };
  EXPECT_EQ(pixel(1, 0), sequentialColour(0));
  EXPECT_EQ(pixel(3, 0), sequentialColour(1));
  EXPECT_EQ(pixel(5, 0), QColor(Qt::white));
  EXPECT_EQ(pixel(5, 1), sequentialColour(1));
}

/// The key says which colour stands for which value, whatever part of the range the values take.
TEST(Layers, ColoursAreSpreadOverTheValuesThereAre) {
  LayersReading reading;
  reading.ranks = 2;
  reading.columns = {.firstStep = 0, .endStep = 4, .count = 4};
  reading.orthogonality = {{"conv1.weight", {0.87, 0.93, NAN, 1}}};
  const StripModel fitted = orthogonalityStrip(reading);
  EXPECT_EQ(fitted.key.low, QStringLiteral("from 0.85"));
  EXPECT_EQ(fitted.colour(fitted.key.from), sequentialColour(0));
  EXPECT_EQ(fitted.colour(1), sequentialColour(1));
  EXPECT_EQ(fitted.reading(fitted.rows[0].values[0]), QLocale().toString(0.87, 'f', 2));
  reading.orthogonality = {{"conv1.weight", {0.55, 1}}};
  EXPECT_EQ(orthogonalityStrip(reading).key.from, 0) << "values that take most of the range";
  reading.orthogonality = {{"conv1.weight", {NAN, NAN}}};
  EXPECT_EQ(orthogonalityStrip(reading).key.from, 0) << "no value";
}

TEST(StripChart, ReadsWhatIsUnderTheCursor) {
  StripChart chart;
  chart.setModel(twoRows());
  EXPECT_EQ(chart.valueAt(0, 2.5), 1);
  EXPECT_FALSE(chart.valueAt(0, 4.5));
  EXPECT_FALSE(chart.valueAt(2, 1));
  EXPECT_FALSE(chart.valueAt(0, 9));
}

TEST(StripChart, DraggingAsksForThatRange) {
  StripChart chart;
  chart.setModel(twoRows());
  chart.resize(600, chart.sizeHint().height());
  double first = 0, last = 0;
  QObject::connect(&chart, &StripChart::rangeWanted, [&](double from, double to) {
    first = from;
    last = to;
  });
  const auto at = [&](double x) {
    return QPoint(static_cast<int>(std::lround(chart.pixelOf(x))), static_cast<int>(chart.plot().center().y()));
  };
  QTest::mousePress(&chart, Qt::LeftButton, {}, at(6));
  QTest::mouseRelease(&chart, Qt::LeftButton, {}, at(2));
  EXPECT_NEAR(first, 2, 0.1);
  EXPECT_NEAR(last, 6, 0.1);
}

TEST(Layers, OnlyWhatTheRunHasAndTheRestByName) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string with = test::recordRun(*store, {.variant = "adasum", .adasum = true});
  const std::string without = test::recordRun(*store, {.variant = "mean"});
  const LayersReading adasum = readLayers(*store, with, {});
  EXPECT_EQ(adasum.stepsDone, 200);
  EXPECT_EQ(adasum.orthogonality.size(), 4);
  EXPECT_FALSE(missingText(adasum).contains(QStringLiteral("orthogonality")));
  EXPECT_TRUE(missingText(adasum).contains(QStringLiteral("freeze timeline")));
  EXPECT_TRUE(missingText(readLayers(*store, without, {})).contains(QStringLiteral("orthogonality (off by level)")));
}

TEST(Layers, ARangeOfSteps) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = test::recordRun(*store, {.variant = "adasum", .adasum = true});
  const LayersReading part = readLayers(*store, run, {50, 90, 1000});
  EXPECT_EQ(part.columns.firstStep, 50);
  EXPECT_EQ(part.columns.count, 40) << "no column is narrower than a step";
  EXPECT_EQ(readLayers(*store, run, {50, 900, 10}).columns.endStep, 200);
}

TEST(Ranks, BarsStandByRankOrByCommunication) {
  RanksReading reading;
  for (int rank = 0; rank < 3; ++rank) {
    const double communication = rank == 1 ? 4 : 1;
    reading.times.push_back(
        {rank, {.steps = 10, .whole = 100, .compute = 90 - communication, .communication = communication}});
  }
  EXPECT_EQ(timeBars(reading, RankOrder::rank).bars[0].rank, 0);
  EXPECT_EQ(timeBars(reading, RankOrder::communication).bars[0].rank, 1);
}

TEST(Ranks, WhatTakesMostOfAStepIsSaid) {
  RanksReading reading;
  EXPECT_TRUE(timeFinding(reading).isEmpty()) << "nothing was measured";
  reading.times.push_back({0, {.steps = 10, .whole = 100, .compute = 30, .communication = 60}});
  EXPECT_EQ(timeFinding(reading),
            QStringLiteral("<b>Exposed communication takes 60.0 % of a step</b>, compute 30.0 %."));
  reading.times = {{0, {.steps = 10, .whole = 100, .compute = 95, .communication = 5}}};
  EXPECT_EQ(timeFinding(reading), QStringLiteral("<b>Compute takes 95.0 % of a step.</b>"))
      << "5 % are not worth naming";
}

TEST(Ranks, TheAxisEndsWithATickBehindTheLongestBar) {
  StackedBars bars;
  bars.resize(500, 200);
  BarsModel model;
  model.unit = QStringLiteral("ms");
  model.unitSize = 1e-3;
  model.colours = {[] { return QColor(Qt::black); }};
  model.bars = {{.rank = 0, .name = QStringLiteral("rank 0"), .parts = {2.31e-3}, .total = {}, .text = {}}};
  bars.setModel(model);
  EXPECT_NEAR(bars.axisEnd(), 2.5e-3, 1e-12);
  model.bars[0].parts = {2.5e-3};
  bars.setModel(model);
  EXPECT_NEAR(bars.axisEnd(), 2.5e-3, 1e-12) << "a bar may end with it";
}

TEST(Ranks, SizesOfATableAreCountedInOneUnit) {
  RanksReading reading;
  reading.forecast = {{"weights", 182'530}, {"activations", 60'000'000}};
  reading.memory[0] = {{"weights", 192'530}, {"activations", 60'000'000}};
  const SizeUnit unit = memoryUnit(reading);
  EXPECT_EQ(unit.name, QStringLiteral("MB"));
  QStringList weights;
  for (const KeyValueRow& row : memoryParts(reading, unit)) {
    if (row.values.at(0) == QStringLiteral("0.18")) weights = row.values;
  }
  EXPECT_EQ(weights, (QStringList{QStringLiteral("0.18"), QStringLiteral("0.19"), QStringLiteral("+0.01")}));
}

TEST(Ranks, ChartsBelowEachOtherHaveOnePairOfEdges) {
  const auto barsWith = [](const QString& name, const QString& total) {
    BarsModel model;
    model.colours = {[] { return QColor(Qt::blue); }};
    StackedBar bar;
    bar.parts = {1};
    bar.name = name;
    bar.total = total;
    model.bars = {bar};
    return model;
  };
  StackedBars upper, lower;
  upper.setModel(barsWith(QStringLiteral("rank 0"), QStringLiteral("123.45 MB")));
  lower.setModel(barsWith(QStringLiteral("the forecast"), QStringLiteral("1 ms")));
  const std::pair both(std::max(upper.margins().first, lower.margins().first),
                       std::max(upper.margins().second, lower.margins().second));
  std::vector<QImage> images;
  for (StackedBars* bars : {&upper, &lower}) {
    bars->setLeastMargins(both);
    bars->resize(600, bars->sizeHint().height());
    images.push_back(bars->grab().toImage());
  }
  const auto edges = [](const QImage& image) {
    std::pair found(-1, -1);
    for (int x = 0; x < image.width(); ++x) {
      if (image.pixelColor(x, image.height() / 2) != QColor(Qt::blue)) continue;
      if (found.first < 0) found.first = x;
      found.second = x;
    }
    return found;
  };
  EXPECT_GT(edges(images[0]).second, edges(images[0]).first + 100);
  EXPECT_EQ(edges(images[0]), edges(images[1]));
}

TEST(Ranks, TheOptimizerIsAPartAndWhatIsHiddenAShareOfAllCommunication) {
  RanksReading reading;
  StepTiming timing{
      .steps = 10, .whole = 1, .compute = 0.5, .optimizer = 0.2, .communication = 0.1, .checkpoints = 2.5};
  reading.times = {{0, timing}};
  const auto valueOf = [](const std::vector<KeyValueRow>& rows, const char* name) {
    for (const KeyValueRow& row : rows) {
      if (row.name == QLatin1String(name)) return row.values.at(0);
    }
    return QString();
  };
  EXPECT_EQ(valueOf(timeParts(reading), "Optimizer"), QStringLiteral("20.0 ms"));
  EXPECT_EQ(valueOf(timeSummary(reading), "Overlapped communication"), QStringLiteral("not measured"));
  EXPECT_TRUE(valueOf(timeSummary(reading), "Checkpoint time").isEmpty()) << "nor was that measured";
  reading.times[0].timing.hidden = 0.3;
  EXPECT_EQ(valueOf(timeSummary(reading), "Overlapped communication"), QStringLiteral("30.0 ms, 75.0 %"));
  EXPECT_EQ(valueOf(timeSummary(reading), "Checkpoint time"), QStringLiteral("2.50 s"));
  reading.times[0].timing.optimizer = 0;
  EXPECT_TRUE(valueOf(timeParts(reading), "Optimizer").isEmpty()) << "older programs did not measure it";
}

TEST(Ranks, AClickOnABarNamesItsRank) {
  StackedBars bars;
  BarsModel picture;
  picture.colours = {[] { return partColour(Part::compute); }};
  picture.bars = {{-1, QStringLiteral("forecast"), {2}, {}, {}}, {7, QStringLiteral("rank 7"), {3}, {}, {}}};
  bars.setModel(picture);
  bars.resize(400, bars.sizeHint().height());
  QSignalSpy activated(&bars, &StackedBars::activated);
  QTest::mouseClick(&bars, Qt::LeftButton, {}, bars.row(0).center().toPoint());
  EXPECT_EQ(activated.size(), 0) << "the forecast is no rank's";
  QTest::mouseClick(&bars, Qt::LeftButton, {}, bars.row(1).center().toPoint());
  ASSERT_EQ(activated.size(), 1);
  EXPECT_EQ(activated[0][0].toInt(), 7);
}

}  // namespace
}  // namespace slipstream::ui
