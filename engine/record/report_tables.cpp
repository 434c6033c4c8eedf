// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/html.h"
#include "engine/record/report_sections.h"
#include "engine/record/svg_shapes.h"

namespace slipstream {
namespace {

/// The sign before a verdict and its colour.
std::string verdictSign(ComparisonVerdict verdict) {
  switch (verdict) {
    case ComparisonVerdict::better:
      return "<span class=\"good\">✓</span> ";
    case ComparisonVerdict::worse:
      return "<span class=\"bad\">✗</span> ";
    case ComparisonVerdict::costsMore:
      return "<span class=\"costs\">↓</span> ";
    default:
      return "<span class=\"quiet\">–</span> ";
  }
}

std::string verdictHtml(const ComparedMeasure& one) {
  const std::string detectable = detectableText(one);
  return verdictSign(one.verdict) + escaped(verdictText(one)) +
         (detectable.empty() ? "" : " <span class=\"quiet\">(" + detectable + ")</span>");
}

/// Both means, the difference, its interval as text and as a picture, and the verdict.
std::string judgementCells(const ComparedMeasure& one) {
  std::string cells = numberCell(referenceText(one)) + numberCell(valueText(one)) +
                      numberCell(differenceText(one.difference, one.measure.quantity), " strong") +
                      numberCell(intervalText(one), " quiet");
  cells += "<td class=\"interval\">" + (one.low ? intervalPicture(*one.low, one.difference, *one.high) : "") + "</td>";
  return cells + "<td class=\"verdict\">" + verdictHtml(one) + "</td>";
}

constexpr std::string_view judgementHeads =
    "<th class=\"number\">difference</th><th class=\"number\">95 % interval</th><th></th><th>verdict</th>";

/// "adasum against averaged, stage train, paired by seed, n = 3."
std::string captionOf(const Comparison& comparison, const ComparedArm& compared) {
  return capitalized(fmt::format("{} against {}, {}.", comparison.arms[compared.arm].label,
                                 comparison.arms.front().label, compared.title()));
}

std::string comparedTable(const Comparison& comparison, const ComparedArm& compared) {
  if (compared.measures.empty()) return "";
  std::string html = fmt::format(
      "<div class=\"scroll\"><table><caption>{}</caption><thead><tr><th>Measure</th><th class=\"number\">{}</th>"
      "<th class=\"number\">{}</th>{}</tr></thead><tbody>",
      escaped(captionOf(comparison, compared)), armHead(comparison.arms.front()),
      armHead(comparison.arms[compared.arm]), judgementHeads);
  for (const ComparedMeasure& one : compared.measures) {
    html += "<tr><td>" + escaped(compared.nameOf(one)) + "</td>" + judgementCells(one) + "</tr>";
  }
  return html + "</tbody></table></div>";
}

bool anyStaged(const Comparison& comparison) {
  return std::any_of(comparison.arms.begin(), comparison.arms.end(), [](const Arm& arm) { return arm.staged(); });
}

std::string stageRow(const StageOutcome& stage, bool staged, const std::vector<const Measure*>& taken) {
  std::string row = staged ? "<td>" + escaped(stage.stage.name) + "</td>" : "";
  row += numberCell(countText(stage.steps));
  for (const Measure* measure : taken) row += numberCell(outcomeText(stage, *measure));
  return row + "</tr>";
}

/// The run's own facts stand beside its first stage.
std::string outcomeRows(const Arm& arm, const RunOutcome& outcome, bool staged,
                        const std::vector<const Measure*>& taken) {
  const std::string_view state = nameOf(outcome.run.state);
  std::string rows = fmt::format("<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"state-{}\">{}</td>",
                                 armHead(arm), outcome.run.id, outcome.run.seed, state, state);
  for (std::size_t i = 0; i < outcome.stages.size(); ++i) {
    if (i > 0) rows += "<tr><td></td><td></td><td></td><td></td>";
    rows += stageRow(outcome.stages[i], staged, taken);
  }
  return rows;
}

std::string outcomeTable(const Comparison& comparison) {
  const std::vector<const Measure*> taken = measuresTaken(comparison);
  const bool staged = anyStaged(comparison);
  std::string html =
      "<div class=\"scroll\"><table><caption>What every run came to.</caption><thead><tr><th>Run</th><th>Id</th><th "
      "class=\"number\">Seed</th><th>State</th>";
  if (staged) html += "<th>Stage</th>";
  html += "<th class=\"number\">Steps</th>";
  for (const Measure* measure : taken) html += "<th class=\"number\">" + escaped(measure->name) + "</th>";
  html += "</tr></thead><tbody>";
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) html += outcomeRows(arm, outcome, staged, taken);
  }
  return html + "</tbody></table></div>";
}

