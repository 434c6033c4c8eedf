// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/characters.h"

#include <algorithm>

#include <fmt/format.h>

namespace slipstream {
namespace {

/// Bytes of the UTF-8 character that `text` begins with; 0 where it begins with none.
std::size_t characterLength(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) >= 0xA0;
  const bool tooLarge = first == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || tooLarge ? 0 : length;
}

/// C0, DEL, and C1 in UTF-8, which terminals obey as well.
bool isControl(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

std::string escape(std::string_view bytes) {
  if (bytes == "\n") return "\\n";
  if (bytes == "\t") return "\\t";
  std::string text;
  for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::u32string charactersOf(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    char32_t character = length == 1 ? byte(0) : byte(0) & (0xFFU >> (length + 1));
    for (std::size_t at = 1; at < length; ++at) character = character << 6U | (byte(at) & 0x3FU);
    characters += length == 0 ? U'\uFFFD' : character;
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return characters;
}

std::string utf8Of(char32_t character) {
  const auto tail = [character](unsigned shift) { return static_cast<char>(0x80U | (character >> shift & 0x3FU)); };
  if (character < 0x80) return {static_cast<char>(character)};
  if (character < 0x800) return {static_cast<char>(0xC0U | character >> 6U), tail(0)};
  if (character < 0x10000) return {static_cast<char>(0xE0U | character >> 12U), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | character >> 18U), tail(12), tail(6), tail(0)};
}

std::size_t characterCount(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(std::max<std::size_t>(1, characterLength(text)));
  return count;
}

std::string printable(std::string_view text, std::string_view kept) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    const bool plain = length > 0 && (!isControl(character) || kept.find(character) != std::string_view::npos);
    shown += plain ? std::string(character) : escape(character);
    text.remove_prefix(character.size());
  }
  return shown;
}

}  // namespace slipstream
