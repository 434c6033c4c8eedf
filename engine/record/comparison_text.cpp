// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/record/comparison.h"
#include "engine/record/text_table.h"
#include "engine/record/what_differs.h"

namespace slipstream {
namespace {

using Json = nlohmann::ordered_json;

bool continuesCharacter(char byte) {
  return (byte & 0xC0) == 0x80;
}

/// At most `length` bytes from `from` on, whole characters, with dots where something is left out.
std::string window(const std::string& text, std::size_t from, std::size_t length) {
  while (from > 0 && continuesCharacter(text[from])) --from;
  std::size_t to = std::min(text.size(), from + length);
  while (to < text.size() && to > from && continuesCharacter(text[to])) --to;
  return (from > 0 ? "…" : "") + text.substr(from, to - from) + (to < text.size() ? "…" : "");
}

/// Long values from a little before the place where they begin to differ.
std::vector<std::string> shortened(const std::vector<std::string>& values) {
  constexpr std::size_t most = 40, context = 10;
  const auto isLong = [](const std::string& value) { return value.size() > most; };
  if (std::none_of(values.begin(), values.end(), isLong)) return values;
  std::size_t same = values.front().size();
  for (const std::string& value : values) {
    const auto end = value.begin() + static_cast<std::ptrdiff_t>(std::min(same, value.size()));
    same = static_cast<std::size_t>(std::mismatch(value.begin(), end, values.front().begin()).first - value.begin());
  }
  const std::size_t skipped = same > context ? same - context : 0;
  std::vector<std::string> parts;
  for (const std::string& value : values) parts.push_back(window(value, std::min(skipped, value.size()), most));
  return parts;
}

/// Stages one below the other, the run's own facts beside the first.
void addRows(const Arm& arm, const RunOutcome& outcome, const std::vector<const Measure*>& shown, bool staged,
             std::vector<TextRow>& rows) {
  bool first = true;
  for (const StageOutcome& stage : outcome.stages) {
    TextRow row(4);
    if (first) {
      row = {outcome.run.id, arm.label, std::to_string(outcome.run.seed), std::string(nameOf(outcome.run.state))};
    }
    first = false;
    if (staged) row.push_back(stage.stage.name);
    row.push_back(countText(stage.steps));
    for (const Measure* measure : shown) row.push_back(outcomeText(stage, *measure));
    rows.push_back(std::move(row));
  }
}

std::string outcomesText(const Comparison& comparison) {
  const bool staged =
      std::any_of(comparison.arms.begin(), comparison.arms.end(), [](const Arm& arm) { return arm.staged(); });
  const std::vector<const Measure*> shown = measuresTaken(comparison);
  std::vector<TextRow> rows{{"run", "name", "seed", "state"}};
  if (staged) rows.front().push_back("stage");
  rows.front().push_back("steps");
  for (const Measure* measure : shown) rows.front().push_back(measure->key);
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) addRows(arm, outcome, shown, staged, rows);
  }
  return tableText(rows, staged ? 5 : 4);
}

Json numberOf(double value) {
  if (std::isfinite(value)) return value;
  return numberText(value);
}

/// Programs read shares of 1, as the metrics are; people read percent.
Json numberOf(double value, Quantity quantity) {
  return numberOf(quantity == Quantity::percent ? value / 100 : value);
}

Quantity quantityOf(const std::string& key) {
  const auto measure =
      std::find_if(measures().begin(), measures().end(), [&](const Measure& one) { return one.key == key; });
  return measure == measures().end() ? Quantity::count : measure->quantity;
}

Json toJson(const ComparedMeasure& compared) {
  const Quantity quantity = compared.measure.quantity;
  Json json{{"measure", compared.measure.key},
            {"reference", numberOf(compared.reference, quantity)},
            {"value", numberOf(compared.value, quantity)},
            {"difference", numberOf(compared.difference, quantity)},
            {"pairs", compared.pairs},
            {"low", nullptr},
            {"high", nullptr},
            {"detectable", nullptr},
            {"verdict", verdictText(compared)}};
  if (compared.low) json["low"] = numberOf(*compared.low, quantity);
  if (compared.high) json["high"] = numberOf(*compared.high, quantity);
  if (compared.detectable) json["detectable"] = numberOf(*compared.detectable, quantity);
  if (compared.referenceReached) json["reference_reached"] = *compared.referenceReached;
  if (compared.valueReached) json["value_reached"] = *compared.valueReached;
  return json;
}

void addMeasures(const StageOutcome& outcome, Json& json) {
  for (const auto& [key, value] : outcome.measured) json[key] = numberOf(value, quantityOf(key));
}

Json toJson(const StageOutcome& outcome) {
  Json json{{"stage", outcome.stage.name}, {"steps", outcome.steps}};
  addMeasures(outcome, json);
  return json;
}

