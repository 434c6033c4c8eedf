// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of very many variants at once.
#include "engine/report/compared_accuracy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/report/comparison_document.h"

namespace slipstream {
namespace {

constexpr std::size_t mostClaims = 6;     ///< that are read one after the other
constexpr std::size_t mostCurves = 12;    ///< that a chart can tell apart
constexpr std::size_t chosenCurves = 10;  ///< of more than these

std::string percentText(double value) {
  return quantityText(value, Quantity::percent);
}

Text intervalText(const ComparedMeasure& one) {
  if (!one.low) return {};
  return differenceText(*one.low, Quantity::percent) + " … " + differenceText(*one.high, Quantity::percent);
}

/// All differences, zero, and of the intervals what nine of ten do not leave.
std::pair<double, double> sharedScale(const std::vector<ComparedAccuracy>& accuracies) {
  std::vector<double> lows{0}, highs{0};
  double from = 0, to = 0;
  for (const ComparedAccuracy& one : accuracies) {
    from = std::min(from, one.accuracy->difference);
    to = std::max(to, one.accuracy->difference);
    if (!one.accuracy->low) continue;
    lows.push_back(*one.accuracy->low);
    highs.push_back(*one.accuracy->high);
  }
  std::ranges::sort(lows);
  std::ranges::sort(highs);
  return {std::min(from, lows[lows.size() / 10]), std::max(to, highs[highs.size() - 1 - highs.size() / 10])};
}

Cell drawnInterval(const ComparedMeasure& one, std::pair<double, double> scale) {
  Cell drawn;
  if (one.low) drawn.interval = Interval{*one.low, one.difference, *one.high, scale.first, scale.second};
  return drawn;
}

/// A row for each comparison, the largest gain first.
Table accuracyTable(const Comparison& comparison, std::vector<ComparedAccuracy> accuracies) {
  const bool staged = std::ranges::any_of(accuracies, [](const auto& one) { return !one.compared->stage.empty(); });
  Table table{.caption = phrase("Test accuracy against {}, in percent.", {comparison.variants.front().shownLabel()}),
              .title = phrase("test accuracy in percent, paired by seed"),
              .columns = {{.title = phrase("Variant")}},
              .name = "accuracies"};
  if (staged) table.columns.push_back({.title = phrase("Stage")});
  table.columns.push_back({.title = "n", .number = true});
  for (const char* title :
       {message("reference"), message("variant"), message("difference"), message("95 % interval")}) {
    table.columns.push_back({.title = phrase(title), .number = true});
  }
  table.columns.push_back({});
  table.columns.push_back({.title = phrase("verdict")});
  std::ranges::stable_sort(accuracies, std::greater{},
                           [](const ComparedAccuracy& one) { return one.accuracy->difference; });
  const auto scale = sharedScale(accuracies);
  for (const auto& [compared, accuracy] : accuracies) {
    const Variant& variant = comparison.variants[compared->variant];
    std::vector<Cell> row{{.text = variant.shownLabel(), .swatch = variant.colourSlot}};
    if (staged) row.push_back({.text = compared->stage});
    row.push_back({.text = std::to_string(accuracy->pairs)});
    row.push_back({.text = percentText(accuracy->reference), .number = accuracy->reference});
    row.push_back({.text = percentText(accuracy->value), .number = accuracy->value});
    row.push_back({.text = differenceText(accuracy->difference, Quantity::percent),
                   .number = accuracy->difference,
                   .tone = isDifference(accuracy->verdict) ? Tone::strong : Tone::plain});
    row.push_back({.text = intervalText(*accuracy), .tone = Tone::quiet});
    row.push_back(drawnInterval(*accuracy, scale));
    row.push_back({.text = verdictText(*accuracy), .verdict = accuracy->verdict});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

bool isDifference(ComparisonVerdict verdict) {
  return verdict == ComparisonVerdict::better || verdict == ComparisonVerdict::worse ||
         verdict == ComparisonVerdict::costsMore;
}

std::vector<ComparedAccuracy> comparedAccuracies(const Comparison& comparison) {
  std::vector<ComparedAccuracy> all;
  for (const ComparedVariant& compared : comparison.compared) {
    const auto accuracy =
        std::ranges::find(compared.measures, measure::accuracy, [](const auto& one) { return one.measure.key; });
    if (accuracy != compared.measures.end()) all.push_back({&compared, &*accuracy});
  }
  return all;
}

std::optional<Table> overviewTable(const Comparison& comparison) {
  std::vector<ComparedAccuracy> accuracies = comparedAccuracies(comparison);
  if (accuracies.size() <= mostClaims) return std::nullopt;
  return accuracyTable(comparison, std::move(accuracies));
}

std::vector<std::size_t> drawnVariants(const Comparison& comparison) {
  std::vector<std::size_t> drawn(comparison.variants.size());
  std::iota(drawn.begin(), drawn.end(), std::size_t{0});
  if (drawn.size() <= mostCurves) return drawn;
  std::vector<double> distances(drawn.size(), 0);
  for (const auto& [compared, accuracy] : comparedAccuracies(comparison)) {
    distances[compared->variant] = std::max(distances[compared->variant], std::abs(accuracy->difference));
  }
  std::ranges::stable_sort(drawn.begin() + 1, drawn.end(), std::greater{},
                           [&](std::size_t variant) { return distances[variant]; });
  drawn.resize(chosenCurves);
  std::ranges::sort(drawn);
  return drawn;
}

}  // namespace slipstream
