// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison for programs and spreadsheets: JSON and CSV, whose keys are interfaces.
#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/analysis/comparison.h"
#include "engine/base/text.h"
#include "engine/report/comparison_document.h"

namespace slipstream {
namespace {

using Json = nlohmann::ordered_json;

Json numberOf(double value) {
  if (std::isfinite(value)) return value;
  return numberText(value);
}

/// Programs read shares of 1, as the metrics are; people read percent.
Json numberOf(double value, Quantity quantity) {
  return numberOf(quantity == Quantity::percent ? value / 100 : value);
}

std::string_view nameOf(NoClaim why) {
  switch (why) {
    case NoClaim::fewReplicas:
      return "no claim (n < 3)";
    case NoClaim::bestOfMany:
      return "no claim (best of many)";
    case NoClaim::testSetUnknown:
      return "no claim (error of the test set unknown)";
    case NoClaim::noSpread:
      return "no claim (no spread)";
    case NoClaim::emulated:
      return "no claim (emulated)";
    case NoClaim::imported:
      break;
  }
  return "no claim (imported)";
}

/// What programs look for: stays the same when people read another sentence (verdictText).
std::string_view nameOf(const ComparedMeasure& compared) {
  switch (compared.verdict) {
    case ComparisonVerdict::better:
      return "better";
    case ComparisonVerdict::worse:
      return "worse";
    case ComparisonVerdict::costsMore:
      return "costs more";
    case ComparisonVerdict::noDifferenceShown:
      return "no difference shown";
    case ComparisonVerdict::noClaim:
      return nameOf(compared.why);
    case ComparisonVerdict::notReached:
      break;
  }
  return "no claim (not reached)";
}

Json toJson(const ComparedMeasure& compared) {
  const Quantity quantity = compared.measure.quantity;
  const auto optional = [quantity](const std::optional<double>& value) {
    return value ? numberOf(*value, quantity) : Json();
  };
  Json json{{"measure", compared.measure.key},
            {"reference", numberOf(compared.reference, quantity)},
            {"value", numberOf(compared.value, quantity)},
            {"difference", numberOf(compared.difference, quantity)},
            {"pairs", compared.pairs},
            {"low", optional(compared.low)},
            {"high", optional(compared.high)},
            {"detectable", optional(compared.detectable)},
            {"verdict", nameOf(compared)},
            {"text", verdictText(compared).in()}};
  if (compared.referenceReached) json["reference_reached"] = *compared.referenceReached;
  if (compared.valueReached) json["value_reached"] = *compared.valueReached;
  return json;
}

void addMeasures(const StageOutcome& outcome, Json& json) {
  for (const auto& [key, value] : outcome.measured) json[key] = numberOf(value, measureOf(key).quantity);
}

Json toJson(const Variant& variant) {
  Json runs = Json::array();
  for (const RunOutcome& outcome : variant.outcomes) {
    Json run{{"run", outcome.run.id},
             {"seed", outcome.run.seed},
             {"state", nameOf(outcome.run.state)},
             {"steps", outcome.steps}};
    if (!outcome.staged) addMeasures(outcome.stages.front(), run);
    if (outcome.staged) run[measure::trainingSeconds] = outcome.trainingSeconds();
    for (std::size_t i = 0; outcome.staged && i < outcome.stages.size(); ++i) {
      Json stage{{"stage", outcome.stages[i].stage.name}, {"steps", outcome.stages[i].steps}};
      addMeasures(outcome.stages[i], stage);
      run["stages"].push_back(std::move(stage));
    }
    runs.push_back(std::move(run));
  }
  return {{"label", variant.label}, {"runs", runs}};
}

Json measuresJson(const std::vector<ComparedMeasure>& measures) {
  Json list = Json::array();
  for (const ComparedMeasure& one : measures) list.push_back(toJson(one));
  return list;
}

Json comparedJson(const Comparison& comparison, const ComparedVariant& compared) {
  Json pair{{"reference", comparison.variants.front().label}, {"variant", comparison.variants[compared.variant].label}};
  if (!compared.stage.empty()) pair["stage"] = compared.stage;
  pair["differs_in"] = changesOf(comparison, compared.variant);
  pair["measures"] = measuresJson(compared.measures);
  return pair;
}

/// Without the rounding noise of what was computed from numbers of the size of `scale`: 0.31 for 97.62 - 97.31.
double withoutNoise(double value, double scale) {
  if (!std::isfinite(value) || !std::isfinite(scale) || scale == 0) return value;
  constexpr int digits = 12, mostDecimals = 300;
  const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(scale))));
  return parseNumber(fmt::format("{:.{}f}", value, std::clamp(decimals, 0, mostDecimals))).value_or(value);
}

