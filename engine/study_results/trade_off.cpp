// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/trade_off.h"

#include <algorithm>

#include "engine/runs/measure.h"

namespace slipstream {
namespace {

std::optional<SeedRange> rangeOf(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values);
  double sum = 0;
  for (const double value : values) sum += value;
  return SeedRange{sum / static_cast<double>(values.size()), low, high};
}

TradeOffPoint pointOf(StudyRuns& runs, const std::string& variant, const StudySettings& factors) {
  TradeOffPoint point{.variant = variant, .factors = factors, .accuracy = {}, .seconds = {}, .bytes = {}};
  const StudyMeasure& memory = *findStudyMeasure(memoryBytes);
  std::vector<double> accuracy, seconds, bytes;
  for (const auto& [pair, cell] : runs.measured(variant, storedForm(factors))) {
    if (!cell->outcome || cell->outcome->stages.empty()) continue;
    ++point.seeds;
    if (const auto value = cell->outcome->stages.back().value(measure::accuracy)) accuracy.push_back(*value);
    if (const double value = cell->outcome->trainingSeconds(); value > 0) seconds.push_back(value);
    if (const auto value = runs.valueOf(*cell, memory, "")) bytes.push_back(value->value);
  }
  point.accuracy = rangeOf(accuracy);
  point.seconds = rangeOf(seconds);
  point.bytes = rangeOf(bytes);
  return point;
}

bool isKnown(const TradeOffPoint& point) {
  return point.accuracy && point.seconds && point.bytes;
}

bool dominates(const TradeOffPoint& one, const TradeOffPoint& other) {
  const double accuracy = one.accuracy->mean - other.accuracy->mean;
  const double seconds = other.seconds->mean - one.seconds->mean;
  const double bytes = other.bytes->mean - one.bytes->mean;
  return accuracy >= 0 && seconds >= 0 && bytes >= 0 && (accuracy > 0 || seconds > 0 || bytes > 0);
}

}  // namespace

std::vector<TradeOffPoint> tradeOffOf(StudyRuns& runs, const Study& study) {
  std::vector<TradeOffPoint> points;
  for (const StudyVariant& variant : study.variants) {
    for (const StudySettings& factors : combinationsOf(study)) {
      TradeOffPoint point = pointOf(runs, variant.name, factors);
      if (point.seeds > 0) points.push_back(std::move(point));
    }
  }
  for (TradeOffPoint& point : points) {
    point.onFront = isKnown(point) && std::ranges::none_of(points, [&](const TradeOffPoint& other) {
                      return isKnown(other) && dominates(other, point);
                    });
  }
  return points;
}

}  // namespace slipstream
