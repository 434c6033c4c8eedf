// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/scaling.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/runs/measure.h"

namespace slipstream {
namespace {

/// A figure by seed.
using BySeed = std::map<std::uint64_t, double>;

/// What one variant did on one number of ranks.
struct OnRanks {
  int ranks = 0;
  BySeed throughput, seconds;
  std::set<std::int64_t> batches;  ///< samples of a step
};

const StudyFactor* ranksFactorOf(const Study& study) {
  const auto found = std::ranges::find(study.factors, std::string(ranksKey), &StudyFactor::key);
  return found == study.factors.end() ? nullptr : &*found;
}

std::optional<double> secondsOf(const StageOutcome& stage, bool toTarget) {
  if (toTarget && !stage.reachedTarget) return std::nullopt;
  return stage.value(toTarget ? measure::secondsToTarget : measure::trainingSeconds);
}

OnRanks onRanks(const StudyRuns& runs, const std::string& variant, const StudySettings& factors, bool toTarget) {
  OnRanks found{.ranks = factors.at(ranksKey).get<int>(), .throughput = {}, .seconds = {}, .batches = {}};
  for (const auto& [pair, cell] : runs.measured(variant, storedForm(factors))) {
    if (!cell->outcome || cell->outcome->stages.empty()) continue;
    const StageOutcome& stage = cell->outcome->stages.back();
    const std::int64_t samples = samplesPerStep(stage.stage, cell->run.ranks);
    found.batches.insert(samples);
    const auto step = stage.value(measure::stepMilliseconds);
    if (step && *step > 0) found.throughput[pair] = 1e3 * static_cast<double>(samples) / *step;
    const auto seconds = secondsOf(stage, toTarget);
    if (seconds && *seconds > 0) found.seconds[pair] = *seconds;
  }
  return found;
}

void addPoint(std::vector<ScalingPoint>& points, int ranks, const std::vector<double>& values, bool geometric) {
  if (values.empty()) return;
  const auto [low, high] = std::ranges::minmax(values);
  double sum = 0;
  for (const double value : values) sum += geometric ? std::log(value) : value;
  const double mean = sum / static_cast<double>(values.size());
  points.push_back({ranks, geometric ? std::exp(mean) : mean, low, high, static_cast<int>(values.size())});
}

/// `over` by `under`, of the seeds that have both, times `factor`.
std::vector<double> ratios(const BySeed& over, const BySeed& under, double factor) {
  std::vector<double> values;
  for (const auto& [seed, value] : over) {
    const auto other = under.find(seed);
    if (other != under.end()) values.push_back(value / other->second * factor);
  }
  return values;
}

ScalingCurve curveOf(const std::string& variant, const std::vector<OnRanks>& all) {
  ScalingCurve curve{.variant = variant};
  const OnRanks& fewest = all.front();
  for (const OnRanks& one : all) {
    std::vector<double> throughput;
    for (const auto& [seed, value] : one.throughput) throughput.push_back(value);
    const double more = static_cast<double>(one.ranks) / fewest.ranks;
    addPoint(curve.throughput, one.ranks, throughput, false);
    addPoint(curve.weakEfficiency, one.ranks, ratios(one.throughput, fewest.throughput, 1 / more), true);
    addPoint(curve.speedUp, one.ranks, ratios(fewest.seconds, one.seconds, 1), true);
    addPoint(curve.strongEfficiency, one.ranks, ratios(fewest.seconds, one.seconds, 1 / more), true);
  }
  return curve;
}

}  // namespace

std::optional<Scaling> scalingOf(StudyRuns& runs, const Study& study, const StudySettings& others) {
  const StudyFactor* factor = ranksFactorOf(study);
  if (factor == nullptr || factor->values.size() < 2) return std::nullopt;
  Scaling scaling{.ranks = {}, .toTarget = study.question.target.has_value(), .growingBatch = true, .curves = {}};
  for (const Json& value : factor->values) {
    if (!value.is_number_integer() || value.get<int>() < 1) return std::nullopt;
    scaling.ranks.push_back(value.get<int>());
  }
  std::ranges::sort(scaling.ranks);
  std::map<int, std::set<std::int64_t>> batches;
  for (const StudyVariant& variant : study.variants) {
    std::vector<OnRanks> all;
    for (const int ranks : scaling.ranks) {
      StudySettings factors = others;
      factors[ranksKey] = ranks;
      OnRanks one = onRanks(runs, variant.name, factors, scaling.toTarget);
      batches[ranks].insert(one.batches.begin(), one.batches.end());
      if (!one.throughput.empty() || !one.seconds.empty()) all.push_back(std::move(one));
    }
    if (!all.empty()) scaling.curves.push_back(curveOf(variant.name, all));
  }
  for (const auto& [ranks, own] : batches) {
    const std::set<std::int64_t>& fewest = batches.begin()->second;
    if (own.empty() || fewest.empty()) continue;
    scaling.growingBatch = scaling.growingBatch && *own.begin() * batches.begin()->first == *fewest.begin() * ranks;
  }
  return scaling;
}

}  // namespace slipstream
