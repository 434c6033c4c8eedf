// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/record/environment.h"
#include "engine/record/html.h"
#include "engine/record/report_sections.h"
#include "engine/record/stage_text.h"
#include "engine/record/what_differs.h"

namespace slipstream {
namespace {

std::string armName(const Arm& arm) {
  return "<strong>" + escaped(arm.label) + "</strong>";
}

const ComparedMeasure* findMeasure(const ComparedArm& compared, const std::string& key) {
  for (const ComparedMeasure& one : compared.measures) {
    if (one.measure.key == key) return &one;
  }
  return nullptr;
}

/// What a sentence about a stage begins with; nothing where there are none.
std::string inStage(const std::string& stage) {
  return stage.empty() ? "" : "In stage " + escaped(stage) + ", ";
}

/// "ends 1.32 points higher in test accuracy than mean (95 % interval 1.15 to 1.49, 5 paired seeds)"
std::string accuracyClaim(const ComparedMeasure& one, const std::string& stage, const Arm& arm, const Arm& reference) {
  if (one.verdict == ComparisonVerdict::noClaim) {
    return fmt::format(
        "{}{} ends at {} % test accuracy, {} at {} %. {}: an observation, {}.", inStage(stage), armName(arm),
        quantityText(one.value, Quantity::percent), armName(reference), quantityText(one.reference, Quantity::percent),
        one.pairs == 1 ? "One seed each" : fmt::format("{} seeds each", one.pairs), escaped(verdictText(one)));
  }
  const std::string interval =
      fmt::format("95 % interval {} to {}, {} paired seeds", differenceText(*one.low, Quantity::percent),
                  differenceText(*one.high, Quantity::percent), one.pairs);
  if (one.verdict == ComparisonVerdict::noDifferenceShown) {
    return capitalized(fmt::format(
        "{}no difference in test accuracy between {} and {} is shown ({}; one of {} points would have been).",
        inStage(stage), armName(arm), armName(reference), interval, detectableText(one)));
  }
  return fmt::format("{}{} ends <strong>{} points {}</strong> in test accuracy than {} ({}).", inStage(stage),
                     armName(arm), quantityText(std::abs(one.difference), Quantity::percent),
                     one.difference > 0 ? "higher" : "lower", armName(reference), interval);
}

/// "98.10 % test accuracy and a training loss of 0.0612"; nothing where neither was measured.
std::string resultText(const StageOutcome& outcome) {
  std::vector<std::string> parts;
  for (const Measure& measure : measures()) {
    if (measure.key != "accuracy" && measure.key != "final_loss") continue;
    const auto value = outcome.measured.find(measure.key);
    if (value == outcome.measured.end()) continue;
    parts.push_back(measure.key == "accuracy"
                        ? fmt::format("{} % test accuracy", quantityText(value->second, measure.quantity))
                        : fmt::format("a training loss of {}", quantityText(value->second, measure.quantity)));
  }
  return join(parts, " and ");
}

/// A run of one arm alone: what it came to.
std::string outcomeSentence(const Arm& arm, const RunOutcome& outcome) {
  const std::string_view state = nameOf(outcome.run.state);
  const std::string result = outcome.staged ? "" : resultText(outcome.stages.front());
  if (result.empty()) return fmt::format("{} is {} after {}.", armName(arm), state, counted(outcome.steps, "step"));
  return fmt::format("{} ({}) reached {} after {} on {}.", armName(arm), state, result, counted(outcome.steps, "step"),
                     counted(outcome.run.ranks, "rank"));
}

/// "train 97.10 %, dim_reduce 97.42 %": where the stages ended that have.
std::string stagesSentence(const RunOutcome& outcome) {
  std::vector<std::string> ends;
  for (const StageOutcome& stage : outcome.stages) {
    const auto accuracy = stage.measured.find("accuracy");
    if (!stage.ended() || accuracy == stage.measured.end()) continue;
    ends.push_back(escaped(stage.stage.name) + " " + quantityText(accuracy->second, Quantity::percent) + " %");
  }
  return ends.empty() ? "" : "Test accuracy at the end of each stage: " + join(ends, ", ") + ".";
}

/// Of its first run, where there are several.
std::string armSentence(const Arm& arm) {
  const RunOutcome& outcome = arm.outcomes.front();
  std::vector<std::string> sentences{outcomeSentence(arm, outcome)};
  if (arm.outcomes.size() > 1) sentences.front() += fmt::format(" It is the first of {} runs.", arm.outcomes.size());
  if (outcome.staged) sentences.push_back(stagesSentence(outcome));
  return join(sentences, " ");
}

std::string seedsOf(const Comparison& comparison) {
  std::set<std::uint64_t> seeds;
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) seeds.insert(outcome.run.seed);
  }
  return fmt::format("{}", fmt::join(seeds, ", "));
}