Table tableOf(const std::vector<std::string>& keys) {
  Table table;
  for (const std::string& key : keys) table.columns.push_back({.key = key});
  return table;
}

std::vector<Cell> cellsOf(const std::vector<std::string>& fields) {
  std::vector<Cell> row;
  for (const std::string& field : fields) row.push_back({.text = field});
  return row;
}

/// `fields`: stage, the stage or variant that it is held against, and the variant.
void addRows(const std::vector<std::string>& fields, const std::vector<ComparedMeasure>& measures, Table& table) {
  for (const ComparedMeasure& one : measures) {
    const double scale = std::max(std::abs(one.reference), std::abs(one.value));
    std::vector<Cell> row = cellsOf(fields);
    row.push_back({.text = one.measure.name()});
    for (const std::optional<double>& value : {std::optional(one.reference), std::optional(one.value),
                                               std::optional(one.difference), one.low, one.high, one.detectable}) {
      row.push_back({.number = value ? std::optional(withoutNoise(*value, scale)) : std::nullopt});
    }
    row.push_back({.text = std::to_string(one.pairs)});
    row.push_back({.text = std::string(nameOf(one))});
    table.rows.push_back(std::move(row));
  }
}

/// What was measured of each run, one row a measure. Of a target that was never reached the value is a lower bound.
Table runsTable(const Comparison& comparison) {
  Table table = tableOf({"run", "variant", "seed", "state", "stage", "steps", "measure", "value", "reached"});
  const std::vector<const Measure*> taken = measuresTaken(comparison);
  const auto add = [&](const Variant& variant, const RunOutcome& outcome, const StageOutcome& stage) {
    for (const Measure* measure : taken) {
      const auto found = stage.measured.find(measure->key);
      if (found == stage.measured.end()) continue;
      table.rows.push_back(cellsOf({outcome.run.id, variant.label, std::to_string(outcome.run.seed),
                                    std::string(nameOf(outcome.run.state)), outcome.staged ? stage.stage.name : "",
                                    std::to_string(stage.steps), measure->name()}));
      table.rows.back().push_back({.number = withoutNoise(found->second, found->second)});
      const char* reached = neverReached(stage, *measure) ? "false" : "true";
      table.rows.back().push_back({.text = measure->countsToTarget() ? reached : ""});
    }
  };
  for (const Variant& variant : comparison.variants) {
    for (const RunOutcome& outcome : variant.outcomes) {
      for (const StageOutcome& stage : outcome.stages) add(variant, outcome, stage);
    }
  }
  return table;
}

}  // namespace

std::string toCsvText(const Comparison& comparison) {
  Table table = tableOf({"stage", "against stage", "reference", "variant", "measure", "reference value", "value",
                         "difference", "low", "high", "detectable", "pairs", "verdict"});
  for (const ComparedVariant& compared : comparison.compared) {
    addRows({compared.stage, compared.stage, comparison.variants.front().label,
             comparison.variants[compared.variant].label},
            compared.measures, table);
  }
  for (const ComparedStages& compared : comparison.comparedStages) {
    const std::string& label = comparison.variants[compared.variant].label;
    addRows({compared.stage, compared.reference, label, label}, compared.measures, table);
  }
  return toCsv(table.rows.empty() ? runsTable(comparison) : table);
}

std::string toJsonText(const Comparison& comparison) {
  Json json{
      {"variants", Json::array()}, {"differences", Json::array()},          {"compared", Json::array()},
      {"stages", Json::array()},   {"comparisons", comparison.comparisons}, {"method", methodText(comparison).in()},
      {"remarks", Json::array()}};
  for (const Text& remark : remarksOn(comparison)) json["remarks"].push_back(remark.in());
  for (const Variant& variant : comparison.variants) json["variants"].push_back(toJson(variant));
  for (const PlanDifference& difference : comparison.differences) {
    Json values = Json::object();
    for (std::size_t i = 0; i < difference.values.size(); ++i) {
      values[comparison.variants[i].label] = difference.values[i];
    }
    json["differences"].push_back({{"key", difference.key}, {"values", values}});
  }
  for (const ComparedVariant& compared : comparison.compared) {
    json["compared"].push_back(comparedJson(comparison, compared));
  }
  for (const ComparedStages& compared : comparison.comparedStages) {
    json["stages"].push_back({{"variant", comparison.variants[compared.variant].label},
                              {"reference", compared.reference},
                              {"stage", compared.stage},
                              {"measures", measuresJson(compared.measures)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace slipstream
