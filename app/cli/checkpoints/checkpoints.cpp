// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/checkpoints/commands.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/document/text_table.h"
#include "engine/runs/weight_lookup.h"

namespace slipstream::cli {
namespace {

nlohmann::ordered_json toJson(const StoredWeights& one) {
  nlohmann::ordered_json json{{"step", one.step},       {"stage", one.stage},       {"epoch", one.epoch},
                              {"attempt", one.attempt}, {"kind", nameOf(one.kind)}, {"bytes", one.bytes},
                              {"own_bytes", nullptr},   {"new_bytes", nullptr},     {"time", nullptr}};
  if (one.ownBytes) json["own_bytes"] = *one.ownBytes;
  if (one.newBytes) json["new_bytes"] = *one.newBytes;
  if (one.wallNanoseconds > 0) json["time"] = wallText(one.wallNanoseconds);
  return json;
}

std::string sizeText(const std::optional<std::int64_t>& bytes) {
  return bytes ? slipstream::sizeText(*bytes) : "";
}

TextRow rowOf(const StoredWeights& one) {
  return {one.stage,
          std::string(nameOf(one.kind)),
          countText(one.step),
          fmt::format("{:.2f}", one.epoch),
          slipstream::sizeText(one.bytes),
          sizeText(one.ownBytes),
          sizeText(one.newBytes),
          one.wallNanoseconds > 0 ? wallText(one.wallNanoseconds) : ""};
}

}  // namespace

int checkpoints(const CheckpointsArguments& arguments, const CommandLine& line) {
  const auto opened = openRun(line, arguments.run);
  if (!opened) return report(opened.error());
  const auto& [store, run] = *opened;
  const auto plan = parseRunPlan(run.planText);
  if (!plan) return report(plan.error());
  const std::vector<StoredWeights> all = storedWeights(*store, run.id, *plan);
  if (arguments.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const StoredWeights& one : all) list.push_back(toJson(one));
    print(list);
    return ExitCode::done;
  }
  std::vector<TextRow> rows{
      {plan->stages.empty() ? "" : "stage", "kind", "step", "epoch", "size", "its own", "new in store", "time (UTC)"}};
  for (const StoredWeights& one : all) rows.push_back(rowOf(one));
  if (plan->stages.empty()) {
    for (TextRow& row : rows) row.erase(row.begin());
  }
  fmt::print("{}", tableText(rows, plan->stages.empty() ? 1 : 2));
  return ExitCode::done;
}

}  // namespace slipstream::cli
