// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv_rows.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr std::int64_t pieceBytes = 256 * 1024;
/// A quotation mark that nobody closed must not bring a whole file into memory.
constexpr std::size_t mostRowBytes = std::size_t{16} << 20;

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
  begin();
}

CsvRows::CsvRows(FileBytes file) : file_(std::move(file)) {
  hasLetter();
  begin();
}

void CsvRows::begin() {
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(byteOrderMark)) text_.remove_prefix(byteOrderMark.size());
  separator_ = separatorOf(text_);
}

bool CsvRows::hasLetter() {
  if (at_ < text_.size()) return true;
  if (!file_ || !read_ || fileAt_ >= file_->size()) return false;
  piece_.resize(static_cast<std::size_t>(std::min(pieceBytes, file_->size() - fileAt_)));
  read_ = file_->read(fileAt_, std::as_writable_bytes(std::span(piece_)));
  if (!read_) return false;
  fileAt_ += std::ssize(piece_);
  text_ = piece_;
  at_ = 0;
  return true;
}

/// False at the end of the row.
bool CsvRows::readField(std::string& field) {
  field.clear();
  bool quoted = false;
  while (hasLetter()) {
    const char letter = text_[at_++];
    if (letter == '\n') ++line_;
    if (++rowBytes_ > mostRowBytes) {
      problem_ = "has a row of more than " + sizeText(mostRowBytes);
      return false;
    }
    if (letter == '"' && (quoted || field.empty())) {
      const bool doubled = quoted && hasLetter() && text_[at_] == '"';
      if (doubled) {
        field += '"';
        ++at_;
      } else {
        quoted = !quoted;
      }
    } else if (!quoted && (letter == separator_ || letter == '\n')) {
      return letter == separator_;
    } else if (quoted || letter != '\r') {
      field += letter;
    }
  }
  if (quoted) problem_ = "a quotation mark is not closed";
  return false;
}

bool CsvRows::next(std::vector<std::string>& row) {
  while (problem_.empty() && hasLetter()) {
    rowLine_ = line_;
    rowBytes_ = 0;
    std::size_t fields = 0;
    for (bool more = true; more; ++fields) {
      if (fields == row.size()) row.emplace_back();
      more = readField(row[fields]);
    }
    row.resize(fields);
    if (!problem_.empty() || !read_) return false;
    if (fields > 1 || !trim(row.front()).empty()) return true;
  }
  return false;
}

Status CsvRows::finish(const std::string& place) const {
  if (!read_) return read_;
  if (problem_.empty()) return {};
  return fail(fmt::format("{}:{}", place, rowLine_), "", problem_, "add \" where a quoted field ends");
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
