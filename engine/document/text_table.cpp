// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/text_table.h"

#include <algorithm>

#include "engine/base/characters.h"
#include "engine/document/drawing.h"

namespace slipstream {
namespace {

/// Columns on the screen: Chinese characters take two.
std::size_t widthOf(const std::string& text) {
  std::size_t width = 0;
  for (const char32_t character : charactersOf(text)) width += character >= 0x2E80 ? 2 : 1;
  return width;
}

}  // namespace

std::string tableText(const std::vector<TextRow>& rows, std::size_t leftColumns, const std::string& indent) {
  std::vector<std::size_t> widths;
  for (const TextRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
  }
  std::string text;
  for (const TextRow& row : rows) {
    std::string line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - widthOf(row[i]), ' ');
      if (i > 0) line += "  ";
      line += i < leftColumns ? row[i] + blanks : blanks + row[i];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace slipstream
