// SPDX-License-Identifier: GPL-3.0-or-later
// The document as lines of a terminal.
#include "engine/document/document.h"
#include "engine/document/text_table.h"

namespace slipstream {
namespace {

/// A column of drawings has no title; notes have a column of their own behind it.
bool isDrawn(const Column& column) {
  return column.title.empty() && column.key.empty();
}

std::string titleOf(const Table& table, std::size_t index, Language language) {
  const Column& column = table.columns[index];
  if (index == 0 && !table.title.empty()) return table.title.in(language);
  if (column.key.empty()) return column.title.in(language);
  return language == Language::english ? column.key : column.title.in(language);
}

struct TerminalPage {
  Language language;
  std::string text = {};

  void operator()(const Table& table) {
    std::vector<TextRow> rows(1 + table.rows.size());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Column& column = table.columns[i];
      if (isDrawn(column)) continue;
      rows.front().push_back(titleOf(table, i, language));
      if (!column.noteTitle.empty()) rows.front().push_back(column.noteTitle.in(language));
      for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const Cell& cell = table.rows[row][i];
        rows[row + 1].push_back(cell.text.in(language));
        if (!column.noteTitle.empty()) rows[row + 1].push_back(cell.note.in(language));
      }
    }
    text += (text.empty() ? "" : "\n") + tableText(rows, table.leftColumns);
  }
  void operator()(const Heading& heading) { addLine(heading.text); }
  void operator()(const Paragraph& paragraph) { addLine(paragraph.text); }
  void operator()(const KeyValues& values) {
    for (const auto& [name, value] : values.rows) addLine(phrase("{}: {}", {name, value}));
  }
  void operator()(const Listing& listing) { addLine(listing.text); }
  void operator()(const Legend&) {}
  void operator()(const Figure&) {}

 private:
  void addLine(const Text& line) { text += "\n" + line.in(language) + "\n"; }
};

}  // namespace

std::string toTerminal(const ReportDocument& document, Language language) {
  TerminalPage page{language};
  for (const Block& block : document.blocks) std::visit(page, block);
  return page.text;
}

}  // namespace slipstream
