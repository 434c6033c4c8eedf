// SPDX-License-Identifier: GPL-3.0-or-later
#include <exception>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/runs/commands.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/document/text_table.h"
#include "engine/runs/run_removal.h"
#include "engine/runs/run_selection.h"

namespace slipstream::cli {
namespace {

/// What became of the runs that were to be removed.
struct Removal {
  std::vector<std::optional<std::string>> whyNot;  ///< one a run; nothing where it was removed
  Failures failures;
  std::exception_ptr error;  ///< the first that was thrown

  bool complete() const { return failures.empty() && !error; }
};

nlohmann::ordered_json toJson(const Prunable& one, const std::optional<std::string>& whyNot) {
  return {{"run", one.run.id},  {"whole_run", one.wholeRun}, {"checkpoint_steps", one.checkpointSteps},
          {"bytes", one.bytes}, {"deleted", !whyNot},        {"why", whyNot.value_or("")}};
}

std::string whatGoes(const Prunable& one) {
  if (one.wholeRun) return "all of it";
  std::vector<std::string> steps;
  for (const std::int64_t step : one.checkpointSteps) steps.push_back(countText(step));
  return "checkpoints " + join(steps, ", ");
}

std::int64_t totalBytes(const std::vector<Prunable>& all) {
  std::int64_t bytes = 0;
  for (const Prunable& one : all) bytes += one.bytes;
  return bytes;
}

void printTable(const std::vector<Prunable>& all) {
  std::vector<TextRow> rows{{"run", "state", "name / variant", "goes", "size"}};
  for (const Prunable& one : all) {
    rows.push_back({one.run.id, std::string(nameOf(one.run.state)), printable(titleOf(one.run)), whatGoes(one),
                    sizeText(one.bytes)});
  }
  fmt::print("{}", tableText(rows, 4));
}

/// How the user answered before being asked.
struct Consent {
  bool confirmed = false;
  bool dryRun = false;
  bool json = false;
};

/// Removes what it can.
Removal removeAll(RunStore& store, const std::vector<Prunable>& all) {
  Removal removal;
  for (const Prunable& one : all) {
    std::optional<std::string>& whyNot = removal.whyNot.emplace_back();
    try {
      const Status removed = prune(store, one);
      if (!collect(removed, removal.failures)) whyNot = trim(toText(removed.error()));
    } catch (const std::exception& error) {
      whyNot = error.what();
      if (!removal.error) removal.error = std::current_exception();
    }
  }
  return removal;
}

void printJson(const std::vector<Prunable>& all, bool removes, const Removal& removal) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::optional<std::string> whyNot = removes ? removal.whyNot[i] : "";
    if (!removes || !whyNot) bytes += all[i].bytes;
    list.push_back(toJson(all[i], whyNot));
  }
  print({{"deleted", removes && removal.complete()}, {"bytes", bytes}, {"runs", list}});
}

/// Says what goes and, where the user has agreed to it, removes it.
int removeWithConsent(RunStore& store, const std::vector<Prunable>& all, const Consent& consent) {
  const bool removes = consent.confirmed && !consent.dryRun;
  if (!consent.json && !all.empty()) printTable(all);
  const Removal removal = removes ? removeAll(store, all) : Removal{};
  if (consent.json) printJson(all, removes, removal);
  if (!removal.failures.empty()) report(removal.failures);
  if (removal.error) std::rethrow_exception(removal.error);
  if (!removal.complete()) return ExitCode::invalidInput;
  if (all.empty() || removes || consent.dryRun) {
    if (!consent.json) {
      fmt::print("{}{}\n",
                 all.empty() ? "nothing to delete"
                 : removes   ? "deleted: "
                             : "would be deleted: ",
                 all.empty() ? "" : sizeText(totalBytes(all)));
    }
    return ExitCode::done;
  }
  return report({{"--yes", "", "is missing, so nothing was deleted", "add it, or --dry-run to see what would go"}});
}

/// Fails where one of them is carried on: all go, or none.
Result<std::vector<Prunable>> wholeRuns(RunStore& store, const std::vector<RunRecord>& runs) {
  std::vector<Prunable> all;
  Failures failures;
  for (const RunRecord& run : runs) {
    if (isLiving(run.state)) {
      failures.push_back(
          {"RUN", run.id, "the run is " + std::string(nameOf(run.state)), "stop it first: slipstream stop " + run.id});
    }
    all.push_back({run, true, {}, sizeOfRun(store, run.id).total()});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return all;
}

}  // namespace

int deleteRuns(const DeleteArguments& arguments, const CommandLine& line) {
  const auto store = openToChange(line);
  if (!store) return report(store.error());
  const auto runs = findRuns(**store, arguments.runs);
  if (!runs) return report(runs.error());
  const auto all = wholeRuns(**store, *runs);
  if (!all) return report(all.error());
  return removeWithConsent(**store, *all, {arguments.confirmed, arguments.dryRun, arguments.json});
}

int pruneRuns(const PruneArguments& arguments, const CommandLine& line) {
  if (!arguments.failed && !arguments.keepCheckpoints) {
    return report({{"prune", "", "is told nothing to delete", "add --failed, --checkpoints N or both"}});
  }
  const auto store = openToChange(line);
  if (!store) return report(store.error());
  const auto heads = findHeads(**store, arguments.runs, "");
  if (!heads) return report(heads.error());
  const PruneRequest request{arguments.failed, arguments.keepCheckpoints};
  return removeWithConsent(**store, prunable(**store, *heads, request),
                           {arguments.confirmed, arguments.dryRun, arguments.json});
}

}  // namespace slipstream::cli
