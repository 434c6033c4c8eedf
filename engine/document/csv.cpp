// SPDX-License-Identifier: GPL-3.0-or-later
// A table for spreadsheets.
#include "engine/base/text.h"
#include "engine/document/document.h"

namespace slipstream {

std::string csvField(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string field = "\"";
  for (const char character : text) {
    if (character == '"') field += '"';
    field += character;
  }
  return field + "\"";
}

std::string toCsv(const Table& table) {
  std::vector<std::string> fields;
  for (const Column& column : table.columns) fields.push_back(csvField(column.key));
  std::string text = join(fields, ",") + "\n";
  for (const std::vector<Cell>& row : table.rows) {
    fields.clear();
    for (const Cell& cell : row) fields.push_back(cell.number ? numberText(*cell.number) : csvField(cell.text.in()));
    text += join(fields, ",") + "\n";
  }
  return text;
}

}  // namespace slipstream
