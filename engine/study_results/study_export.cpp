// SPDX-License-Identifier: GPL-3.0-or-later
// A verdict for programs and spreadsheets: JSON and CSV, whose keys are interfaces.
#include <cmath>

#include "engine/base/text.h"
#include "engine/study_results/study_document.h"

namespace slipstream {
namespace {

Json numberOf(double value) {
  if (std::isfinite(value)) return value;
  return numberText(value);
}

/// Programs read shares of 1, as the metrics are; people read percent.
Json valueOf(const StudyComparison& one, const std::optional<double>& value, bool isEffect = false) {
  if (!value) return nullptr;
  const bool percent = one.measure.quantity == Quantity::percent && !(isEffect && one.measure.ratio);
  return numberOf(percent ? *value / 100 : *value);
}

Json settingsJson(const StudySettings& settings) {
  Json json = Json::object();
  for (const auto& [key, value] : settings) json[key] = value;
  return json;
}

Json toJson(const StudyComparison& one, const Study& study) {
  const auto effect = [&](const std::optional<double>& value) { return valueOf(one, value, true); };
  Json json{{"measure", one.measure.key},
            {"factors", settingsJson(one.factors)},
            {"variant", one.variant},
            {"reference", one.reference},
            {"pairs", one.pairs},
            {"reference_value", one.pairs > 0 ? valueOf(one, one.referenceMean) : Json()},
            {"value", one.pairs > 0 ? valueOf(one, one.mean) : Json()},
            {"reference_deviation", one.pairs > 1 ? valueOf(one, one.referenceSpread) : Json()},
            {"deviation", one.pairs > 1 ? valueOf(one, one.spread) : Json()},
            {"effect", one.pairs > 0 ? effect(one.effect) : Json()},
            {"scale", one.measure.ratio ? "ratio" : "difference"},
            {"low", effect(one.low)},
            {"high", effect(one.high)},
            {"level", one.low ? Json(1 - one.miss) : Json()},
            {"p", one.p ? Json(*one.p) : Json()},
            {"equivalence_p", one.equivalenceP ? Json(*one.equivalenceP) : Json()},
            {"detectable", effect(one.detectable)},
            {"seeds_needed", one.seedsNeeded ? Json(*one.seedsNeeded) : Json()},
            {"bootstrap_low", effect(one.bootstrapLow)},
            {"bootstrap_high", effect(one.bootstrapHigh)},
            {"verdict", nameOf(one.verdict)},
            {"text", verdictText(one, study).in()},
            {"reference_trials", one.referenceTrials},
            {"trials", one.trials}};
  if (!one.inVariant.empty()) json["in_variant"] = one.inVariant;
  if (one.measure.countsToTarget) {
    json["reference_reached"] = one.referenceReached;
    json["reached"] = one.reached;
    json["horizon"] = one.horizon ? numberOf(*one.horizon) : Json();
  }
  return json;
}

/// What a comparison is without its claims.
Json secondaryJson(const StudyComparison& one, const Study& study) {
  Json json = toJson(one, study);
  for (const char* claim : {"p", "equivalence_p", "detectable", "seeds_needed", "bootstrap_low", "bootstrap_high",
                            "verdict", "text", "reference_trials", "trials"}) {
    json.erase(claim);
  }
  json["why"] = one.why.in();
  return json;
}

}  // namespace

std::string toCsvText(const StudyVerdict& verdict) {
  Table table;
  for (const char* key :
       {"variant", "reference", "where", "measure", "pairs", "reference value", "value", "effect", "scale", "low",
        "high", "level", "p", "verdict", "reference trials", "trials", "role", "reference deviation", "deviation"}) {
    table.columns.push_back({.key = key});
  }
  const auto addRow = [&](const StudyComparison& one, bool isPrimary) {
    const auto number = [](const std::optional<double>& value) { return Cell{.number = value}; };
    const auto measured = [&](double value, int fewest) {
      return number(one.pairs < fewest ? std::nullopt : std::optional(value));
    };
    table.rows.push_back({{.text = one.variant},
                          {.text = one.reference},
                          {.text = whereText(one)},
                          {.text = one.measure.name},
                          {.text = std::to_string(one.pairs)},
                          measured(one.referenceMean, 1),
                          measured(one.mean, 1),
                          measured(one.effect, 1),
                          {.text = one.measure.ratio ? "ratio" : "difference"},
                          number(one.low),
                          number(one.high),
                          number(one.low ? std::optional(1 - one.miss) : std::nullopt),
                          number(isPrimary ? one.p : std::nullopt),
                          {.text = isPrimary ? nameOf(one.verdict) : ""},
                          {.text = std::to_string(one.referenceTrials)},
                          {.text = std::to_string(one.trials)},
                          {.text = isPrimary ? "primary" : "secondary"},
                          measured(one.referenceSpread, 2),
                          measured(one.spread, 2)});
  };
  for (const StudyComparison& one : verdict.comparisons) addRow(one, true);
  for (const StudyComparison& one : verdict.secondary) addRow(one, false);
  return toCsv(table);
}

std::string toJsonText(const StudyVerdict& verdict) {
  Json json{{"study", verdict.study.name},
            {"hash", verdict.hash},
            {"follows", verdict.study.follows},
            {"state", nameOf(verdict.state)},
            {"cells", verdict.cells},
            {"finished", verdict.finished},
            {"failed", verdict.failed},
            {"look", verdict.look},
            {"alpha", verdict.study.question.alpha},
            {"judged", verdict.judged},
            {"summary", summaryOf(verdict).in()},
            {"method", methodOf(verdict).in()},
            {"badges", Json::array()},
            {"comparisons", Json::array()},
            {"secondary", Json::array()},
            {"tuning", Json::array()},
            {"profile", Json::array()},
            {"remarks", Json::array()}};
  for (const Text& badge : verdict.badges) json["badges"].push_back(badge.in());
  for (const StudyComparison& one : verdict.comparisons) json["comparisons"].push_back(toJson(one, verdict.study));
  for (const StudyComparison& one : verdict.secondary) json["secondary"].push_back(secondaryJson(one, verdict.study));
  for (const TunedVariant& tuned : verdict.tuned) {
    json["tuning"].push_back({{"variant", tuned.variant},
                              {"factors", settingsJson(tuned.factors)},
                              {"trials", tuned.trials},
                              {"chosen", tuned.chosen ? Json(*tuned.chosen) : Json()},
                              {"values", settingsJson(tuned.values)}});
  }
  for (const ProfileScore& one : verdict.profile)
    json["profile"].push_back({{"variant", one.variant}, {"score", one.score}});
  for (const auto* remarks : {&verdict.remarks, &verdict.losses}) {
    for (const Text& remark : *remarks) json["remarks"].push_back(remark.in());
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace slipstream
