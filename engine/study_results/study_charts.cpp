// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/study_charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/document/chart_layout.h"
#include "engine/runs/measure.h"
#include "engine/statistics/paired.h"

namespace slipstream {
namespace {

template <class Number>
ChartTick wholeTick(Number value) {
  return {static_cast<double>(value), std::to_string(static_cast<std::int64_t>(value))};
}

int penOf(const VariantPens& pens, const std::string& variant) {
  const auto found = pens.find(variant);
  return found == pens.end() ? 0 : found->second;
}

/// Both ends of every step.
struct Stairs {
  Line line;
  void to(double x, double y) {
    if (!line.y.empty() && line.y.back() != y) add(x, line.y.back());
    add(x, y);
  }

 private:
  void add(double x, double y) {
    line.x.push_back(x);
    line.y.push_back(y);
  }
};

ChartX axisOf(const StudyMeasure& measure) {
  if (measure.quantity == Quantity::seconds) return ChartX::relativeTime;
  return measure.key == measure::stepsToTarget ? ChartX::step : ChartX::samples;
}

Text missedText(const ReachedCurve& curve) {
  std::vector<Text> parts;
  if (curve.failed > 0) parts.push_back(phrase("{} failed", {std::to_string(curve.failed)}));
  if (curve.never > 0) parts.push_back(phrase("{} never reached it", {std::to_string(curve.never)}));
  return joined(std::move(parts), ", ");
}

ChartCurve curveOf(const ReachedCurve& reached, int pen, bool banded) {
  ChartCurve curve{.label = reached.variant, .note = missedText(reached), .colourSlot = pen};
  Stairs line, low, high;
  for (Stairs* stairs : {&line, &low, &high}) stairs->to(0, 0);
  for (std::size_t i = 0; i < reached.steps.size(); ++i) {
    const double time = reached.steps[i].time;
    line.to(time, 100 * (1 - reached.steps[i].survival));
    low.to(time, 100 * (1 - reached.band[i].high));
    high.to(time, 100 * (1 - reached.band[i].low));
  }
  for (Stairs* stairs : {&line, &low, &high}) stairs->to(reached.end, stairs->line.y.back());
  curve.line = {line.line};
  curve.censored = reached.failed + reached.never > 0;
  if (banded) {
    curve.lowest = {low.line};
    curve.highest = {high.line};
  }
  return curve;
}

using Points = std::vector<ScalingPoint> ScalingCurve::*;

ChartCurve curveOf(const std::vector<ScalingPoint>& points, const std::string& variant, int pen, double factor) {
  ChartCurve curve{.label = variant, .colourSlot = pen, .points = true};
  Line line, low, high;
  for (const ScalingPoint& point : points) {
    for (Line* one : {&line, &low, &high}) one->x.push_back(point.ranks);
    line.y.push_back(factor * point.value);
    low.y.push_back(factor * point.low);
    high.y.push_back(factor * point.high);
  }
  curve.line = {line};
  curve.lowest = {low};
  curve.highest = {high};
  return curve;
}

/// What a chart of scaling is about.
struct ScalingAspect {
  const char* title;
  const char* unit;
  Points points;
  bool relative;  ///< in percent, and ideally 100; else it grows with the ranks
};

/// From what the reference has on its fewest ranks.
ChartCurve idealOf(const Scaling& scaling, Points points) {
  ChartCurve curve{.label = "", .note = phrase("ideal"), .ideal = true};
  for (const ScalingCurve& one : scaling.curves) {
    if ((one.*points).empty()) continue;
    const ScalingPoint& first = (one.*points).front();
    Line line;
    for (const int ranks : scaling.ranks) {
      line.x.push_back(ranks);
      line.y.push_back(first.value * ranks / first.ranks);
    }
    curve.line = {line};
    break;
  }
  return curve;
}

ChartModel scalingChart(const Scaling& scaling, const VariantPens& pens, const ScalingAspect& aspect) {
  ChartModel chart{.title = phrase(aspect.title), .x = ChartX::number};
  chart.treatment = joined({phrase(aspect.unit), phrase("band: lowest to highest seed")}, ", ");
  chart.xName = phrase("ranks");
  for (const auto ranks : scaling.ranks) chart.xTicks.push_back(wholeTick(ranks));
  chart.first = scaling.ranks.front();
  chart.last = scaling.ranks.back();
  chart.logarithmicX = true;
  chart.logarithmic = !aspect.relative;
  if (aspect.relative) chart.bounds = {{100, phrase("ideal")}};
  for (const ScalingCurve& one : scaling.curves) {
    if ((one.*aspect.points).empty()) continue;
    chart.curves.push_back(
        curveOf(one.*aspect.points, one.variant, penOf(pens, one.variant), aspect.relative ? 100 : 1));
  }
  if (!aspect.relative && !chart.curves.empty())
    chart.curves.insert(chart.curves.begin(), idealOf(scaling, aspect.points));
  return chart;
}

/// A line from one value to the other, where they differ.
void addReach(std::vector<Line>& lines, std::vector<double> x, std::vector<double> y) {
  if (x.front() != x.back() || y.front() != y.back()) lines.push_back({std::move(x), std::move(y)});
}

/// A dot a point, so that points of one variant are not joined: they need not rise.
ChartModel tradeOffChart(const std::vector<TradeOffPoint>& points, const VariantPens& pens,
                         std::optional<SeedRange> TradeOffPoint::*cost, double unit) {
  constexpr double margin = 0.08;  // of the range, on either side
  ChartModel chart{.upperLimit = 100};
  std::map<std::string, ChartCurve> curves;
  std::vector<std::string> order;
  double first = INFINITY, last = 0;
  for (const TradeOffPoint& point : points) {
    const std::optional<SeedRange>& x = point.*cost;
    if (!x || !point.accuracy) continue;
    const auto [made, isNew] = curves.try_emplace(point.variant);
    if (isNew) order.push_back(point.variant);
    ChartCurve& curve = made->second;
    curve.label = point.variant;
    curve.colourSlot = penOf(pens, point.variant);
    curve.points = true;
    const SeedRange& y = *point.accuracy;
    const double middle = x->mean / unit;
    curve.line.push_back({{middle}, {y.mean}});
    addReach(curve.raw, {middle, middle}, {y.low, y.high});
    addReach(curve.raw, {x->low / unit, x->high / unit}, {y.mean, y.mean});
    first = std::min(first, x->low / unit);
    last = std::max(last, x->high / unit);
  }
  for (const std::string& variant : order) chart.curves.push_back(std::move(curves[variant]));
  const double room = std::max(last - first, 0.1 * last) * margin;
  chart.first = order.empty() ? 0 : std::max(0.0, first - room);
  chart.last = last + room;
  return chart;
}

/// At most ten whole numbers, evenly apart.
std::vector<ChartTick> wholeTicks(int first, int last) {
  const int step = std::max(1, (last - first + 8) / 9);
  std::vector<ChartTick> ticks;
  for (int tick = first; tick <= last; tick += step) ticks.push_back(wholeTick(tick));
  return ticks;
}

}  // namespace

ChartModel reachedChart(const TimeToTarget& reached, const Study& study, const VariantPens& pens,
                        const std::set<std::string>& banded) {
  ChartModel chart{.x = axisOf(reached.measure), .last = 1e-9, .wholeNumbers = true, .range = {{0, 100}}};
  chart.title = phrase("Seeds that reached {} %", {fmt::format("{:.4g}", 100 * study.question.target.value_or(1))});
  chart.treatment = joined({phrase("% of the seeds over {}", {axisName(chart.x)}),
                            phrase("band: {} %, point by point", {fmt::format("{:.4g}", 100 * reached.level)})},
                           ", ");
  for (const ReachedCurve& curve : reached.curves) {
    chart.curves.push_back(curveOf(curve, penOf(pens, curve.variant), banded.contains(curve.variant)));
    chart.last = std::max(chart.last, curve.end);
  }
  return chart;
}

std::vector<ChartModel> scalingCharts(const Scaling& scaling, const VariantPens& pens) {
  const ScalingAspect aspects[] = {
      {message("Weak scaling"), message("samples a second"), &ScalingCurve::throughput, false},
      {message("Weak efficiency"), message("% of samples a second and rank"), &ScalingCurve::weakEfficiency, true},
      {message("Strong scaling"),
       scaling.toTarget ? message("speed-up to the target") : message("speed-up of the training"),
       &ScalingCurve::speedUp, false},
      {message("Strong efficiency"), message("% of the speed-up that the ranks would give"),
       &ScalingCurve::strongEfficiency, true}};
  std::vector<ChartModel> charts;
  for (const ScalingAspect& aspect : aspects) {
    ChartModel chart = scalingChart(scaling, pens, aspect);
    if (!chart.curves.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<ChartModel> tradeOffCharts(const std::vector<TradeOffPoint>& points, const VariantPens& pens) {
  constexpr double megabyte = 1e6;
  std::vector<ChartModel> charts{tradeOffChart(points, pens, &TradeOffPoint::seconds, 1),
                                 tradeOffChart(points, pens, &TradeOffPoint::bytes, megabyte)};
  charts[0].title = phrase("Accuracy and time");
  charts[0].treatment = phrase("test accuracy in %, over the time of training");
  charts[0].x = ChartX::relativeTime;
  charts[1].title = phrase("Accuracy and memory");
  charts[1].treatment = phrase("test accuracy in %, over MB of the fullest rank");
  charts[1].x = ChartX::number;
  charts[1].xName = phrase("MB of the fullest rank");
  std::erase_if(charts, [](const ChartModel& chart) { return chart.curves.empty(); });
  return charts;
}

ChartModel profileChart(const std::vector<ProfileCurve>& profile, const VariantPens& pens) {
  ChartModel chart{.title = phrase("Performance profile"),
                   .treatment = phrase("% of the workloads done within so many times the best"),
                   .x = ChartX::number,
                   .xName = phrase("times the best"),
                   .upperLimit = 100};
  for (const ProfileCurve& one : profile) {
    Line line{one.factors, {}};
    for (const double share : one.shares) line.y.push_back(100 * share);
    chart.first = one.factors.front();
    chart.last = one.factors.back();
    chart.curves.push_back({.label = one.variant, .colourSlot = penOf(pens, one.variant), .line = {std::move(line)}});
  }
  return chart;
}

ChartModel powerChart(const WhatNext& next, const StudySettings& factors, const VariantPens& pens) {
  ChartModel chart{.title = phrase("What more seeds would show"),
                   .treatment = phrase("%, the probability that the effect is shown"),
                   .x = ChartX::number,
                   .xName = phrase("seeds"),
                   .upperLimit = 100};
  chart.bounds = {{100 * detectionPower, phrase("wanted")}};
  chart.first = fewestReplicas;
  for (const NextSeeds& one : next.comparisons) {
    if (one.comparison.factors != factors) continue;
    ChartCurve curve{
        .label = one.comparison.variant, .colourSlot = penOf(pens, one.comparison.variant), .points = true};
    Line line;
    for (const PowerPoint& point : one.power) {
      line.x.push_back(point.seeds);
      line.y.push_back(100 * point.power);
      chart.last = std::max<double>(chart.last, point.seeds);
    }
    curve.line = {std::move(line)};
    chart.curves.push_back(std::move(curve));
  }
  chart.xTicks = wholeTicks(fewestReplicas, static_cast<int>(chart.last));
  return chart;
}

}  // namespace slipstream
