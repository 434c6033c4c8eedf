// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a document for LaTeX with booktabs and graphicx: a fragment to be read with \input.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/document/document.h"

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

std::string latexText(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(replacements, [&](const auto& one) { return text.starts_with(one.first); });
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

struct LatexPage {
  Language language;
  std::string text = {};

  /// No wider than the text of the page.
  void operator()(const Table& table) {
    std::string letters;
    std::vector<std::string> titles;
    for (const Column& column : table.columns) {
      if (column.title.empty()) continue;
      letters += column.number ? 'r' : 'l';
      titles.push_back(words(column.title));
    }
    std::string rows;
    for (const std::vector<Cell>& row : table.rows) rows += rowOf(table, row);
    text += fmt::format(
        "\\begin{{table}}\n  \\centering\\small\n  \\caption{{{}}}\n  "
        "\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n  "
        "\\begin{{tabular}}{{@{{}}{}@{{}}}}\n  \\toprule\n  {} \\\\\n"
        "  \\midrule\n{}  \\bottomrule\n  \\end{{tabular}}}}\n\\end{{table}}\n",
        words(table.caption), letters, join(titles, " & "), rows);
  }
  void operator()(const Paragraph& paragraph) { text += "\n\\noindent " + words(paragraph.text) + "\n"; }
  void operator()(const Heading& heading) { text += "\n\\noindent\\textbf{" + words(heading.text) + "}\n"; }
  void operator()(const KeyValues&) {}
  void operator()(const Listing&) {}
  void operator()(const Legend&) {}
  void operator()(const Figure&) {}

 private:
  std::string words(const Text& words) const { return latexText(words.in(language)); }

  std::string rowOf(const Table& table, const std::vector<Cell>& row) const {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].title.empty()) continue;
      const std::string note = words(row[i].note);
      cells.push_back(words(row[i].text) + (note.empty() ? "" : " (" + note + ")"));
    }
    return "  " + join(cells, " & ") + " \\\\\n";
  }
};

}  // namespace

std::string toLatex(const ReportDocument& document, Language language) {
  const char* packages = language == Language::chinese ? "booktabs,graphicx,ctex" : "booktabs,graphicx";
  LatexPage page{language, fmt::format("% Needs \\usepackage{{{}}}.\n", packages)};
  for (const Block& block : document.blocks) std::visit(page, block);
  return page.text;
}

}  // namespace slipstream
