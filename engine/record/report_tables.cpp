#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/html.h"
#include "engine/record/report_sections.h"
#include "engine/record/svg_shapes.h"

namespace slipstream {
namespace {

std::string verdictHtml(ComparisonVerdict verdict) {
  switch (verdict) {
    case ComparisonVerdict::better:
      return "<span class=\"good\">✓</span> better";
    case ComparisonVerdict::worse:
      return "<span class=\"bad\">✗</span> worse";
    case ComparisonVerdict::costsMore:
      return "<span class=\"costs\">↓</span> costs more";
    case ComparisonVerdict::noDifferenceShown:
      return "<span class=\"quiet\">–</span> no difference shown";
    case ComparisonVerdict::notReached:
      return "<span class=\"quiet\">–</span> no claim (not reached)";
    case ComparisonVerdict::noClaim:
      break;
  }
  return "<span class=\"quiet\">–</span> no claim (n &lt; 3)";
}

std::string comparedRow(const ComparedMeasure& one) {
  const Quantity quantity = one.measure.quantity;
  std::string row = "<tr><td>" + escaped(one.measure.name) + "</td>";
  row += numberCell(referenceText(one)) + numberCell(valueText(one));
  row += numberCell(differenceText(one.difference, quantity), " strong");
  if (one.low) {
    row += numberCell(differenceText(*one.low, quantity) + " … " + differenceText(*one.high, quantity), " quiet");
    row += "<td>" + intervalPicture(*one.low, one.difference, *one.high) + "</td>";
  } else {
    row += "<td></td><td></td>";
  }
  return row + "<td>" + verdictHtml(one.verdict) + "</td></tr>";
}

std::string comparedTable(const Comparison& comparison, const ComparedArm& compared) {
  if (compared.measures.empty()) return "";
  std::string html = fmt::format(
      "<div class=\"scroll\"><table><thead><tr><th>{}</th><th class=\"number\">{}</th>"
      "<th class=\"number\">{}</th><th class=\"number\">difference</th><th class=\"number\">95 % interval</th><th></th>"
      "<th></th></tr></thead><tbody>",
      escaped(capitalized(compared.title())), armHead(comparison.arms.front()), armHead(comparison.arms[compared.arm]));
  for (const ComparedMeasure& one : compared.measures) html += comparedRow(one);
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
      "<div class=\"scroll\"><table><thead><tr><th>Run</th><th>Id</th><th class=\"number\">Seed</th><th>State</th>";
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

}  // namespace

std::string armHead(const Arm& arm) {
  return fmt::format("<span class=\"swatch\" style=\"background:{}\"></span>{}", runColour(arm.colourSlot),
                     escaped(arm.label));
}

std::string resultsSection(const ReportInput& input) {
  std::string html = "<h2>Results</h2>";
  for (const ComparedArm& compared : input.comparison.compared) html += comparedTable(input.comparison, compared);
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
      "<h2>What ran, and what was off</h2><div class=\"scroll\"><table><thead><tr><th>Algorithm or setting</th>";
  for (const Arm& arm : arms) html += "<th>" + armHead(arm) + "</th>";
  html += "<th>Why</th></tr></thead><tbody>";
  for (const std::string& subject : subjects) {
    std::vector<const Decision*> row;
    html += "<tr><td>" + escaped(subject) + "</td>";
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
