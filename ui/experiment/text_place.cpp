// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/text_place.h"

#include <algorithm>

#include "engine/base/text.h"

namespace slipstream::ui {
namespace {

/// Of "experiment.json:3:7" the 3.
std::optional<std::int64_t> lineNamedBy(const std::string& where) {
  const auto parts = split(where, ':');
  if (parts.size() < 3 || !parseInteger(parts.back())) return std::nullopt;
  return parseInteger(parts[parts.size() - 2]);
}

JsonSpan spanOfLine(const std::string& text, std::int64_t line) {
  std::size_t begin = 0;
  for (std::int64_t number = 1; number < line; ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return {begin, std::min(text.find('\n', begin), text.size())};
}

/// The last place where the key's name stands as a text: for files that are no JSON only because it stands twice.
std::optional<JsonSpan> lastOfName(const std::string& text, const std::string& path) {
  const std::string name = '"' + path.substr(path.rfind('.') + 1) + '"';
  const std::size_t begin = text.rfind(name);
  if (begin == std::string::npos) return std::nullopt;
  return JsonSpan{begin, begin + name.size()};
}

/// "a.b[2].c" -> "a.b[2]" -> "a.b" -> "a" -> ""
std::string around(const std::string& path) {
  const std::size_t end = path.find_last_of(".[");
  return end == std::string::npos ? std::string() : path.substr(0, end);
}

}  // namespace

std::string keyPathOf(const std::string& where) {
  return where.substr(0, where.find(' '));
}

std::optional<JsonSpan> textPlaceOf(const std::string& text, const std::string& where) {
  // What follows after a blank may name the line of another file.
  const bool ofAnotherFile = where.find(' ') != std::string::npos;
  const auto line = lineNamedBy(where);
  if (line && !(ofAnotherFile && spanOf(text, keyPathOf(where)))) return spanOfLine(text, *line);
  for (std::string path = keyPathOf(where); !path.empty(); path = around(path)) {
    if (const auto span = spanOf(text, path)) return span;
  }
  // The whole is where something is missing: its first bracket.
  const auto whole = spanOf(text, "");
  if (!whole) return lastOfName(text, keyPathOf(where));
  return JsonSpan{whole->begin, whole->begin};
}

}  // namespace slipstream::ui
