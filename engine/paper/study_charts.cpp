// SPDX-License-Identifier: GPL-3.0-or-later
// What a study measured, as charts.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/paper/study_report.h"
#include "engine/statistics/survival.h"
#include "engine/study/study_document.h"

namespace slipstream {
namespace {

constexpr double percent = 100, normalReach = 1.959964;  ///< of 95 %

ChartX axisOf(const StudyMeasure& measure) {
  if (measure.quantity == Quantity::seconds) return ChartX::relativeTime;
  return measure.key == "samples_to_target" ? ChartX::samples : ChartX::step;
}

std::string textOfValue(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// How long the runs of a variant took to the target, or were watched; of those that failed `watched`.
std::vector<TimeToEvent> timesOf(const StudyReportInput& input, const StudyMeasure& measure, const std::string& variant,
                                 const std::string& factors) {
  std::vector<TimeToEvent> times;
  for (const auto& [pair, cell] : input.runs.measured(variant, factors)) {
    if (cell->end == CellEnd::failed) times.push_back({std::numeric_limits<double>::infinity(), false});
    const auto value = input.runs.valueOf(*cell, measure, "");
    if (value) times.push_back({value->value, value->reached});
  }
  return times;
}

/// A line that is level between its corners.
class Steps {
 public:
  void add(double x, double y) {
    if (!line_.x.empty()) {
      line_.x.push_back(x);
      line_.y.push_back(line_.y.back());
    }
    line_.x.push_back(x);
    line_.y.push_back(y);
  }
  std::vector<Line> lines() const { return {line_}; }

 private:
  Line line_;
};

ChartCurve reachedCurve(const std::string& variant, int colour, const std::vector<TimeToEvent>& times, double end) {
  ChartCurve curve{.label = variant, .colourSlot = colour};
  Steps middle, low, high;
  const auto add = [&](double x, double survival, double deviation) {
    const auto share = [&](double value) { return percent * std::clamp(1 - value, 0.0, 1.0); };
    middle.add(x, share(survival));
    low.add(x, share(survival + normalReach * deviation));
    high.add(x, share(survival - normalReach * deviation));
  };
  add(0, 1, 0);
  SurvivalStep last;
  for (const SurvivalStep& step : kaplanMeier(times)) {
    add(step.time, step.survival, step.deviation);
    last = step;
  }
  add(end, last.survival, last.deviation);
  curve.line = middle.lines();
  curve.lowest = low.lines();
  curve.highest = high.lines();
  const auto never = std::ranges::count(times, false, &TimeToEvent::happened);
  if (never > 0)
    curve.note = phrase("{} of {} never did", {std::to_string(never), countedText(std::ssize(times), "seed")});
  curve.censored = never > 0;
  return curve;
}

std::optional<Figure> reachedFigure(const StudyReportInput& input, const StudyMeasure& measure,
                                    const StudySettings& factors) {
  const Study& study = input.verdict.study;
  ChartModel chart{.title = phrase("Seeds that reached the target"),
                   .treatment = joined({"%", textOf(factors)}, ", "),
                   .x = axisOf(measure),
                   .last = 0,
                   .upperLimit = percent,
                   .wholeNumbers = true};
  std::map<std::string, std::vector<TimeToEvent>> all;
  for (const StudyVariant& variant : study.variants) {
    all[variant.name] = timesOf(input, measure, variant.name, storedForm(factors));
    for (const TimeToEvent& time : all[variant.name]) {
      if (std::isfinite(time.time)) chart.last = std::max(chart.last, time.time);
    }
  }
  if (chart.last == 0) return std::nullopt;
  for (const StudyVariant& variant : study.variants) {
    std::vector<TimeToEvent>& times = all[variant.name];
    if (times.empty()) continue;
    // Who failed never gets there, however long it is watched.
    for (TimeToEvent& time : times) time.time = std::min(time.time, chart.last);
    chart.curves.push_back(reachedCurve(variant.name, input.colours.at(variant.name), times, chart.last));
  }
  return Figure{std::move(chart),
                phrase("{}: percentage of the seeds that had reached the target (Kaplan and Meier), with bands of 95 % "
                       "(Greenwood). Two upright ticks: some seeds never reached it.",
                       {joined({phrase(measure.name), textOf(factors)}, ", ")}),
                fileNameOf("reached " + measure.key + " " + textOf(factors))};
}

/// The first factor with several values.
const StudyFactor* variedFactor(const Study& study) {
  const auto found = std::ranges::find_if(study.factors, [](const StudyFactor& one) { return one.values.size() > 1; });
  return found == study.factors.end() ? nullptr : &*found;
}

/// Mean and standard deviation of a variant in a comparison.
struct Measured {
  double mean = 0, spread = 0;
};

std::optional<Measured> measuredOf(const StudyVerdict& verdict, const std::string& measure, const std::string& variant,
                                   const StudySettings& factors) {
  for (const StudyComparison& one : verdict.comparisons) {
    if (one.measure.key != measure || one.factors != factors || one.pairs == 0) continue;
    if (one.variant == variant) return Measured{one.mean, one.spread};
    if (one.reference == variant) return Measured{one.referenceMean, one.referenceSpread};
  }
  return std::nullopt;
}

ChartCurve factorCurve(const StudyReportInput& input, const StudyMeasure& measure, const StudyFactor& factor,
                       const StudySettings& others, const std::string& variant) {
  ChartCurve curve{.label = variant, .colourSlot = input.colours.at(variant), .points = true};
  Line middle, low, high;
  for (std::size_t i = 0; i < factor.values.size(); ++i) {
    StudySettings factors = others;
    factors[factor.key] = factor.values[i];
    const auto found = measuredOf(input.verdict, measure.key, variant, factors);
    if (!found) continue;
    const auto add = [&](Line& line, double y) {
      line.x.push_back(static_cast<double>(i));
      line.y.push_back(y);
    };
    add(middle, found->mean);
    add(low, found->mean - found->spread);
    add(high, found->mean + found->spread);
  }
  if (middle.x.empty()) return curve;
  curve.line = {std::move(middle)};
  curve.lowest = {std::move(low)};
  curve.highest = {std::move(high)};
  return curve;
}

std::optional<Figure> factorFigure(const StudyReportInput& input, const StudyMeasure& measure,
                                   const StudyFactor& factor, const StudySettings& others) {
  ChartModel chart{.title = phrase(measure.name),
                   .treatment = joined({phrase("mean ± standard deviation"), textOf(others)}, ", "),
                   .last = static_cast<double>(factor.values.size() - 1),
                   .xName = factor.key};
  for (std::size_t i = 0; i < factor.values.size(); ++i) {
    chart.xTicks.push_back({static_cast<double>(i), textOfValue(factor.values[i])});
  }
  if (measure.quantity == Quantity::percent) chart.upperLimit = percent;
  for (const StudyVariant& variant : input.verdict.study.variants) {
    ChartCurve curve = factorCurve(input, measure, factor, others, variant.name);
    if (!curve.line.empty()) chart.curves.push_back(std::move(curve));
  }
  if (chart.curves.empty()) return std::nullopt;
  return Figure{std::move(chart),
                phrase("{} over {}: means, with bands of one standard deviation of the seeds.",
                       {joined({phrase(measure.name), textOf(others)}, ", "), factor.key}),
                fileNameOf(measure.key + " by " + factor.key + " " + textOf(others))};
}

}  // namespace

std::vector<Figure> reachedFigures(const StudyReportInput& input) {
  std::vector<Figure> figures;
  if (!input.verdict.study.question.stages.empty()) return figures;
  for (const std::string& key : input.verdict.study.question.judged()) {
    const StudyMeasure* measure = findStudyMeasure(key);
    if (measure == nullptr || !measure->countsToTarget) continue;
    for (const StudySettings& factors : combinationsOf(input.verdict.study)) {
      if (auto figure = reachedFigure(input, *measure, factors)) figures.push_back(std::move(*figure));
    }
  }
  return figures;
}

std::vector<Figure> factorFigures(const StudyReportInput& input) {
  std::vector<Figure> figures;
  const Study& study = input.verdict.study;
  const StudyFactor* factor = variedFactor(study);
  if (factor == nullptr || !study.question.stages.empty()) return figures;
  std::vector<StudySettings> others;
  for (StudySettings combination : combinationsOf(study)) {
    combination.erase(factor->key);
    if (std::ranges::find(others, combination) == others.end()) others.push_back(std::move(combination));
  }
  for (const std::string& key : study.question.judged()) {
    const StudyMeasure* measure = findStudyMeasure(key);
    if (measure == nullptr) continue;
    for (const StudySettings& rest : others) {
      if (auto figure = factorFigure(input, *measure, *factor, rest)) figures.push_back(std::move(*figure));
    }
  }
  return figures;
}

}  // namespace slipstream
