// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/remotes/copies.h"
#include "app/cli/runs/commands.h"
#include "app/cli/runs/run_json.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/characters.h"
#include "engine/base/clock.h"
#include "engine/base/number_format.h"
#include "engine/base/text.h"
#include "engine/boost/metrics.h"
#include "engine/document/text_table.h"
#include "engine/plan/run_plan.h"
#include "engine/report/rank_times_text.h"
#include "engine/report/stage_text.h"
#include "engine/runs/measure.h"
#include "engine/runs/run_outcome.h"
#include "engine/spec/device_kind.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream::cli {
namespace {

/// Of one line or more: what follows the first is indented by `indent`.
std::string paragraph(const std::string& text, std::size_t indent) {
  std::vector<std::string> lines = split(trim(text), '\n');
  for (std::string& line : lines) line = printable(line);
  return join(lines, "\n" + std::string(indent, ' '));
}

/// What it is called, and behind that what it was started as.
std::string namesOf(RunStore& store, const RunRecord& run) {
  const auto labels = store.labels();
  const auto found = labels.find(run.id);
  const std::string title = found == labels.end() ? "" : found->second.title;
  return title.empty() ? titleOf(run) : fmt::format("{}  ({})", title, titleOf(run));
}

void printOrigin(const RunRecord& run) {
  if (const auto imported = parseImportedRun(run.planText)) {
    fmt::print("imported    {}, {}\n", printable(imported->format), printable(imported->source));
    return;
  }
  fmt::print("ranks       {} on {}, attempt {}\n", run.ranks,
             isEmulated(run.device) ? run.device + " (emulated)" : run.device, run.attempt);
}

void printHead(RunStore& store, const RunRecord& run) {
  fmt::print("{}  {}\n", run.id, printable(namesOf(store, run)));
  fmt::print("state       {}{}{}\n", stateText(store, run), run.why.empty() ? "" : ": ", paragraph(run.why, 12));
  fmt::print("experiment  {}{}{}, seed {}\n", printable(run.experimentName), run.variant.empty() ? "" : ", variant ",
             printable(run.variant), run.seed);
  printOrigin(run);
  if (const std::string shrunk = shrinkingOf(store, run.id); !shrunk.empty()) {
    fmt::print("shrunk      {}; comparisons leave it out\n", printable(shrunk));
  }
  if (!run.job.empty()) fmt::print("slurm job   {}\n", printable(run.job));
  fmt::print("created     {} UTC\n", wallText(run.createdAt));
  if (run.startedAt > 0 && run.endedAt > 0) {
    fmt::print("took        {}\n", durationText(static_cast<double>(attemptNanoseconds(store, run)) * 1e-9));
  }
  if (!run.sourceRevision.empty()) fmt::print("source      {}\n", run.sourceRevision);
  fmt::print("repeat it   {}\n", printable(run.commandText));
}

void printSettings(const ImportedRun& imported) {
  std::vector<TextRow> rows{{"setting", "value"}};
  for (const auto& [key, value] : imported.settings) rows.push_back({printable(key), printable(value)});
  if (rows.size() > 1) fmt::print("\n{}", tableText(rows, 2));
}

/// Of a run of another program there is what its files say, and no decision of ours.
void printPlan(const RunRecord& run, const RunPlan& plan) {
  if (const auto imported = parseImportedRun(run.planText)) return printSettings(*imported);
  fmt::print("\nwhat ran, what was off, and why\n{}", decisionsText(plan));
}

std::string measureText(const StageOutcome& outcome, const char* key) {
  const auto value = outcome.value(key);
  if (!value) return "";
  const Quantity quantity = measureOf(key).quantity;
  const char* unit = quantity == Quantity::percent ? " %" : quantity == Quantity::seconds ? " s" : "";
  return quantityText(*value, quantity) + unit;
}

/// Steps in the numbers that metrics go by.
std::string progressText(const StageOutcome& outcome) {
  const std::int64_t steps = outcome.stage.endStep - outcome.stage.firstStep;
  return outcome.ended() ? countText(steps) : fmt::format("{} of {}", countText(outcome.steps), countText(steps));
}

void printStages(const RunOutcome& outcome) {
  std::vector<TextRow> asked{{"stage", "starts from", "length", "optimizer", "algorithms"}};
  std::vector<TextRow> came{{"stage", "from step", "steps", "accuracy", "test loss", "training loss", "training time"}};
  for (const StageOutcome& one : outcome.stages) {
    const StagePlan& stage = one.stage;
    asked.push_back({stage.name, startText(stage).in(), lengthText(stage, outcome.run.ranks).in(),
                     optimizerText(stage).in(), algorithmsText(stage.experiment).in()});
    came.push_back({stage.name, countText(stage.firstStep), progressText(one), measureText(one, measure::accuracy),
                    measureText(one, measure::testLoss), measureText(one, measure::finalLoss),
                    measureText(one, measure::trainingSeconds)});
  }
  fmt::print("\n{}\n{}", tableText(asked, 5), tableText(came));
}

/// "cosine/" of "cosine/conv1.weight"; the name itself where nothing is before it.
std::string familyOf(const std::string& metric) {
  const auto slash = metric.rfind('/');
  return slash == std::string::npos ? metric : metric.substr(0, slash + 1);
}

TextRow rowOf(const NamedSummary& one) {
  TextRow row{one.metric, metricText(one.summary.last)};
  if (betterOf(one.metric) == Better::neither) return row;
  row.insert(row.end(), {metricText(one.summary.best), countText(one.summary.bestStep)});
  return row;
}

/// Metrics of one family (one a tensor, say) in one line: the lowest and the highest of their last values.
TextRow rowOf(const std::string& family, const std::vector<NamedSummary>& members) {
  const auto [low, high] =
      std::minmax_element(members.begin(), members.end(),
                          [](const NamedSummary& a, const NamedSummary& b) { return a.summary.last < b.summary.last; });
  return {fmt::format("{}… ({})", family, members.size()),
          metricText(low->summary.last) + " … " + metricText(high->summary.last)};
}

void printMetrics(RunStore& store, const RunRecord& run) {
  constexpr std::size_t crowd = 6;
  std::map<std::string, std::vector<NamedSummary>> families;
  std::vector<std::string> damaged;
  for (NamedSummary& one : summaries(store, run, damaged)) families[familyOf(one.metric)].push_back(std::move(one));
  if (!damaged.empty()) fmt::print("\n{}\n", damageText(damaged));
  if (families.empty()) return;
  std::vector<TextRow> rows{{"metric", "last", "best", "at step"}};
  for (const auto& [family, members] : families) {
    if (members.size() >= crowd) {
      rows.push_back(rowOf(family, members));
    } else {
      for (const NamedSummary& one : members) rows.push_back(rowOf(one));
    }
  }
  fmt::print("\n{}", tableText(rows));
}

void printTimes(RunStore& store, const RunRecord& run) {
  const std::string text = rankTimesText(intactRankTimes(store, run.id, run.ranks));
  if (!text.empty()) fmt::print("\n{}", text);
}

/// Ranks with the same bytes share a line; categories that nobody uses are left out.
void printMemory(RunStore& store, const RunRecord& run, const RunPlan& plan) {
  const auto memory = store.memory(run.id);
  if (memory.empty()) return;
  std::vector<std::string> categories;
  for (const auto& [category, bytes] : plan.memoryPerRank) {
    const bool used = std::any_of(memory.begin(), memory.end(), [&, name = category](const auto& rank) {
      const auto found = rank.second.find(name);
      return found != rank.second.end() && found->second > 0;
    });
    if (used || bytes > 0) categories.push_back(category);
  }
  const auto rowOf = [&](const std::string& name, const std::map<std::string, std::int64_t>& bytes) {
    TextRow row{name};
    for (const std::string& category : categories) {
      const auto found = bytes.find(category);
      row.push_back(sizeText(found == bytes.end() ? 0 : found->second));
    }
    return row;
  };
  std::vector<TextRow> rows{{"memory"}};
  rows.front().insert(rows.front().end(), categories.begin(), categories.end());
  rows.push_back(rowOf("forecast", plan.memoryPerRank));
  for (auto first = memory.begin(); first != memory.end();) {
    const auto next = std::find_if(first, memory.end(), [&](const auto& rank) { return rank.second != first->second; });
    const int last = std::prev(next)->first;
    const std::string name =
        last == first->first ? fmt::format("rank {}", last) : fmt::format("ranks {} to {}", first->first, last);
    rows.push_back(rowOf(name, first->second));
    first = next;
  }
  fmt::print("\n{}", tableText(rows));
}

const char* wordOf(EventLevel level) {
  if (level == EventLevel::error) return "error    ";
  return level == EventLevel::warning ? "warning  " : "note     ";
}

void printProblems(RunStore& store, const RunRecord& run) {
  for (const Event& event : store.events(run.id)) {
    // Of what is no problem, only what is said of the data is of lasting interest.
    if (event.level == EventLevel::information && event.code != "data") continue;
    fmt::print("{}{} UTC  {}{}: {}\n", wordOf(event.level), wallText(event.wallNanoseconds), event.code,
               event.rank < 0 ? std::string() : fmt::format(", rank {}", event.rank), paragraph(event.text, 9));
  }
}

}  // namespace

int show(const ShowArguments& arguments, const CommandLine& line) {
  const auto opened = openRun(line, arguments.run);
  if (!opened) return report(opened.error());
  const auto& [store, run] = *opened;
  const auto plan = planToShow(run.planText);
  if (!plan) return report(plan.error());
  if (arguments.json) {
    print(runJson(*store, run, *plan));
    return ExitCode::done;
  }
  printHead(*store, run);
  printStages(outcomeOf(*store, run, *plan));
  printPlan(run, *plan);
  printMetrics(*store, run);
  printTimes(*store, run);
  printMemory(*store, run, *plan);
  printProblems(*store, run);
  return ExitCode::done;
}

}  // namespace slipstream::cli
