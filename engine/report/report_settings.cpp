// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/report/report_sections.h"
#include "engine/report/stage_text.h"
#include "engine/store/environment.h"

namespace slipstream {
namespace {

Table askedTable(const RunPlan& plan) {
  Table table{.caption = phrase("What each stage was asked to do.")};
  for (const char* title :
       {message("Stage"), message("starts from"), message("Length"), message("Optimizer"), message("Algorithms")}) {
    table.columns.push_back({.title = phrase(title), .prose = true});
  }
  for (const StagePlan& stage : plan.stages) {
    table.rows.push_back({{.text = stage.name},
                          {.text = startText(stage)},
                          {.text = lengthText(stage, plan.ranks())},
                          {.text = optimizerText(stage)},
                          {.text = algorithmsText(stage.experiment)}});
  }
  return table;
}

/// Where a run is from, and what its files say of how it came about.
KeyValues importedValues(const ImportedRun& imported) {
  KeyValues values{{{phrase("Imported from"), joined({imported.format, imported.source}, ", ")}}};
  for (const auto& [key, value] : imported.settings) values.rows.push_back({key, value});
  return values;
}

const Decision* findDecision(const std::vector<Decision>& decisions, const std::string& subject) {
  const auto found = std::ranges::find(decisions, subject, &Decision::subject);
  return found == decisions.end() ? nullptr : &*found;
}

/// Reasons of the variants, each named where they are not all the same.
Text reasonsText(const std::vector<const Decision*>& decisions, const std::vector<Variant>& variants) {
  const bool same = std::ranges::all_of(decisions, [&](const Decision* one) {
    return one != nullptr && decisions.front() != nullptr && one->why == decisions.front()->why;
  });
  if (same) return decisions.front()->why;
  std::vector<Text> parts;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (decisions[i] != nullptr) parts.push_back(joined({variants[i].label, decisions[i]->why}, ": "));
  }
  return joined(std::move(parts), "\n");
}

/// "dim_reduce, in stage anneal": of a decision of one stage its name is last, so that it does not look like a key.
Text subjectText(const std::string& subject, const std::vector<RunPlan>& plans) {
  for (const RunPlan& plan : plans) {
    for (const StagePlan& stage : plan.stages) {
      const std::string prefix = stage.name + ".";
      if (startsWith(subject, prefix)) return phrase("{}, in stage {}", {subject.substr(prefix.size()), stage.name});
    }
  }
  return subject;
}

/// Subjects of the decisions of all plans, each once.
std::vector<std::string> subjectsOf(const std::vector<std::vector<Decision>>& decisions) {
  std::vector<std::string> subjects;
  for (const auto& list : decisions) {
    for (const Decision& decision : list) {
      if (std::ranges::find(subjects, decision.subject) == subjects.end()) subjects.push_back(decision.subject);
    }
  }
  return subjects;
}

/// Adds what the runs hold, each text once; imported runs hold none.
template <class TextOf, class Add>
void addEachOnce(const Comparison& comparison, const TextOf& textOf, const Add& add) {
  std::set<std::string> seen;
  for (const Variant& variant : comparison.variants) {
    for (const RunOutcome& outcome : variant.outcomes) {
      const std::string& text = textOf(outcome.run);
      if (!text.empty() && seen.insert(text).second) add(outcome.run);
    }
  }
}

}  // namespace

Block environmentBlock(const RunRecord& run) {
  const auto facts = environmentFacts(run.environmentText);
  if (facts.empty()) return Listing{run.environmentText};
  Table table{.caption = phrase("Where {} was made.", {run.name}), .columns = {{}, {.prose = true}}};
  for (const auto& [name, value] : facts) table.rows.push_back({{.text = phrase(name)}, {.text = value}});
  return table;
}

void addAsked(const ReportInput& input, ReportDocument& document) {
  document.add(Heading{2, phrase("What was asked")});
  for (std::size_t i = 0; i < input.plans.size(); ++i) {
    const RunPlan& plan = input.plans[i];
    const StagePlan whole = stagesOf(plan).front();
    const Variant& variant = input.comparison.variants[i];
    if (input.plans.size() > 1) document.add(headingOf(variant));
    if (const auto imported = parseImportedRun(variant.outcomes.front().run.planText)) {
      document.add(importedValues(*imported));
      continue;
    }
    KeyValues values{{{phrase("Network and data"), networkText(plan)},
                      {phrase("Ranks"), ranksText(plan)},
                      {phrase("Kernels"), phrase("{} on {}", {plan.instructionSet, whole.experiment.device})}}};
    if (plan.stages.empty()) {
      values.rows.push_back({phrase("Length"), lengthText(whole, plan.ranks())});
      values.rows.push_back({phrase("Optimizer"), optimizerText(whole)});
      values.rows.push_back({phrase("Algorithms"), algorithmsText(whole.experiment)});
    }
    document.add(std::move(values));
    if (!plan.stages.empty()) document.add(askedTable(plan));
  }
  if (input.comparison.differences.empty()) return;
  document.add(Heading{3, phrase("What differs")});
  document.add(differencesTable(input.comparison));
}

void addDecisions(const ReportInput& input, ReportDocument& document) {
  std::vector<std::vector<Decision>> decisions;
  for (const RunPlan& plan : input.plans) decisions.push_back(allDecisions(plan));
  const std::vector<std::string> subjects = subjectsOf(decisions);
  if (subjects.empty()) return;
  Table table{.caption = phrase("What the plan decided, and why."),
              .columns = {{.title = phrase("Algorithm or setting")}}};
  for (const Variant& variant : input.comparison.variants) {
    table.columns.push_back({.title = variant.label, .swatch = variant.colourSlot});
  }
  table.columns.push_back({.title = phrase("Why"), .prose = true});
  for (const std::string& subject : subjects) {
    std::vector<Cell> row{{.text = subjectText(subject, input.plans)}};
    std::vector<const Decision*> found;
    for (const auto& list : decisions) {
      found.push_back(findDecision(list, subject));
      const bool on = found.back() != nullptr && found.back()->effect == Effect::on;
      row.push_back({.text = found.back() == nullptr ? Text("–") : stateText(*found.back()),
                     .tone = on ? Tone::strong : Tone::quiet});
    }
    row.push_back({.text = reasonsText(found, input.comparison.variants), .tone = Tone::quiet});
    table.rows.push_back(std::move(row));
  }
  document.add(Heading{2, phrase("What ran, and what was off")});
  document.add(std::move(table));
}

void addSources(const ReportInput& input, ReportDocument& document) {
  addEachOnce(
      input.comparison, [](const RunRecord& run) { return run.experimentText; },
      [&](const RunRecord& run) {
        document.add(Heading{3, phrase("The experiment file of {}", {run.name})});
        document.add(Listing{run.experimentText});
      });
  addEachOnce(
      input.comparison, [](const RunRecord& run) { return run.environmentText; },
      [&](const RunRecord& run) { document.add(environmentBlock(run)); });
}

}  // namespace slipstream
