// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_facts.h"

#include <nlohmann/json.hpp>

#include "engine/record/plan_differences.h"
#include "engine/record/run_logs.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t shownLines = 20;

std::string errorLines(const std::filesystem::path& folder, const RunRecord& run) {
  for (const RankLog& log : attemptLogs(folder, run.id)) {
    if (log.attempt != run.attempt || log.stream != "stderr") continue;
    const std::string last = lastLines(log, shownLines);
    if (!last.empty()) return last;  // the lowest rank that said something
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> machineOf(const std::string& environmentText) {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto environment = nlohmann::ordered_json::parse(environmentText, nullptr, false);
  if (!environment.is_object()) return facts;
  for (const auto& [key, value] : environment.items()) {
    if (value.is_string()) facts.emplace_back(key, value.get<std::string>());
    if (value.is_number()) facts.emplace_back(key, value.dump());
  }
  return facts;
}

std::vector<std::pair<std::string, std::string>> unlike(RunStore& store, const RunRecord& run,
                                                        const std::string& baseline) {
  std::vector<std::pair<std::string, std::string>> values;
  if (baseline.empty() || baseline == run.id) return values;
  const AskedRun asked = askedOf(run.planText);
  const auto reference = store.find(baseline);
  if (!reference) return values;
  const ComparedPlans compared = comparePlans({askedOf(reference->planText), asked});
  for (const PlanDifference& difference : compared.differences) {
    values.emplace_back(difference.key, difference.values[1] + "  (" + difference.values[0] + ")");
  }
  return values;
}

}  // namespace

RunFacts runFacts(RunStore& store, const std::string& id, const std::string& baseline) {
  const auto run = store.find(id);
  if (!run) return {};
  RunFacts facts;
  facts.run = run->id;
  if (run->state == RunState::failed || run->state == RunState::lost)
    facts.lastLines = errorLines(store.folder(), *run);
  facts.command = run->commandText;
  facts.revision = run->sourceRevision;
  facts.device = run->device;
  facts.seed = run->seed;
  facts.ranks = run->ranks;
  facts.attempts = run->attempt;
  facts.environment = machineOf(run->environmentText);
  facts.differences = unlike(store, *run, baseline);
  return facts;
}

}  // namespace slipstream::ui
