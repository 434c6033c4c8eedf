// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_bytes.h"

namespace slipstream {

/// Reads the rows of a CSV text (RFC 4180; UTF-8, with or without byte order mark), also with semicolons or tabs
/// between fields: whichever of the three is first in its header.
class CsvRows {
 public:
  /// `text` outlives the reader.
  explicit CsvRows(std::string_view text);
  /// Reads the file a piece at a time.
  explicit CsvRows(FileBytes file);
  CsvRows(const CsvRows&) = delete;
  CsvRows& operator=(const CsvRows&) = delete;

  /// Fills the next row in; blank lines are passed over. False at the end, and where finish() fails.
  bool next(std::vector<std::string>& row);
  /// Line on which the last row began, from 1.
  std::int64_t line() const { return rowLine_; }
  /// What ended the rows before their end, naming the line: a quotation mark that is not closed, a row of more than
  /// 16 MiB, or a file that cannot be read. `place`: the file, as failures call it.
  Status finish(const std::string& place) const;

 private:
  bool readField(std::string& field);
  /// Whether text_ has a letter at at_; reads on if need be.
  bool hasLetter();
  void begin();

  std::optional<FileBytes> file_;
  std::int64_t fileAt_ = 0;  ///< of the first byte that has not been read
  std::string piece_;
  std::string_view text_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::int64_t rowLine_ = 0;
  std::size_t rowBytes_ = 0;
  std::string problem_;  ///< with the row; empty where there is none
  Status read_;
};

/// The number of a cell; NaN and infinities by their usual names. Nothing where it is none.
std::optional<double> cellNumber(std::string_view cell);

}  // namespace slipstream