const Decision* findDecision(const std::vector<Decision>& decisions, const std::string& subject) {
  const auto found = std::find_if(decisions.begin(), decisions.end(),
                                  [&](const Decision& decision) { return decision.subject == subject; });
  return found == decisions.end() ? nullptr : &*found;
}

/// Reasons of the arms, each named where they are not all the same.
std::string reasons(const std::vector<const Decision*>& decisions, const std::vector<Arm>& arms) {
  const bool same = std::all_of(decisions.begin(), decisions.end(), [&](const Decision* one) {
    return one != nullptr && decisions.front() != nullptr && one->why == decisions.front()->why;
  });
  if (same) return escaped(decisions.front()->why);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (decisions[i] != nullptr) parts.push_back(escaped(arms[i].label + ": " + decisions[i]->why));
  }
  return join(parts, "<br/>");
}

/// "dim_reduce, in stage anneal": of a decision of one stage its name stands last, so that it does not look like a key.
std::string subjectText(const std::string& subject, const std::vector<RunPlan>& plans) {
  for (const RunPlan& plan : plans) {
    for (const StagePlan& stage : plan.stages) {
      const std::string prefix = stage.name + ".";
      if (startsWith(subject, prefix)) return subject.substr(prefix.size()) + ", in stage " + stage.name;
    }
  }
  return subject;
}

}  // namespace

std::string armHead(const Arm& arm) {
  return fmt::format("<span class=\"swatch\" style=\"background:{}\"></span>{}", runColour(arm.colourSlot),
                     escaped(arm.label));
}

std::string comparedStagesTable(const Comparison& comparison, std::size_t arm) {
  std::string rows;
  for (const ComparedStages& compared : comparison.comparedStages) {
    if (compared.arm != arm) continue;
    for (const ComparedMeasure& one : compared.measures) {
      rows += "<tr><td>" + escaped(compared.stage) + "</td><td>" + escaped(compared.reference) + "</td><td>" +
              escaped(one.measure.name) + "</td>" + numberCell(std::to_string(one.pairs)) + judgementCells(one) +
              "</tr>";
    }
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<div class=\"scroll\"><table><caption>Stages of {} against each other, paired by run.</caption><thead><tr>"
      "<th>Stage</th><th>against</th><th>Measure</th>"
      "<th class=\"number\">n</th><th class=\"number\">mean against</th><th class=\"number\">mean</th>{}</tr></thead>"
      "<tbody>{}</tbody></table></div>",
      escaped(comparison.arms[arm].label), judgementHeads, rows);
}

std::string resultsSection(const ReportInput& input) {
  std::string html = "<h2>Results</h2>";
  for (const ComparedArm& compared : input.comparison.compared) html += comparedTable(input.comparison, compared);
  if (const std::string method = methodText(input.comparison); !method.empty()) {
    html += "<p class=\"caption\">" + escaped(method) + "</p>";
  }
  html += "<h3>Runs</h3>" + outcomeTable(input.comparison);
  for (const std::string& remark : input.comparison.remarks) html += "<p class=\"remark\">" + escaped(remark) + "</p>";
  return html;
}

std::string decisionsSection(const ReportInput& input) {
  const std::vector<Arm>& arms = input.comparison.arms;
  std::vector<std::vector<Decision>> decisions;
  std::vector<std::string> subjects;
  for (const RunPlan& plan : input.plans) {
    decisions.push_back(allDecisions(plan));
    for (const Decision& decision : decisions.back()) {
      if (std::find(subjects.begin(), subjects.end(), decision.subject) == subjects.end()) {
        subjects.push_back(decision.subject);
      }
    }
  }
  if (subjects.empty()) return "";
  std::string html =
      "<h2>What ran, and what was off</h2><div class=\"scroll\"><table><caption>What the plan decided, and "
      "why.</caption>"
      "<thead><tr><th>Algorithm or setting</th>";
  for (const Arm& arm : arms) html += "<th>" + armHead(arm) + "</th>";
  html += "<th>Why</th></tr></thead><tbody>";
  for (const std::string& subject : subjects) {
    std::vector<const Decision*> row;
    html += "<tr><td>" + escaped(subjectText(subject, input.plans)) + "</td>";
    for (const auto& list : decisions) {
      row.push_back(findDecision(list, subject));
      const bool on = row.back() != nullptr && row.back()->state == "on";
      html += fmt::format("<td class=\"{}\">{}</td>", on ? "strong" : "quiet",
                          row.back() == nullptr ? "–" : escaped(row.back()->state));
    }
    html += "<td class=\"quiet text\">" + reasons(row, arms) + "</td></tr>";
  }
  return html + "</tbody></table></div>";
}

}  // namespace slipstream