Json toJson(const Arm& arm) {
  Json runs = Json::array();
  for (const RunOutcome& outcome : arm.outcomes) {
    Json run{{"run", outcome.run.id},
             {"seed", outcome.run.seed},
             {"state", nameOf(outcome.run.state)},
             {"steps", outcome.steps}};
    if (outcome.staged) {
      run["training_seconds"] = outcome.trainingSeconds();
      for (const StageOutcome& stage : outcome.stages) run["stages"].push_back(toJson(stage));
    } else {
      addMeasures(outcome.stages.front(), run);
    }
    runs.push_back(std::move(run));
  }
  return {{"label", arm.label}, {"runs", runs}};
}

std::string differencesText(const Comparison& comparison) {
  if (comparison.differences.empty()) return "";
  std::vector<TextRow> rows{{"what differs"}};
  for (const Arm& arm : comparison.arms) rows.front().push_back(arm.label);
  for (const PlanDifference& difference : comparison.differences) {
    TextRow row{difference.key};
    for (const std::string& value : shortened(difference.values)) row.push_back(value.empty() ? "–" : value);
    rows.push_back(std::move(row));
  }
  return "\n" + tableText(rows, rows.front().size());
}

/// Once for each arm, before what was found.
std::string changesText(const Comparison& comparison) {
  std::string text;
  for (std::size_t arm = 1; arm < comparison.arms.size(); ++arm) {
    text += "\n" + changesSentence(comparison, arm) + "\n";
  }
  return text;
}

const std::vector<std::string> judgementHeads{"difference", "95 % interval", "verdict", "detectable"};

/// Means, difference, interval and verdict.
TextRow judgementCells(const ComparedMeasure& one) {
  return {referenceText(one), valueText(one),   differenceText(one.difference, one.measure.quantity),
          intervalText(one),  verdictText(one), detectableText(one)};
}

TextRow withCells(TextRow row, const std::vector<std::string>& cells) {
  row.insert(row.end(), cells.begin(), cells.end());
  return row;
}

std::string comparedText(const Comparison& comparison, const ComparedArm& compared) {
  if (compared.measures.empty()) return "";
  std::vector<TextRow> rows{withCells(
      {compared.title(), comparison.arms.front().label, comparison.arms[compared.arm].label}, judgementHeads)};
  for (const ComparedMeasure& one : compared.measures) {
    rows.push_back(withCells({compared.nameOf(one)}, judgementCells(one)));
  }
  return "\n" + tableText(rows);
}

/// The stages of each variant side by side.
std::string comparedStagesText(const Comparison& comparison) {
  std::string text;
  for (std::size_t arm = 0; arm < comparison.arms.size(); ++arm) {
    std::vector<TextRow> rows{
        withCells({"stages of " + comparison.arms[arm].label, "against", "paired by run", "n", "mean against", "mean"},
                  judgementHeads)};
    for (const ComparedStages& compared : comparison.comparedStages) {
      if (compared.arm != arm) continue;
      for (const ComparedMeasure& one : compared.measures) {
        rows.push_back(withCells({compared.stage, compared.reference, one.measure.name, std::to_string(one.pairs)},
                                 judgementCells(one)));
      }
    }
    if (rows.size() > 1) text += "\n" + tableText(rows, 3);
  }
  return text;
}

/// A field that a comma or a quotation mark would end.
std::string csvField(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char character : text) {
    if (character == '"') field += '"';
    field += character;
  }
  return field + "\"";
}

/// Without the rounding noise of what was computed from numbers of the size of `scale`: 0.31 for 97.62 - 97.31.
std::string roundedText(double value, double scale) {
  if (!std::isfinite(value) || !std::isfinite(scale) || scale == 0) return numberText(value);
  constexpr int digits = 12, mostDecimals = 300;
  const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(scale))));
  const std::string rounded = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, mostDecimals));
  return numberText(parseNumber(rounded).value_or(value));
}

std::string csvRow(std::vector<std::string> fields) {
  for (std::string& field : fields) field = csvField(field);
  return join(fields, ",") + "\n";
}

/// `fields`: stage, the stage or variant that it is held against, and the variant.
std::string csvRow(std::vector<std::string> fields, const ComparedMeasure& one) {
  const double scale = std::max(std::abs(one.reference), std::abs(one.value));
  const auto number = [scale](const std::optional<double>& value) {
    return value ? roundedText(*value, scale) : std::string();
  };
  return csvRow(withCells(std::move(fields), {one.measure.name, number(one.reference), number(one.value),
                                              number(one.difference), number(one.low), number(one.high),
                                              number(one.detectable), std::to_string(one.pairs), verdictText(one)}));
}

