// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/curve_source.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/damaged_values.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::recordRun;

class CurveSourceTest : public ::testing::Test {
 protected:
  CurveSourceTest() : store_(test::openStore(folder_.path())) {}

  CurveQuery queryOf(const std::vector<std::string>& runs, const std::string& metric = "loss") {
    CurveQuery query;
    for (const std::string& run : runs) query.runs.push_back({run, "done"});
    query.metric = metric;
    return query;
  }
  CurveAnswer read(const CurveQuery& query) { return source_.read(*store_, query); }

  test::TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_;
  CurveSource source_;
};

TEST_F(CurveSourceTest, ShowsEverySampleOfAShortRun) {
  const std::string run = recordRun(*store_, {.variant = "mean"});
  const CurveAnswer answer = read(queryOf({run}));
  ASSERT_EQ(answer.curves.size(), 1U);
  EXPECT_EQ(answer.curves[0].line.at(0).x.size(), 200U);
  EXPECT_TRUE(answer.curves[0].raw.empty());
  EXPECT_EQ(answer.first, 0);
  EXPECT_EQ(answer.last, 200);
  EXPECT_EQ(answer.samples, answer.drawn);
}

TEST_F(CurveSourceTest, TheRawLineStaysBehindTheSmoothedOne) {
  const std::string run = recordRun(*store_, {.variant = "mean"});
  CurveQuery query = queryOf({run});
  query.smoothing = 0.9;
  const CurveAnswer answer = read(query);
  const Series stored = store_->series(run, "loss");
  EXPECT_EQ(answer.curves.at(0).raw.at(0).y, stored.values);
  EXPECT_EQ(answer.curves.at(0).line.at(0).y, smoothed(stored, 0.9).values);
  ASSERT_TRUE(answer.curves[0].spike);
  query.rawLine = false;
  EXPECT_TRUE(read(query).curves.at(0).raw.empty());
}

TEST_F(CurveSourceTest, AxesCountTheSameSamplesDifferently) {
  const std::string run = recordRun(*store_, {.variant = "mean"});
  const auto plan = parseRunPlan(store_->find(run)->planText);
  CurveQuery query = queryOf({run});
  query.x = ChartX::epoch;
  EXPECT_DOUBLE_EQ(read(query).curves.at(0).line.at(0).x[100], 100.0 / static_cast<double>(plan->stepsPerEpoch));
  query.x = ChartX::samples;
  const auto batch = static_cast<double>(plan->experiment.dataset.batchSize);
  EXPECT_DOUBLE_EQ(read(query).curves.at(0).line.at(0).x[100], 100 * 2 * batch);
  query.x = ChartX::wallTime;
  const CurveAnswer wall = read(query);
  EXPECT_NEAR(wall.curves.at(0).line.at(0).x[100] - wall.first, 0.5, 1e-6);
}

