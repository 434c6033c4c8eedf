// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/failure.h"

namespace slipstream {

/// A TrueType font as far as a PDF embeds it (Apple TrueType Reference Manual; OpenType 1.9): which glyph a character
/// has, how wide it is, and a copy that holds some glyphs only.
class TrueTypeFont {
 public:
  /// The first font of the file, which may be a collection.
  static Result<TrueTypeFont> read(const std::filesystem::path& path);

  /// 0 where the font lacks the character.
  std::uint16_t glyphOf(char32_t character) const;
  /// In thousandths of the font's size.
  int widthOf(std::uint16_t glyph) const;
  /// Height of ascenders and depth of descenders, which is negative, in thousandths.
  int ascent() const { return ascent_; }
  int descent() const { return descent_; }

  /// A font file in which the other glyphs are empty. Glyphs keep their numbers.
  std::string subset(std::set<std::uint16_t> glyphs) const;

 private:
  std::string_view table(const char* tag) const;
  std::string_view outline(std::uint16_t glyph) const;
  void addParts(std::uint16_t glyph, std::set<std::uint16_t>& glyphs) const;
  bool readTables();
  void readCharacters();

  std::string file_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> tables_;  ///< where, and how long
  std::map<char32_t, std::uint16_t> glyphs_;
  int unitsPerEm_ = 1000, ascent_ = 0, descent_ = 0;
  std::uint32_t glyphCount_ = 0, widthCount_ = 0;
  bool longOffsets_ = false;
};

/// Fonts of the system, which a PDF takes its glyphs from. `chinese` has what the others lack.
enum class PrintFont { regular, strong, fixed, chinese };
inline constexpr std::size_t printFontCount = 4;
/// Liberation Sans, its bold face and Liberation Mono, whose letters are as wide as Helvetica's and Courier's, by which
/// pages are laid out; or a font with Chinese characters. A failure names the package that has one.
Result<TrueTypeFont> findPrintFont(PrintFont font);

}  // namespace slipstream
