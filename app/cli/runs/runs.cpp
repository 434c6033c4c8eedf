// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/remotes/copies.h"
#include "app/cli/runs/commands.h"
#include "app/cli/runs/run_json.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/analysis/run_results.h"
#include "engine/base/characters.h"
#include "engine/base/clock.h"
#include "engine/base/number_format.h"
#include "engine/base/text.h"
#include "engine/document/text_table.h"
#include "engine/runs/run_selection.h"
#include "engine/store/store_folder.h"

namespace slipstream::cli {
namespace {

/// A run of the list.
struct ListedRun {
  RunRecord head;
  RunLabel label;
  RunResults results;
};

nlohmann::ordered_json orNull(const std::optional<double>& value) {
  return value ? jsonNumber(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json toJson(const ListedRun& one) {
  const RunResults& results = one.results;
  nlohmann::ordered_json json = headJson(one.head);
  json.update({{"title", one.label.title},
               {"steps", results.steps},
               {"loss", orNull(results.loss)},
               {"accuracy", orNull(results.accuracy)},
               {"test_loss", orNull(results.testLoss)},
               {"training_seconds", orNull(results.seconds)},
               {"tags", one.label.tags},
               {"archived", one.label.archived}});
  return json;
}

std::string textOf(const std::optional<double>& value, Quantity quantity, double unit = 1) {
  return value ? quantityText(*value * unit, quantity) : "";
}

/// The last column: what a person calls the run, and what is said of it.
std::string namesOf(const ListedRun& one) {
  std::string text = one.label.title.empty() ? titleOf(one.head) : one.label.title;
  for (const std::string& tag : one.label.tags) text += " #" + tag;
  if (one.label.archived) text += " (archived)";
  return printable(text);
}

/// With what a run waits for, where that is known.
std::string stateOf(RunStore& store, const RunRecord& run) {
  const std::string text = stateText(store, run);
  const bool waits = run.state == RunState::queued || run.state == RunState::starting;
  return waits && !run.why.empty() ? fmt::format("{} ({})", text, printable(run.why)) : text;
}

TextRow rowOf(RunStore& store, const ListedRun& one) {
  const RunRecord& run = one.head;
  return {run.id,
          stateOf(store, run),
          std::to_string(run.ranks),
          run.device,
          wallText(run.createdAt),
          std::to_string(run.seed),
          countText(one.results.steps),
          textOf(one.results.loss, Quantity::loss),
          textOf(one.results.accuracy, Quantity::percent, 100),
          textOf(one.results.seconds, Quantity::seconds),
          namesOf(one)};
}

void printTable(RunStore& store, const std::vector<ListedRun>& all) {
  std::vector<TextRow> rows{{"run", "state", "ranks", "device", "created (UTC)", "seed", "steps", "loss", "accuracy, %",
                             "training, s", "name / variant"}};
  for (const ListedRun& one : all) rows.push_back(rowOf(store, one));
  // Names begin on the left: what is right of the numbers is padded by nobody.
  for (TextRow& row : rows) row.back() = "  " + row.back();
  std::size_t widest = 0;
  for (const TextRow& row : rows) widest = std::max(widest, characterCount(row.back()));
  for (TextRow& row : rows) row.back() += std::string(widest - characterCount(row.back()), ' ');
  fmt::print("{}", tableText(rows, 5));
}

bool hasTags(const RunLabel& label, const std::vector<std::string>& tags) {
  return std::all_of(tags.begin(), tags.end(), [&](const std::string& tag) {
    return std::find(label.tags.begin(), label.tags.end(), tag) != label.tags.end();
  });
}

std::vector<ListedRun> listed(RunStore& store, std::vector<RunRecord> heads, const std::vector<std::string>& tags) {
  const auto labels = store.labels();
  std::vector<ListedRun> all;
  for (RunRecord& head : heads) {
    const auto found = labels.find(head.id);
    RunLabel label = found == labels.end() ? RunLabel{} : found->second;
    if (!hasTags(label, tags)) continue;
    RunResults results = resultsOf(store, head.id);
    all.push_back({std::move(head), std::move(label), std::move(results)});
  }
  return all;
}

}  // namespace

int runs(const RunsArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const RunScope scope = arguments.archived ? RunScope::all : RunScope::listed;
  const auto heads = findHeads(**store, arguments.runs, arguments.filter, scope);
  if (!heads) return report(heads.error());
  if (const Failures foreign = foreignRuns(line.storeFolder); !foreign.empty()) report(foreign);
  const std::vector<ListedRun> all = listed(**store, *heads, arguments.tags);
  if (!arguments.json) {
    printTable(**store, all);
    return ExitCode::done;
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedRun& one : all) list.push_back(toJson(one));
  print(list);
  return ExitCode::done;
}

}  // namespace slipstream::cli
