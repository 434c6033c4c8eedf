// SPDX-License-Identifier: GPL-3.0-or-later
// A document for LaTeX with booktabs, siunitx and graphicx: a fragment to be read with \input, or the sources of a
// document of its own.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/document/drawing.h"
#include "engine/latex/latex_files.h"
#include "engine/latex/latex_text.h"

namespace slipstream {
namespace {

constexpr double textWidthOfPage = 440, latexTableSize = 9, latexColumnGap = 12;  ///< points; about, as fonts differ
constexpr std::size_t mostLines = 48;  ///< of a table, that one page can hold

/// How a column is set: numbers that stand under each other by their points, other texts with numbers, words, or
/// lines of words that wrap.
enum class ColumnKind { points, numbers, words, lines };

struct LatexColumn {
  std::size_t index = 0;
  ColumnKind kind = ColumnKind::words;
  std::string letters = {};
};

class LatexTable {
 public:
  LatexTable(const Table& table, Language language) : table_(table), language_(language) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (isWritten(i)) columns_.push_back({i, kindOf(i)});
    }
    giveLetters();
  }

  std::string text() const {
    std::string all;
    std::size_t first = 0;
    do {
      std::size_t end = first, lines = 0;
      while (end < table_.rows.size() && (end == first || lines + linesOf(table_.rows[end]) <= mostLines)) {
        lines += linesOf(table_.rows[end++]);
      }
      all += part(first, end);
      first = end;
    } while (first < table_.rows.size());
    return all;
  }

 private:
  std::string words(const Text& text) const { return text.in(language_); }
  std::string wordsOf(const Cell& cell) const {
    const std::string note = words(cell.note);
    return words(cell.text) + (note.empty() ? "" : " (" + note + ")");
  }

  /// Columns of drawings are left out.
  bool isWritten(std::size_t index) const {
    return !table_.columns[index].title.empty() ||
           std::ranges::any_of(table_.rows, [&](const std::vector<Cell>& row) { return !row[index].text.empty(); });
  }

  ColumnKind kindOf(std::size_t index) const {
    const Column& column = table_.columns[index];
    if (column.prose) return ColumnKind::lines;
    if (!column.number) return ColumnKind::words;
    const bool allNumbers = std::ranges::all_of(table_.rows, [&](const std::vector<Cell>& row) {
      const std::string text = wordsOf(row[index]);
      return text.empty() || text == "–" || isPlainNumber(text);
    });
    return allNumbers ? ColumnKind::points : ColumnKind::numbers;
  }

  std::size_t linesOf(const std::vector<Cell>& row) const {
    double most = 1;
    for (const LatexColumn& column : columns_) {
      if (column.kind != ColumnKind::lines) continue;
      most = std::max(most, std::ceil(1.1 * textWidth(wordsOf(row[column.index]), latexTableSize) / wrappedWidth_));
    }
    return static_cast<std::size_t>(most);
  }

  /// In points, with the gap to the next column.
  double widthOf(std::size_t index) const {
    double widest = textWidth(words(table_.columns[index].title), latexTableSize);
    for (const std::vector<Cell>& row : table_.rows)
      widest = std::max(widest, textWidth(wordsOf(row[index]), latexTableSize));
    return widest + latexColumnGap;
  }

  /// Columns of lines share what the others leave; the long ones among those of words wrap too where nothing is left.
  void giveLetters() {
    double taken = 0;
    std::size_t wrapping = 0;
    for (const LatexColumn& column : columns_) {
      if (column.kind == ColumnKind::lines)
        ++wrapping;
      else
        taken += widthOf(column.index);
    }
    constexpr double least = 80;
    for (LatexColumn& column : columns_) {
      const double own = widthOf(column.index);
      if (column.kind != ColumnKind::words || taken + least * static_cast<double>(wrapping) <= textWidthOfPage)
        continue;
      if (own < 1.5 * least) continue;
      column.kind = ColumnKind::lines;
      taken -= own;
      ++wrapping;
    }
    const double each =
        std::max(least, (textWidthOfPage - taken) / static_cast<double>(std::max<std::size_t>(1, wrapping)));
    for (LatexColumn& column : columns_) column.letters = lettersOf(column, each / textWidthOfPage);
    wrappedWidth_ = each - latexColumnGap;
    isTight_ = taken + each * static_cast<double>(wrapping) > textWidthOfPage;
  }

