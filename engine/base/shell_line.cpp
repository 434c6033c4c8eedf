// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shell_line.h"

#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

std::string quoted(const std::string& word) {
  constexpr const char* harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
  if (printable(word) == word) return "'" + join(split(word, '\''), "'\\''") + "'";
  // Bash's form for what a terminal would obey instead of showing it.
  std::string escaped;
  for (const char letter : word) escaped += (letter == '\'' || letter == '\\' ? "\\" : "") + std::string(1, letter);
  return "$'" + printable(escaped) + "'";
}

}  // namespace

std::string shellLine(const std::vector<std::string>& words) {
  std::vector<std::string> safe;
  for (const std::string& word : words) safe.push_back(quoted(word));
  return join(safe, " ");
}

}  // namespace slipstream
