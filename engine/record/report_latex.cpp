// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/report_latex.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

/// What LaTeX would read as commands, and the signs of the tables that its default fonts lack.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> replacements{{{"\\", "\\textbackslash{}"},
                                                                                      {"{", "\\{"},
                                                                                      {"}", "\\}"},
                                                                                      {"$", "\\$"},
                                                                                      {"&", "\\&"},
                                                                                      {"%", "\\%"},
                                                                                      {"#", "\\#"},
                                                                                      {"_", "\\_"},
                                                                                      {"^", "\\textasciicircum{}"},
                                                                                      {"~", "\\textasciitilde{}"},
                                                                                      {"<", "$<$"},
                                                                                      {">", "$>$"},
                                                                                      {"−", "$-$"},
                                                                                      {"+", "$+$"},
                                                                                      {"±", "$\\pm$"},
                                                                                      {"×", "$\\times$"},
                                                                                      {"…", "\\ldots{}"},
                                                                                      {"“", "``"},
                                                                                      {"”", "''"}}};

using Cells = std::vector<std::string>;

std::string latexRow(const Cells& cells) {
  Cells safe;
  for (const std::string& cell : cells) safe.push_back(latexText(cell));
  return "  " + join(safe, " & ") + " \\\\\n";
}

/// `columns`: one letter a column, as tabular takes them.
std::string tableOf(const std::string& columns, const Cells& heads, const std::string& rows,
                    const std::string& caption) {
  return fmt::format(
      "\\begin{{table}}\n  \\centering\\small\n  \\caption{{{}}}\n  "
      "\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n  "
      "\\begin{{tabular}}{{@{{}}{}@{{}}}}\n  \\toprule\n{}"
      "  \\midrule\n{}  \\bottomrule\n  \\end{{tabular}}}}\n\\end{{table}}\n",
      latexText(caption), columns, latexRow(heads), rows);
}

/// Difference, interval and verdict, with the smallest difference that would have been shown.
Cells judgementOf(const ComparedMeasure& one) {
  const std::string detectable = detectableText(one);
  return {referenceText(one), valueText(one), differenceText(one.difference, one.measure.quantity), intervalText(one),
          verdictText(one) + (detectable.empty() ? "" : " (" + detectable + ")")};
}

Cells appended(Cells cells, const Cells& more) {
  cells.insert(cells.end(), more.begin(), more.end());
  return cells;
}

std::string armTable(const Comparison& comparison, const ComparedArm& compared) {
  if (compared.measures.empty()) return "";
  const std::string& reference = comparison.arms.front().label;
  const std::string& label = comparison.arms[compared.arm].label;
  std::string rows;
  for (const ComparedMeasure& one : compared.measures) {
    rows += latexRow(appended({one.measure.name, std::to_string(one.pairs)}, judgementOf(one)));
  }
  const std::string stage = compared.stage.empty() ? "" : "stage " + compared.stage + ", ";
  return tableOf("lrrrrrl", {"Measure", "n", reference, label, "difference", "95 % interval", "verdict"}, rows,
                 fmt::format("{} against {}, {}paired by seed.", label, reference, stage));
}

std::string stagesTable(const Comparison& comparison, std::size_t arm) {
  std::string rows;
  for (const ComparedStages& compared : comparison.comparedStages) {
    if (compared.arm != arm) continue;
    for (const ComparedMeasure& one : compared.measures) {
      rows += latexRow(appended({compared.stage, compared.reference, one.measure.name, std::to_string(one.pairs)},
                                judgementOf(one)));
    }
  }
  if (rows.empty()) return "";
  return tableOf("lllrrrrrl",
                 {"Stage", "against", "Measure", "n", "mean against", "mean", "difference", "95 % interval", "verdict"},
                 rows, "Stages of " + comparison.arms[arm].label + ", paired by run.");
}

/// What each run came to; a stage a row.
std::string runsTable(const Comparison& comparison) {
  const std::vector<const Measure*> taken = measuresTaken(comparison);
  std::string rows;
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) {
      for (const StageOutcome& stage : outcome.stages) {
        Cells cells{arm.label, std::to_string(outcome.run.seed), outcome.staged ? stage.stage.name : ""};
        for (const Measure* measure : taken) cells.push_back(outcomeText(stage, *measure));
        rows += latexRow(cells);
      }
    }
  }
  Cells heads{"Variant", "seed", "stage"};
  for (const Measure* measure : taken) heads.push_back(measure->name);
  return tableOf("lrl" + std::string(taken.size(), 'r'), heads, rows, "What every run came to.");
}

}  // namespace

std::string latexText(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const auto found = std::find_if(replacements.begin(), replacements.end(),
                                    [&](const auto& one) { return text.starts_with(one.first); });
    if (found == replacements.end()) {
      if (static_cast<unsigned char>(text.front()) >= 32) safe += text.front();
      text.remove_prefix(1);
    } else {
      safe += found->second;
      text.remove_prefix(found->first.size());
    }
  }
  return safe;
}

std::string toLatexText(const Comparison& comparison) {
  std::string text = "% Needs \\usepackage{booktabs,graphicx}.\n" + runsTable(comparison);
  for (const ComparedArm& compared : comparison.compared) text += armTable(comparison, compared);
  for (std::size_t arm = 0; arm < comparison.arms.size(); ++arm) text += stagesTable(comparison, arm);
  const std::string method = methodText(comparison);
  if (!method.empty()) text += "\n\\noindent " + latexText(method) + "\n";
  for (const std::string& remark : comparison.remarks) text += "\n\\noindent " + latexText(remark) + "\n";
  return text;
}

}  // namespace slipstream