/// What was measured of a stage, one row a measure; `fields`: whose it is. Of a target that was never reached the value
/// is a lower bound.
std::string csvRows(const std::vector<std::string>& fields, const StageOutcome& stage,
                    const std::vector<const Measure*>& shown) {
  std::string text;
  for (const Measure* measure : shown) {
    const auto found = stage.measured.find(measure->key);
    if (found == stage.measured.end()) continue;
    const std::string reached = neverReached(stage, *measure) ? "false" : "true";
    text += csvRow(withCells(fields, {measure->name, roundedText(found->second, found->second),
                                      hasTarget(*measure) ? reached : std::string()}));
  }
  return text;
}

/// Of each run, where nothing is held against anything.
std::string runsCsvText(const Comparison& comparison) {
  std::string text = "run,variant,seed,state,stage,steps,measure,value,reached\n";
  const std::vector<const Measure*> shown = measuresTaken(comparison);
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) {
      const RunRecord& run = outcome.run;
      for (const StageOutcome& stage : outcome.stages) {
        text += csvRows({run.id, arm.label, std::to_string(run.seed), std::string(nameOf(run.state)),
                         outcome.staged ? stage.stage.name : "", std::to_string(stage.steps)},
                        stage, shown);
      }
    }
  }
  return text;
}

/// What both kinds of pairs say.
Json measuresJson(const std::vector<ComparedMeasure>& measures) {
  Json list = Json::array();
  for (const ComparedMeasure& one : measures) list.push_back(toJson(one));
  return list;
}

Json comparedJson(const Comparison& comparison, const ComparedArm& compared) {
  Json pair{{"reference", comparison.arms.front().label}, {"variant", comparison.arms[compared.arm].label}};
  if (!compared.stage.empty()) pair["stage"] = compared.stage;
  pair["differs_in"] = changesOf(comparison, compared.arm);
  pair["measures"] = measuresJson(compared.measures);
  return pair;
}

}  // namespace

std::string toText(const Comparison& comparison) {
  std::string text = outcomesText(comparison) + differencesText(comparison) + changesText(comparison);
  for (const ComparedArm& compared : comparison.compared) text += comparedText(comparison, compared);
  text += comparedStagesText(comparison);
  const bool paired = std::any_of(comparison.compared.begin(), comparison.compared.end(),
                                  [](const ComparedArm& compared) { return !compared.measures.empty(); });
  if (!comparison.compared.empty() && !paired) text += "\nnothing is paired: no seed was finished on both sides\n";
  if (const std::string method = methodText(comparison); !method.empty()) text += "\n" + method + "\n";
  for (const std::string& remark : comparison.remarks) text += "\n" + remark + "\n";
  return text;
}

std::string toCsvText(const Comparison& comparison) {
  const auto hasMeasures = [](const auto& compared) { return !compared.measures.empty(); };
  if (std::ranges::none_of(comparison.compared, hasMeasures) &&
      std::ranges::none_of(comparison.comparedStages, hasMeasures)) {
    return runsCsvText(comparison);
  }
  std::string text =
      "stage,against stage,reference,variant,measure,reference value,value,difference,low,high,detectable,pairs,"
      "verdict\n";
  for (const ComparedArm& compared : comparison.compared) {
    const std::vector<std::string> fields{compared.stage, compared.stage, comparison.arms.front().label,
                                          comparison.arms[compared.arm].label};
    for (const ComparedMeasure& one : compared.measures) text += csvRow(fields, one);
  }
  for (const ComparedStages& compared : comparison.comparedStages) {
    const std::string& label = comparison.arms[compared.arm].label;
    for (const ComparedMeasure& one : compared.measures) {
      text += csvRow({compared.stage, compared.reference, label, label}, one);
    }
  }
  return text;
}

std::string toJsonText(const Comparison& comparison) {
  Json json{{"arms", Json::array()},        {"differences", Json::array()},          {"compared", Json::array()},
            {"stages", Json::array()},      {"comparisons", comparison.comparisons}, {"method", methodText(comparison)},
            {"remarks", comparison.remarks}};
  for (const Arm& arm : comparison.arms) json["arms"].push_back(toJson(arm));
  for (const PlanDifference& difference : comparison.differences) {
    Json values = Json::object();
    for (std::size_t i = 0; i < difference.values.size(); ++i) {
      values[comparison.arms[i].label] = difference.values[i];
    }
    json["differences"].push_back({{"key", difference.key}, {"values", values}});
  }
  for (const ComparedArm& compared : comparison.compared) {
    json["compared"].push_back(comparedJson(comparison, compared));
  }
  for (const ComparedStages& compared : comparison.comparedStages) {
    json["stages"].push_back({{"variant", comparison.arms[compared.arm].label},
                              {"reference", compared.reference},
                              {"stage", compared.stage},
                              {"measures", measuresJson(compared.measures)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace slipstream