std::string fact(const std::string& name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value));
}

std::string networkText(const RunPlan& plan) {
  return fmt::format("{} on {}, {} training samples", plan.experiment.network.name, plan.experiment.dataset.name,
                     countText(plan.trainSamples));
}

std::string ranksText(const RunPlan& plan) {
  return fmt::format("{}, {} a rank", counted(plan.ranks(), "rank"), counted(plan.threadsPerRank, "thread"));
}

std::string askedTable(const RunPlan& plan) {
  std::string html =
      "<div class=\"scroll\"><table><caption>What each stage was asked to do.</caption><thead><tr><th>Stage</th>"
      "<th>starts from</th><th>Length</th><th>Optimizer</th>"
      "<th>Algorithms</th></tr></thead><tbody>";
  for (const StagePlan& stage : plan.stages) {
    html += "<tr>";
    for (const std::string& text : {stage.name, startText(stage), lengthText(stage, plan.ranks()), optimizerText(stage),
                                    algorithmsText(stage.experiment)}) {
      html += "<td class=\"text\">" + escaped(text) + "</td>";
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

/// What one arm was asked to do.
std::string askedOfArm(const ReportInput& input, std::size_t index) {
  const RunPlan& plan = input.plans[index];
  const StagePlan whole = stagesOf(plan).front();
  std::string html = input.plans.size() == 1 ? "" : "<h3>" + armHead(input.comparison.arms[index]) + "</h3>";
  html += "<dl class=\"facts\">" + fact("Network and data", networkText(plan)) + fact("Ranks", ranksText(plan)) +
          fact("Kernels", plan.instructionSet + " on " + whole.experiment.device);
  if (!plan.stages.empty()) return html + "</dl>" + askedTable(plan);
  return html + fact("Length", lengthText(whole, plan.ranks())) + fact("Optimizer", optimizerText(whole)) +
         fact("Algorithms", algorithmsText(whole.experiment)) + "</dl>";
}

/// The label, and in brackets what it stands for where that is more than one thing.
std::string labelWithChanges(const Comparison& comparison, std::size_t arm) {
  constexpr std::size_t most = 4;
  const std::vector<std::string> changes = changesOf(comparison, arm);
  const std::string& label = comparison.arms[arm].label;
  return changes.size() < 2 || changes.size() > most ? label : label + " (" + join(changes, ", ") + ")";
}

}  // namespace

std::string titleOf(const ReportInput& input) {
  const Comparison& comparison = input.comparison;
  if (comparison.arms.size() == 1) return comparison.arms.front().outcomes.front().run.name;
  std::vector<std::string> labels;
  for (std::size_t i = 1; i < comparison.arms.size(); ++i) labels.push_back(labelWithChanges(comparison, i));
  std::string title = fmt::format("{} against {} on {}", join(labels, ", "), comparison.arms.front().label,
                                  counted(input.plans.front().ranks(), "rank"));
  return capitalized(std::move(title));
}

std::string capitalized(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

ReportHead headOf(const ReportInput& input) {
  const Comparison& comparison = input.comparison;
  const Arm& reference = comparison.arms.front();
  std::vector<std::string> sentences;
  std::set<std::size_t> named;
  for (const ComparedArm& compared : comparison.compared) {
    const ComparedMeasure* accuracy = findMeasure(compared, "accuracy");
    if (accuracy == nullptr) continue;
    if (named.insert(compared.arm).second) {
      sentences.push_back(capitalized(escaped(changesSentence(comparison, compared.arm))));
    }
    sentences.push_back(accuracyClaim(*accuracy, compared.stage, comparison.arms[compared.arm], reference));
  }
  if (sentences.empty()) {
    for (const Arm& arm : comparison.arms) sentences.push_back(armSentence(arm));
  }
  const RunRecord& run = reference.outcomes.front().run;
  const RunPlan& plan = input.plans.front();
  ReportHead head{titleOf(input), join(sentences, " "), {}};
  head.facts = {{"Experiment", fmt::format("{} · {}", run.experimentName, networkText(plan))},
                {"Ranks", ranksText(plan) + ", " + run.device},
                {"Seeds", seedsOf(comparison)},
                {"Source", run.sourceRevision.empty() ? "unknown" : run.sourceRevision},
                {"Created (UTC)", wallText(run.createdAt)}};
  return head;
}

std::string headSection(const ReportInput& input) {
  const ReportHead head = headOf(input);
  std::string html =
      fmt::format("<h1>{}</h1><p class=\"lead\">{}</p><dl class=\"facts\">", escaped(head.title), head.lead);
  for (const auto& [name, value] : head.facts) html += fact(name, value);
  return html + "</dl>";
}

std::string askedSection(const ReportInput& input) {
  std::string html = "<h2>What was asked</h2>";
  for (std::size_t i = 0; i < input.plans.size(); ++i) html += askedOfArm(input, i);
  if (input.comparison.differences.empty()) return html;
  html +=
      "<h3>What differs</h3><div class=\"scroll\"><table><caption>Keys in which the experiments "
      "differ.</caption><thead><tr>"
      "<th>Key</th>";
  for (const Arm& arm : input.comparison.arms) html += "<th>" + armHead(arm) + "</th>";
  html += "</tr></thead><tbody>";
  for (const PlanDifference& difference : input.comparison.differences) {
    html += "<tr><td>" + escaped(difference.key) + "</td>";
    for (const std::string& value : difference.values) {
      html += "<td class=\"text\">" + (value.empty() ? std::string("–") : escaped(value)) + "</td>";
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::vector<std::string> commandsOf(const Comparison& comparison) {
  std::vector<std::string> commands;
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) {
      const std::string& command = outcome.run.commandText;
      if (std::find(commands.begin(), commands.end(), command) == commands.end()) commands.push_back(command);
    }
  }
  return commands;
}

namespace {

/// What a machine was, one fact a row; as it was written where it cannot be read.
std::string environmentTable(const RunRecord& run) {
  const auto facts = environmentFacts(run.environmentText);
  if (facts.empty()) return "<pre>" + escaped(run.environmentText) + "</pre>";
  std::string rows;
  for (const auto& [name, value] : facts) {
    rows += "<tr><td>" + escaped(name) + "</td><td class=\"text\">" + escaped(value) + "</td></tr>";
  }
  return "<table><caption>Where " + escaped(run.name) + " was made.</caption><tbody>" + rows + "</tbody></table>";
}

/// Texts of the runs, each once.
template <class Text, class Html>
std::string eachOnce(const Comparison& comparison, const Text& text, const Html& html) {
  std::set<std::string> seen;
  std::string all;
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) {
      if (seen.insert(text(outcome.run)).second) all += html(outcome.run);
    }
  }
  return all;
}

}  // namespace

std::string repeatSection(const ReportInput& input) {
  std::string html = "<h2>Repeat it</h2>";
  for (const std::string& command : commandsOf(input.comparison)) {
    html += "<p><code>" + escaped(command) + "</code></p>";
  }
  html += eachOnce(
      input.comparison, [](const RunRecord& run) { return run.experimentText; },
      [](const RunRecord& run) {
        return "<h3>The experiment file of " + escaped(run.name) + "</h3><pre>" + escaped(run.experimentText) +
               "</pre>";
      });
  return html + eachOnce(
                    input.comparison, [](const RunRecord& run) { return run.environmentText; },
                    [](const RunRecord& run) { return environmentTable(run); });
}

}  // namespace slipstream
