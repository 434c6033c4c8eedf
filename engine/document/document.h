// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/analysis/comparison.h"
#include "engine/analysis/layer_maps.h"
#include "engine/document/chart_model.h"
#include "engine/spec/text.h"

namespace slipstream {

// What a report says, as values: written once, and drawn by the terminal, HTML, LaTeX, CSV, PDF and the window.

enum class Tone { plain, strong, quiet, good, bad, costs, lost };

/// How a comparison of a study came out, drawn beside its word.
enum class Sign { better, worse, same, notShown, notComparable, invalid };

/// Drawn as a diamond with whiskers beside a dashed zero line.
struct Interval {
  double low = 0, value = 0, high = 0;
  /// The scale that it is drawn to, for rows that are to be compared; equal: its own, from or to zero.
  double from = 0, to = 0;
  bool operator==(const Interval&) const = default;
};

struct Cell {
  Text text = {};
  Text note = {};                     ///< quiet, in brackets behind the text
  std::optional<double> number = {};  ///< of which the text is the rounded form
  Tone tone = Tone::plain;
  std::optional<int> swatch = {};  ///< slot of the run whose colour is before the text
  std::optional<ComparisonVerdict> verdict = {};
  std::optional<Interval> interval = {};
  std::optional<Sign> sign = {};
};

struct Column {
  Text title = {};
  bool number = false;             ///< aligned at the right
  bool prose = false;              ///< long texts, which may wrap
  std::optional<int> swatch = {};  ///< slot of the run whose results these are
  std::string_view colour = {};    ///< of the part of a whole that these are
  std::string key = {};            ///< a short name, for the terminal
  Text noteTitle = {};             ///< of the cells' notes, where they have a column of their own
};

/// Rows are as long as the columns.
struct Table {
  Text caption = {};
  Text title = {};  ///< a short caption, over the first column where there is no room for the other
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};
  std::size_t leftColumns = 1;  ///< in a terminal, where words end at the right like the numbers beside them
  std::string name = {};        ///< of its file where a document is written as a folder; empty: it has none
};

struct Heading {
  int level = 2;
  Text text;
  std::optional<int> swatch = {};
};

struct Paragraph {
  enum class Role { lead, plain, caption, remark };
  Text text;
  Role role = Role::plain;
};

struct KeyValues {
  std::vector<std::pair<Text, Text>> rows;
};

/// Characters that keep their lines: a command or a file.
struct Listing {
  std::string text;
  bool command = false;
};

/// Colours and what they mean.
struct Legend {
  std::vector<std::pair<std::string_view, Text>> entries;
};

/// Horizontal stacked bars on one scale that begins at zero.
struct BarChart {
  struct Part {
    double value = 0;
    std::string_view colour;
  };
  struct Bar {
    Text name;
    std::vector<Part> parts;
    Text total;  ///< behind the bar
  };
  std::vector<Bar> bars;
};

/// Rows of values in 0..1 over steps [0, lastStep).
struct HeatMap {
  std::vector<HeatRow> rows;
  std::int64_t lastStep = 1;
};

struct Figure {
  std::variant<ChartModel, BarChart, HeatMap> image;
  Text caption;
  std::string name = {};  ///< of its files where a document is written as a folder: letters, digits and "-"
};

using Block = std::variant<Heading, Paragraph, KeyValues, Listing, Legend, Table, Figure>;

struct ReportDocument {
  Text title;
  Text mark = {};  ///< at the right of the first line: which question was frozen, and when
  std::vector<Block> blocks;

  void add(Block block) { blocks.push_back(std::move(block)); }
};

/// Numbers figures and tables in the order in which a renderer comes to them, each kind from 1.
class Captions {
 public:
  /// The number of several figures that have one caption, the first `count` of the document: "Figures 1–3."
  static Text ofFirst(std::size_t count) {
    return strong(count == 1 ? phrase("Figure {}.", {"1"}) : phrase("Figures 1–{}.", {std::to_string(count)}));
  }
  /// The number in bold, and the caption.
  Text of(const Figure& figure) { return numbered(message("Figure {}."), ++figures_, figure.caption); }
  /// Empty where the table has no caption: then it has no number either.
  Text of(const Table& table) {
    return table.caption.empty() ? Text() : numbered(message("Table {}."), ++tables_, table.caption);
  }

 private:
  static Text numbered(const char* pattern, int number, const Text& caption) {
    return joined({strong(phrase(pattern, {std::to_string(number)})), caption}, " ");
  }

  int figures_ = 0, tables_ = 0;
};

// The renderers, each in a file of its own.
std::string toTerminal(const ReportDocument& document, Language language);
std::string toHtml(const ReportDocument& document, Language language);
enum class PaperSize { a4, letter };
/// The fonts are embedded. Where one that text asks for is not installed, the failure names the package.
Result<std::string> toPdf(const ReportDocument& document, Language language, PaperSize size = PaperSize::a4);
/// Numbers as exact as they are known; the columns' keys above.
std::string toCsv(const Table& table);
/// A field of such a table, in quotes where a comma, a quotation mark or a line's end would end it.
std::string csvField(const std::string& text);

}  // namespace slipstream
