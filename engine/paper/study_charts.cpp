// SPDX-License-Identifier: GPL-3.0-or-later
// What a study measured, as charts.
#include "engine/study_results/study_charts.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/paper/study_report.h"
#include "engine/study_results/study_document.h"

namespace slipstream {
namespace {

constexpr double percent = 100;

std::string textOfValue(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The chart of the window, with a band around every variant.
std::optional<Figure> reachedFigure(const StudyReportInput& input, const StudyMeasure& measure,
                                    const StudySettings& factors) {
  const Study& study = input.verdict.study;
  const TimeToTarget reached = timeToTarget(input.judged, study, measure, factors);
  if (std::ranges::all_of(reached.curves, [](const ReachedCurve& curve) { return curve.end == 0; }))
    return std::nullopt;
  std::set<std::string> banded;
  for (const StudyVariant& variant : study.variants) banded.insert(variant.name);
  ChartModel chart = reachedChart(reached, study, input.colours, banded);
  if (!factors.empty()) chart.treatment = joined({std::move(chart.treatment), textOf(factors)}, ", ");
  return Figure{
      std::move(chart),
      phrase("{}: percentage of the seeds that had reached the target (Kaplan and Meier), with intervals of "
             "{} % at each point (Greenwood, on the scale of log(-log)). Two upright ticks: some seeds never "
             "reached it.",
             {joined({phrase(measure.name), textOf(factors)}, ", "), fmt::format("{:.4g}", percent * reached.level)}),
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
