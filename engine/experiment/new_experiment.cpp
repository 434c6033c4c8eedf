// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/json_edit.h"
#include "engine/experiment/experiment_choices.h"

namespace slipstream {
namespace {

/// Whole numbers without a decimal point.
Json epochsOf(double epochs) {
  const auto whole = static_cast<std::int64_t>(epochs);
  return static_cast<double>(whole) == epochs ? Json(whole) : Json(epochs);
}

}  // namespace

std::string newExperimentText(const NewExperiment& chosen) {
  Json root{{"name", chosen.name}, {"network", chosen.network}, {"dataset", {{"name", chosen.dataset}}}};
  if (!chosen.path.empty()) root["dataset"]["path"] = chosen.path;
  const bool table = !chosen.rankTable.empty();
  root["parallel"] = table ? Json{{"rank_table", chosen.rankTable}} : Json{{"ranks", chosen.ranks}};
  if (!chosen.algorithms.empty()) root["boost"] = boostOf(chosen.algorithms, Json::object());
  root["train"] = chosen.steps > 0 ? Json{{"steps", chosen.steps}} : Json{{"epochs", epochsOf(chosen.epochs)}};
  std::string text = "{\n";
  std::size_t left = root.size();
  for (const auto& [key, value] : root.items()) {
    const std::string name = "  " + Json(key).dump() + ": ";
    text += name + prettyJson(value, 2, name.size()) + (--left > 0 ? ",\n" : "\n");
  }
  return text + "}\n";
}

}  // namespace slipstream
