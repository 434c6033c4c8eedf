// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipstream {

/// Reads the rows of a CSV text (RFC 4180), also with semicolons or tabs between fields: whichever of the three is
/// first in its header. `text` outlives the reader.
class CsvRows {
 public:
  explicit CsvRows(std::string_view text);

  /// Fills the next row in; blank lines are passed over. False at the end, and where a quotation mark is not closed.
  bool next(std::vector<std::string>& row);
  /// Line on which the last row began, from 1.
  std::int64_t line() const { return rowLine_; }
  bool unclosed() const { return unclosed_; }

 private:
  bool readField(std::string& field);

  std::string_view text_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::int64_t rowLine_ = 0;
  bool unclosed_ = false;
};

/// The number of a cell; NaN and infinities by their usual names. Nothing where it is none.
std::optional<double> cellNumber(std::string_view cell);

}  // namespace slipstream
