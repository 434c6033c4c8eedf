// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipstream {

std::string trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
bool startsWith(std::string_view text, std::string_view prefix);
bool endsWith(std::string_view text, std::string_view suffix);

/// The whole text as a decimal integer, or nothing.
std::optional<std::int64_t> parseInteger(std::string_view text);
/// The whole text as a finite number, or nothing.
std::optional<double> parseNumber(std::string_view text);

/// Shell-style pattern with * and ?, over the whole text.
bool matchesPattern(std::string_view text, std::string_view pattern);

/// How many letters have to be put in, taken out or exchanged to make `b` of `a`.
std::size_t editDistance(std::string_view a, std::string_view b);

/// The entry of `known` nearest to `word` by edit distance, where one is near enough to be a slip of the pen.
std::optional<std::string> nearestWord(std::string_view word, const std::vector<std::string>& known);

/// Decimal units: 8.04 MB.
std::string sizeText(std::int64_t bytes);
inline std::string sizeText(std::size_t bytes) {
  return sizeText(static_cast<std::int64_t>(bytes));
}
/// 00:07 below an hour, 1 h 12 min above.
std::string durationText(double seconds);
/// 1,234,567; or 1234567, where groupDigits(false) says so.
std::string countText(std::int64_t count);
/// Whether they are, from now on and in everything this process writes for people, reports included: they are unless
/// somebody has asked otherwise. Files that programs read have plain digits anyway.
void groupDigits(bool grouped);
/// 1 rank, 2 ranks, 1,234 ranks. `noun` in the singular, one whose plural takes an s.
std::string counted(std::int64_t count, std::string_view noun);
/// Shortest text that reads back as the same number; NaN and infinities as nan, inf, -inf.
std::string numberText(double value);

}  // namespace slipstream