  std::string lettersOf(const LatexColumn& column, double share) const {
    if (column.kind == ColumnKind::points) return "S[" + formatOf(column.index) + "]";
    if (column.kind == ColumnKind::numbers) return "r";
    if (column.kind == ColumnKind::words) return "l";
    return fmt::format(">{{\\raggedright\\arraybackslash}}p{{{:.3f}\\linewidth}}",
                       share - latexColumnGap / textWidthOfPage);
  }

  /// How many digits there are before and behind the points.
  std::string formatOf(std::size_t index) const {
    std::size_t whole = 1, decimals = 0;
    bool isSigned = false;
    for (const std::vector<Cell>& row : table_.rows) {
      const std::string number = plainNumber(wordsOf(row[index]));
      if (!isPlainNumber(number)) continue;
      const bool hasSign = number.front() == '-' || number.front() == '+';
      const std::size_t point = std::min(number.find('.'), number.size());
      isSigned = isSigned || hasSign;
      whole = std::max(whole, point - (hasSign ? 1 : 0));
      decimals = std::max(decimals, number.size() - std::min(number.size(), point + 1));
    }
    return fmt::format("table-format={}{}.{},retain-explicit-plus", isSigned ? "+" : "", whole, decimals);
  }

  std::string headerText() const {
    std::vector<std::string> titles;
    for (const LatexColumn& column : columns_) {
      const Text& title =
          column.index == 0 && table_.columns[0].title.empty() ? table_.title : table_.columns[column.index].title;
      titles.push_back("{" + latexText(words(title)) + "}");
    }
    return "  " + join(titles, " & ") + " \\\\\n";
  }

  std::string rowText(const std::vector<Cell>& row) const {
    std::vector<std::string> cells;
    for (const LatexColumn& column : columns_) cells.push_back(cellText(row[column.index], column.kind));
    return "  " + join(cells, " & ") + " \\\\\n";
  }

  std::string cellText(const Cell& cell, ColumnKind kind) const {
    const std::string text = wordsOf(cell);
    switch (kind) {
      case ColumnKind::points:
        return text.empty() ? "" : isPlainNumber(text) ? plainNumber(text) : "{" + latexText(text) + "}";
      case ColumnKind::numbers:
        return latexNumbers(text);
      case ColumnKind::lines:
        return latexProse(text);
      case ColumnKind::words:
        break;
    }
    return latexText(text);
  }

  /// A long table goes on in another one, under the same number.
  std::string part(std::size_t first, std::size_t end) const {
    std::string letters, rows;
    for (const LatexColumn& column : columns_) letters += column.letters;
    for (std::size_t i = first; i < end; ++i) rows += rowText(table_.rows[i]);
    const Text& named = table_.caption.empty() ? table_.title : table_.caption;
    std::string caption = latexProse(words(first == 0 ? named : phrase("{} (continued)", {named})));
    const char* again = first == 0 ? "" : "  \\addtocounter{table}{-1}\n";
    return fmt::format(
        "\\begin{{table}}\n{}  \\centering{}\n  \\caption{{{}}}\n"
        "  \\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n"
        "  \\begin{{tabular}}{{@{{}}{}@{{}}}}\n  \\toprule\n{}{}  \\bottomrule\n  \\end{{tabular}}}}\n\\end{{table}}\n",
        again, isTight_ ? "\\footnotesize\\setlength\\tabcolsep{4pt}" : "\\small", caption, letters,
        hasHeader() ? headerText() + "  \\midrule\n" : "", rows);
  }

  bool hasHeader() const {
    return std::ranges::any_of(columns_,
                               [&](const LatexColumn& column) { return !table_.columns[column.index].title.empty(); });
  }

  const Table& table_;
  Language language_;
  std::vector<LatexColumn> columns_;
  bool isTight_ = false;
  double wrappedWidth_ = textWidthOfPage;
};

struct LatexPage {
  Language language;
  bool asFolder = false;
  std::string text = {};
  std::map<std::string, std::string> tables = {};

