// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trackers/csv_rows.h"

#include <array>
#include <cctype>
#include <limits>
#include <utility>

#include "engine/base/text.h"

namespace slipstream {
namespace {

char separatorOf(std::string_view header) {
  bool quoted = false;
  for (const char letter : header) {
    if (letter == '"') quoted = !quoted;
    if (!quoted && (letter == ',' || letter == ';' || letter == '\t')) return letter;
    if (!quoted && letter == '\n') break;
  }
  return ',';
}

}  // namespace

CsvRows::CsvRows(std::string_view text) : text_(text) {
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(byteOrderMark)) text_.remove_prefix(byteOrderMark.size());
  separator_ = separatorOf(text_);
}

/// False at the end of the row.
bool CsvRows::readField(std::string& field) {
  field.clear();
  bool quoted = false;
  for (; at_ < text_.size(); ++at_) {
    const char letter = text_[at_];
    if (letter == '\n') ++line_;
    if (letter == '"' && (quoted || field.empty())) {
      const bool doubled = quoted && at_ + 1 < text_.size() && text_[at_ + 1] == '"';
      if (doubled) {
        field += '"';
        ++at_;
      } else {
        quoted = !quoted;
      }
    } else if (!quoted && (letter == separator_ || letter == '\n')) {
      ++at_;
      return letter == separator_;
    } else if (quoted || letter != '\r') {
      field += letter;
    }
  }
  unclosed_ = unclosed_ || quoted;
  return false;
}

bool CsvRows::next(std::vector<std::string>& row) {
  while (at_ < text_.size()) {
    rowLine_ = line_;
    std::size_t fields = 0;
    for (bool more = true; more; ++fields) {
      if (fields == row.size()) row.emplace_back();
      more = readField(row[fields]);
    }
    row.resize(fields);
    if (unclosed_) return false;
    if (fields > 1 || !trim(row.front()).empty()) return true;
  }
  return false;
}

std::optional<double> cellNumber(std::string_view cell) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array<std::pair<std::string_view, double>, 6> names{{{"nan", notANumber},
                                                                      {"inf", infinity},
                                                                      {"+inf", infinity},
                                                                      {"-inf", -infinity},
                                                                      {"infinity", infinity},
                                                                      {"-infinity", -infinity}}};
  const std::string word = trim(cell);
  if (const auto number = parseNumber(word)) return number;
  std::string lower = word;
  for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  for (const auto& [name, value] : names) {
    if (lower == name) return value;
  }
  return std::nullopt;
}

}  // namespace slipstream
