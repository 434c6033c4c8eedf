// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/plan/run_plan.h"

namespace slipstream {
namespace {

std::string textAt(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

/// `total_steps` is where a plan has it: lists of runs read both alike.
std::string toJsonText(const ImportedRun& run) {
  const nlohmann::ordered_json imported{
      {"format", run.format}, {"source", run.source}, {"hash", run.hash}, {"settings", run.settings}};
  return nlohmann::ordered_json{{"imported", imported}, {"total_steps", run.steps}}.dump(
      2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::optional<ImportedRun> parseImportedRun(const std::string& planText) {
  // A plan is long, and most runs have one.
  if (planText.find("\"imported\"") == std::string::npos) return std::nullopt;
  const nlohmann::json plan = nlohmann::json::parse(planText, nullptr, false);
  if (!plan.is_object() || !plan.contains("imported") || !plan["imported"].is_object()) return std::nullopt;
  const nlohmann::json& imported = plan["imported"];
  ImportedRun run{textAt(imported, "format"), textAt(imported, "source"), textAt(imported, "hash"), {}, 0};
  if (const auto settings = imported.find("settings"); settings != imported.end() && settings->is_object()) {
    for (const auto& [key, value] : settings->items())
      run.settings[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  if (const auto steps = plan.find("total_steps"); steps != plan.end() && steps->is_number_integer()) {
    run.steps = std::max<std::int64_t>(0, steps->get<std::int64_t>());
  }
  return run;
}

Result<RunPlan> planToShow(const std::string& planText) {
  const auto imported = parseImportedRun(planText);
  if (!imported) return parseRunPlan(planText);
  RunPlan plan;
  plan.experiment.device = importedDevice;
  plan.experiment.dataset.evaluationSamples = 0;  // nobody knows
  plan.totalSteps = imported->steps;
  return plan;
}

}  // namespace slipstream