  void operator()(const Table& table) {
    const std::string written = LatexTable(table, language).text();
    if (!asFolder || table.name.empty()) {
      text += written;
      return;
    }
    const auto [place, isNew] = tables.emplace(table.name, "");
    place->second += written;
    if (isNew) text += "\\input{" + table.name + ".tex}\n";
  }
  void operator()(const Paragraph& paragraph) {
    std::string words;
    for (const Span& span : paragraph.text.spans(language)) {
      const std::string safe = latexProse(span.words);
      words += span.strong ? "\\textbf{" + safe + "}" : safe;
    }
    const bool small = paragraph.role == Paragraph::Role::caption;
    text += small ? "\n{\\small\\noindent " + words + "\\par}\n" : "\n\\noindent " + words + "\n";
  }
  void operator()(const Heading& heading) {
    const std::string words = latexProse(heading.text.in(language));
    if (!asFolder) {
      text += "\n\\noindent\\textbf{" + words + "}\n";
    } else if (heading.level == 1) {
      text += "\n{\\raggedright\\LARGE\\bfseries " + words + "\\par}\n\\medskip\n";
    } else {
      text += (heading.level == 2 ? "\n\\section*{" : "\n\\subsection*{") + words + "}\n";
    }
  }
  void operator()(const KeyValues& values) {
    if (!asFolder) return;
    text +=
        "\n\\noindent\\begin{tabular}{@{}>{\\raggedright\\arraybackslash}p{0.22\\linewidth}"
        ">{\\raggedright\\arraybackslash}p{0.73\\linewidth}@{}}\n";
    for (const auto& [name, value] : values.rows) {
      text += "  " + latexProse(name.in(language)) + " & " + latexProse(value.in(language)) + " \\\\\n";
    }
    text += "\\end{tabular}\n";
  }
  /// Lines keep what they begin with.
  void operator()(const Listing& listing) {
    if (!asFolder) return;
    text += "\n{\\ttfamily\\footnotesize\\raggedright\n";
    for (const std::string& line : split(listing.text, '\n')) {
      const std::size_t blanks = std::min(line.find_first_not_of(" \t"), line.size());
      std::string indent;
      for (std::size_t i = 0; i < blanks; ++i) indent += "~";
      text += "\\noindent " + indent + latexCode(line.substr(blanks)) + "\\par\n";
    }
    text += "}\n";
  }
  void operator()(const Legend& legend) {
    if (!asFolder) return;
    std::vector<std::string> entries;
    for (const auto& [colour, name] : legend.entries) {
      entries.push_back(fmt::format("\\mbox{{\\textcolor[HTML]{{{}}}{{\\rule{{1.2ex}}{{1.2ex}}}} {}}}",
                                    colour.substr(1), latexText(name.in(language))));
    }
    text += "\n{\\small\\noindent\\raggedright " + join(entries, "\\quad\n") + "\\par}\n";
  }
  void operator()(const Figure& figure) {
    if (!asFolder || figure.name.empty()) return;
    const bool isChart = std::holds_alternative<ChartModel>(figure.image);
    const std::string picture = isChart ? "\\input{figures/" + figure.name + ".tex}"
                                        : "\\includegraphics[width=\\linewidth]{figures/" + figure.name + ".pdf}";
    text += fmt::format("\\begin{{figure}}\n  \\centering\n  {}\n  \\caption{{{}}}\n\\end{{figure}}\n", picture,
                        latexProse(figure.caption.in(language)));
  }
};

}  // namespace

std::string toLatex(const ReportDocument& document, Language language) {
  const char* packages = language == Language::chinese ? "booktabs,graphicx,siunitx,ctex" : "booktabs,graphicx,siunitx";
  LatexPage page{language};
  page.text = fmt::format("% Needs \\usepackage{{{}}}.\n", packages);
  for (const Block& block : document.blocks) std::visit(page, block);
  return page.text;
}

LatexFiles latexFiles(const ReportDocument& document, Language language) {
  LatexPage page{language, true};
  for (const Block& block : document.blocks) std::visit(page, block);
  return {std::move(page.text), std::move(page.tables)};
}

}  // namespace slipstream
