#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/record/comparison.h"

namespace slipstream {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

/// Characters on the screen: UTF-8 continuation bytes take no room.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

/// First column left, the others right.
std::string tableText(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - widthOf(row[i]), ' ');
      line += i == 0 ? row[i] + blanks : "  " + blanks + row[i];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string shortened(const std::string& text) {
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

std::vector<Row> outcomeRows(const Comparison& comparison) {
  std::vector<Row> rows{{"run", "name", "seed", "state", "steps"}};
  std::vector<const Measure*> shown;
  for (const Measure& measure : measures()) {
    for (const Arm& arm : comparison.arms) {
      const bool any = std::any_of(arm.outcomes.begin(), arm.outcomes.end(),
                                   [&](const RunOutcome& outcome) { return outcome.measured.contains(measure.key); });
      if (!any || (!shown.empty() && shown.back() == &measure)) continue;
      shown.push_back(&measure);
      rows.front().push_back(measure.key);
    }
  }
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) {
      Row row{outcome.run.id, arm.label, std::to_string(outcome.run.seed), std::string(nameOf(outcome.run.state)),
              countText(outcome.steps)};
      for (const Measure* measure : shown) {
        const auto value = outcome.measured.find(measure->key);
        row.push_back(value == outcome.measured.end() ? "" : quantityText(value->second, measure->quantity));
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::string intervalText(const ComparedMeasure& compared) {
  if (!compared.low) return "";
  return differenceText(*compared.low, compared.measure.quantity) + " … " +
         differenceText(*compared.high, compared.measure.quantity);
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
            {"verdict", wordOf(compared.verdict)}};
  if (compared.low) json["low"] = numberOf(*compared.low, quantity);
  if (compared.high) json["high"] = numberOf(*compared.high, quantity);
  return json;
}

Json toJson(const Arm& arm) {
  Json runs = Json::array();
  for (const RunOutcome& outcome : arm.outcomes) {
    Json run{{"run", outcome.run.id},
             {"seed", outcome.run.seed},
             {"state", nameOf(outcome.run.state)},
             {"steps", outcome.steps}};
    for (const auto& [key, value] : outcome.measured) run[key] = numberOf(value, quantityOf(key));
    runs.push_back(std::move(run));
  }
  return {{"label", arm.label}, {"runs", runs}};
}

}  // namespace

std::string toText(const Comparison& comparison) {
  std::string text = tableText(outcomeRows(comparison));
  if (!comparison.differences.empty()) {
    std::vector<Row> rows{{"what differs"}};
    for (const Arm& arm : comparison.arms) rows.front().push_back(arm.label);
    for (const PlanDifference& difference : comparison.differences) {
      Row row{difference.key};
      for (const std::string& value : difference.values) row.push_back(shortened(value));
      rows.push_back(std::move(row));
    }
    text += "\n" + tableText(rows);
  }
  for (const ComparedArm& compared : comparison.compared) {
    const std::string& reference = comparison.arms.front().label;
    const int pairs = compared.measures.empty() ? 0 : compared.measures.front().pairs;
    std::vector<Row> rows{{fmt::format("paired by seed, n = {}", pairs), reference, comparison.arms[compared.arm].label,
                           "difference", "95 % interval", "verdict"}};
    for (const ComparedMeasure& one : compared.measures) {
      const Quantity quantity = one.measure.quantity;
      rows.push_back({one.measure.name, quantityText(one.reference, quantity), quantityText(one.value, quantity),
                      differenceText(one.difference, quantity), intervalText(one), std::string(wordOf(one.verdict))});
    }
    text += "\n" + tableText(rows);
  }
  for (const std::string& remark : comparison.remarks) text += "\n" + remark + "\n";
  return text;
}

std::string toJsonText(const Comparison& comparison) {
  Json json{{"arms", Json::array()},
            {"differences", Json::array()},
            {"compared", Json::array()},
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
    Json list = Json::array();
    for (const ComparedMeasure& one : compared.measures) list.push_back(toJson(one));
    json["compared"].push_back({{"reference", comparison.arms.front().label},
                                {"arm", comparison.arms[compared.arm].label},
                                {"measures", list}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace slipstream