TEST_F(CurveSourceTest, SeedsBecomeOneCurveWithABand) {
  const std::string first = recordRun(*store_, {.variant = "mean", .seed = 1});
  const std::string second = recordRun(*store_, {.variant = "mean", .seed = 2});
  const std::string other = recordRun(*store_, {.variant = "adasum", .seed = 1, .adasum = true});
  CurveQuery query = queryOf({first, other, second});
  EXPECT_EQ(read(query).curves.size(), 3U);
  query.bands = true;
  const CurveAnswer answer = read(query);
  ASSERT_EQ(answer.curves.size(), 2U);
  EXPECT_EQ(answer.curves[0].runs, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(answer.curves[1].runs, (std::vector<std::size_t>{1}));
  const double a = store_->series(first, "loss").values[50];
  const double b = store_->series(second, "loss").values[50];
  EXPECT_DOUBLE_EQ(answer.curves[0].line.at(0).y[50], (a + b) / 2);
  EXPECT_DOUBLE_EQ(answer.curves[0].lowest.at(0).y[50], std::min(a, b));
  EXPECT_DOUBLE_EQ(answer.curves[0].highest.at(0).y[50], std::max(a, b));
}

TEST_F(CurveSourceTest, RunsOfOneSeedCountOnceInABand) {
  CurveQuery query = queryOf({recordRun(*store_, {.variant = "mean", .seed = 1, .accuracy = 0.90}),
                              recordRun(*store_, {.variant = "mean", .seed = 1, .accuracy = 0.90}),
                              recordRun(*store_, {.variant = "mean", .seed = 2, .accuracy = 0.96})},
                             "accuracy");
  query.bands = true;
  const CurveAnswer answer = read(query);
  ASSERT_EQ(answer.curves.size(), 1U);
  EXPECT_EQ(answer.curves[0].runs.size(), 3U);
  EXPECT_EQ(answer.curves[0].seeds, 2U);
  EXPECT_NEAR(answer.curves[0].line.at(0).y.back(), 0.93, 1e-12) << "and not 0.92";
}

TEST_F(CurveSourceTest, AStarIsTheMeanOfAllThatBeginSo) {
  const std::string run = recordRun(*store_, {.variant = "adasum", .adasum = true});
  double sum = 0;
  for (const char* tensor : {"conv1.weight", "conv1.bias", "conv2.weight", "fc1.weight"}) {
    sum += store_->series(run, std::string("orthogonality/") + tensor).values[7];
  }
  EXPECT_DOUBLE_EQ(read(queryOf({run}, "orthogonality/*")).curves.at(0).line.at(0).y[7], sum / 4);
}

TEST_F(CurveSourceTest, RunsWithoutTheMetricHaveNoCurve) {
  const std::string with = recordRun(*store_, {.variant = "adasum", .adasum = true});
  const std::string without = recordRun(*store_, {.variant = "mean"});
  EXPECT_EQ(read(queryOf({without, with}, "orthogonality/*")).curves.at(0).runs, (std::vector<std::size_t>{1}));
  EXPECT_TRUE(read(queryOf({without}, "nothing")).curves.empty());
  EXPECT_TRUE(read(queryOf({})).curves.empty());
  EXPECT_TRUE(read(queryOf({"gone"})).curves.empty());
}

/// A run of `steps` whose loss is 1 but for spikes of one sample, and what is no number.
std::string recordLong(RunStore& store, std::int64_t steps, const std::vector<std::int64_t>& spikes,
                       const std::vector<std::int64_t>& gaps = {}) {
  const std::string id = store.createRun(test::sampleRun());
  const int attempt = store.startAttempt(id, 0);
  MetricBlock block =
      test::block(0, steps, {"loss"}, [](std::int64_t step, auto) { return 1 + 1e-3 * static_cast<double>(step % 3); });
  for (const std::int64_t spike : spikes) block.values[static_cast<std::size_t>(spike)] = 50;
  for (const std::int64_t gap : gaps) block.values[static_cast<std::size_t>(gap)] = std::nan("");
  store.appendMetrics(id, attempt, 0, 1, block);
  store.setState(id, RunState::done, "");
  return id;
}

TEST_F(CurveSourceTest, SpikesOfOneSampleAreThereAtEveryZoom) {
  const std::vector<std::int64_t> spikes{3, 777, 50'000, 50'001, 99'998};
  const std::string run = recordLong(*store_, 100'000, spikes);
  CurveQuery query = queryOf({run});
  query.smoothing = 0.9;
  query.columns = 300;
  for (const double width : {100'000.0, 20'000.0, 500.0, 20.0}) {
    for (const std::int64_t spike : spikes) {
      const auto at = static_cast<double>(spike);
      query.range = {at - width / 3, at + width / 3};
      bool found = false;
      double highest = 0;
      const CurveAnswer answer = read(query);
      for (const Line& line : answer.curves.at(0).raw) {
        for (std::size_t i = 0; i < line.x.size(); ++i) {
          found = found || (line.x[i] == at && line.y[i] == 50);
          highest = std::max(highest, line.y[i]);
        }
      }
      // Where two spikes share a column one of them stands for both.
      EXPECT_TRUE(found || width > 400) << spike << " in " << width;
      EXPECT_EQ(highest, 50) << spike << " in " << width;
    }
  }
}

TEST_F(CurveSourceTest, WhatIsNoNumberIsAGapWithAMark) {
  const std::string run = recordLong(*store_, 1000, {}, {400, 401});
  CurveQuery query = queryOf({run});
  EXPECT_EQ(read(query).curves.at(0).line.size(), 2U);
  EXPECT_EQ(read(query).curves.at(0).gaps, (std::vector<double>{400, 401}));
  query.range = {500, 900};
  EXPECT_TRUE(read(query).curves.at(0).gaps.empty());
}

TEST_F(CurveSourceTest, ManyCurvesShareWhatAChartDraws) {
  std::vector<std::string> runs;
  for (int i = 0; i < 20; ++i) runs.push_back(recordLong(*store_, 5000, {123}));
  CurveQuery query = queryOf(runs);
  query.smoothing = 0.5;
  const CurveAnswer all = read(query);
  EXPECT_EQ(all.samples, 100'000U);
  EXPECT_LT(all.drawn, 40'000U);
  for (const ThinCurve& curve : all.curves) {
    EXPECT_TRUE(curve.raw.empty()) << "raw lines of so many curves hide all others";
    EXPECT_GT(*std::max_element(curve.line.at(0).y.begin(), curve.line.at(0).y.end()), 20);
  }
  runs.resize(mostWithRawLines);
  query = queryOf(runs);
  query.smoothing = 0.5;
  const CurveAnswer few = read(query);
  EXPECT_LT(few.drawn, 20'000U);
  for (const ThinCurve& curve : few.curves) {
    EXPECT_EQ(*std::max_element(curve.raw.at(0).y.begin(), curve.raw.at(0).y.end()), 50);
  }
}

/// Long curves of which only overviews are kept, beside a source that keeps all.
class OverviewTest : public CurveSourceTest {
 protected:
  OverviewTest() {
    for (int i = 0; i < 3; ++i) {
      runs_.push_back(recordLong(*store_, steps_, {3, 777, 50'000, 50'001, 99'998, 131'000}, {60'000, 60'001}));
      store_->compact(runs_.back());
    }
    query_ = queryOf(runs_);
    query_.smoothing = 0.9;
    query_.columns = 300;
  }
  void expectSame(const CurveAnswer& thrifty, const CurveAnswer& whole, const char* where) {
    ASSERT_EQ(thrifty.curves.size(), whole.curves.size()) << where;
    EXPECT_EQ(thrifty.samples, whole.samples);
    for (std::size_t i = 0; i < whole.curves.size(); ++i) {
      const ThinCurve& one = thrifty.curves[i];
      const ThinCurve& other = whole.curves[i];
      for (auto lines : {&ThinCurve::raw, &ThinCurve::line}) {
        const auto [low, high] = endsOf(one.*lines);
        const auto [wholeLow, wholeHigh] = endsOf(other.*lines);
        EXPECT_EQ(high, wholeHigh) << where;
        EXPECT_EQ(low, wholeLow) << where;
      }
      EXPECT_NEAR(one.last->smoothed, other.last->smoothed, 1e-9);
    }
  }
  static std::pair<double, double> endsOf(const std::vector<Line>& lines) {
    std::pair<double, double> ends{1e9, -1e9};
    for (const Line& line : lines) {
      for (const double y : line.y) ends = {std::min(ends.first, y), std::max(ends.second, y)};
    }
    return ends;
  }

  static constexpr std::int64_t steps_ = 140'000;
  std::vector<std::string> runs_;
  CurveQuery query_;
  CurveSource thrifty_{std::size_t{24} << 20};
};

TEST_F(OverviewTest, DrawsAsWholeCurvesDo) {
  expectSame(thrifty_.read(*store_, query_), read(query_), "all of it");
  query_.range = {40'000, 70'000};
  expectSame(thrifty_.read(*store_, query_), read(query_), "a part that the overview still tells");
  EXPECT_EQ(thrifty_.read(*store_, query_).curves.at(0).line.size(), 2U) << "broken where there is no number";
  query_.range = {49'990, 50'020};
  const CurveAnswer parts = thrifty_.read(*store_, query_), whole = read(query_);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    EXPECT_EQ(parts.curves[i].raw.at(0).x, whole.curves[i].raw.at(0).x) << "every sample in sight";
    EXPECT_EQ(parts.curves[i].raw.at(0).y, whole.curves[i].raw.at(0).y);
    EXPECT_EQ(parts.curves[i].last->x, steps_ - 1) << "the end of the curve, not of what is shown";
    ASSERT_EQ(parts.curves[i].line.at(0).y.size(), whole.curves[i].line.at(0).y.size());
    for (std::size_t j = 0; j < parts.curves[i].line[0].y.size(); ++j) {
      EXPECT_NEAR(parts.curves[i].line[0].y[j], whole.curves[i].line[0].y[j], 1e-8) << "smoothed from far enough away";
    }
  }
}

TEST_F(OverviewTest, ReadsTheCursorAndStepsBySamples) {
  thrifty_.read(*store_, query_);
  const CursorAnswer near = thrifty_.at(*store_, query_, 70'000.4);
  ASSERT_EQ(near.readings.size(), runs_.size());
  EXPECT_NEAR(near.readings[0].x, 70'000, 64) << "a sample within the pixel";
  for (const CurveReading& reading : near.readings) EXPECT_EQ(reading.x, near.readings[0].x);
  EXPECT_EQ(thrifty_.at(*store_, query_, 50'000.2, 0, true).readings.at(0).raw, 50) << "exactly there";
  for (const int move : {1, -1, 5000, -20'000}) {
    EXPECT_EQ(thrifty_.at(*store_, query_, 50'000, move).x, 50'000 + move);
  }
  EXPECT_EQ(thrifty_.at(*store_, query_, 50'000, 1 << 30).x, steps_ - 1);
  EXPECT_EQ(thrifty_.at(*store_, query_, 50'000, -(1 << 30)).x, 0);
}

TEST_F(OverviewTest, TheCursorReadsWhatAZoomedChartShows) {
  query_.range = {49'990, 50'020};
  thrifty_.read(*store_, query_);
  const CursorAnswer shown = thrifty_.at(*store_, query_, 50'000.2);
  ASSERT_EQ(shown.readings.size(), runs_.size());
  EXPECT_EQ(shown.readings[0].raw, 50);
  EXPECT_EQ(thrifty_.at(*store_, query_, 777.3).readings.at(0).raw, 50) << "out of sight it is read";
}

TEST_F(OverviewTest, ATableThatIsTooLargeIsNotMade) {
  EXPECT_FALSE(thrifty_.table(*store_, query_, 100'000));
  EXPECT_FALSE(source_.table(*store_, query_, 100'000)) << "the same of whole curves";
  EXPECT_FALSE(source_.table(*store_, query_, 2 * steps_)) << "two curves of three";
  query_.range = {49'990, 50'020};
  const auto table = thrifty_.table(*store_, query_, 100);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->x.size(), 31U);
  EXPECT_FALSE(thrifty_.table(*store_, query_, 92)) << "31 rows of 3";
}

TEST_F(OverviewTest, WhatThereIsNoTimeForIsReadByTheNextCall) {
  std::size_t unread = runs_.size();
  for (std::size_t call = 1; call <= runs_.size(); ++call) {
    const CurveAnswer answer = thrifty_.read(*store_, query_, 0);
    EXPECT_EQ(answer.curves.size(), call) << "one at least";
    EXPECT_EQ(answer.unread, --unread);
  }
}

TEST_F(CurveSourceTest, TheAxisEndsWhereTheRunDoesUnlessItIsAlmostThere) {
  const std::string done = recordRun(*store_, {.variant = "done"});
  EXPECT_EQ(read(queryOf({done})).last, 200);
  const RunPlan plan = test::planOf({.variant = "stopped"});
  NewRun asked = test::sampleRun("stopped");
  asked.planText = toJsonText(plan);
  const std::string stopped = store_->createRun(asked);
  const int attempt = store_->startAttempt(stopped, 0);
  store_->appendMetrics(stopped, attempt, 0, 1, test::block(0, 60, {"loss"}, [](auto, auto) { return 1.0; }));
  store_->setState(stopped, RunState::stopped, "");
  const CurveAnswer answer = read(queryOf({stopped}));
  EXPECT_EQ(answer.last, 59);
  EXPECT_EQ(answer.planned, 200);
}

TEST_F(CurveSourceTest, ANewVersionIsReadAgainAndAnOldOneIsNot) {
  const std::string run = recordLong(*store_, 100, {});
  EXPECT_EQ(read(queryOf({run})).samples, 100U);
  store_->appendMetrics(run, 1, 0, 2, test::block(100, 10, {"loss"}, [](auto, auto) { return 1.0; }));
  EXPECT_EQ(read(queryOf({run})).samples, 100U);
  CurveQuery next = queryOf({run});
  next.runs[0].version = "later";
  EXPECT_EQ(read(next).samples, 110U);
}

TEST_F(CurveSourceTest, TheCursorReadsFullDataAndStepsBySamples) {
  const std::string run = recordLong(*store_, 100'000, {40'000});
  CurveQuery query = queryOf({run});
  query.smoothing = 0.9;
  query.columns = 100;
  const CursorAnswer near = source_.at(*store_, query, 40'000.3);
  EXPECT_EQ(near.readings.at(0).x, 40'000);
  EXPECT_EQ(near.readings.at(0).raw, 50);
  EXPECT_LT(near.readings.at(0).smoothed, 10);
  EXPECT_EQ(source_.at(*store_, query, 40'000, 1).x, 40'001);
  EXPECT_EQ(source_.at(*store_, query, 40'000, -1).x, 39'999);
  EXPECT_EQ(source_.at(*store_, query, 0, -5).x, 0);
  EXPECT_EQ(source_.at(*store_, query, 0, 1 << 30).x, 99'999);
  EXPECT_TRUE(source_.at(*store_, query, 1e7).readings.empty());
}

TEST_F(CurveSourceTest, TheTableHoldsWhatIsVisible) {
  const std::string one = recordLong(*store_, 100, {}, {12});
  const std::string two = recordLong(*store_, 15, {});
  CurveQuery query = queryOf({one, two});
  query.range = {10, 19};
  const CurveTable table = *source_.table(*store_, query);
  EXPECT_EQ(table.x.size(), 10U);
  EXPECT_TRUE(table.present.at(0)[2]);
  EXPECT_TRUE(std::isnan(table.values.at(0)[2]));
  EXPECT_TRUE(table.present.at(1)[4]);
  EXPECT_FALSE(table.present.at(1)[5]);
}

TEST_F(CurveSourceTest, DamagedValuesOfOneRunLeaveTheOthersDrawn) {
  const std::string sound = recordRun(*store_, {.variant = "mean"});
  const std::string broken = recordRun(*store_, {.variant = "adasum", .adasum = true});
  test::damageValues(*store_, broken, "loss");
  for (int time = 0; time < 2; ++time) {  // also from what is kept
    const CurveAnswer answer = read(queryOf({sound, broken}));
    ASSERT_EQ(answer.curves.size(), 1U);
    EXPECT_EQ(answer.curves[0].runs, std::vector<std::size_t>{0});
    EXPECT_EQ(answer.damaged, std::vector<std::size_t>{1});
  }
  EXPECT_TRUE(read(queryOf({sound, broken}, "accuracy")).damaged.empty());
}

}  // namespace
}  // namespace slipstream
