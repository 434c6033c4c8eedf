// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/document/drawing.h"
#include "engine/document/true_type.h"

namespace slipstream {

/// Fonts that are read when a text first asks for them, and then shared by several files.
class PrintFonts {
 public:
  Result<const TrueTypeFont*> get(PrintFont font);

 private:
  std::array<std::optional<TrueTypeFont>, printFontCount> fonts_;
};

/// Writes drawings as the pages of a PDF 1.4 (ISO 32000-1). Of each font the glyphs that are used are embedded, with
/// the characters that they stand for, so that text can be selected and searched. The same drawings give the same
/// bytes.
class PdfFile {
 public:
  PdfFile(std::string title, Language language, std::shared_ptr<PrintFonts> fonts = std::make_shared<PrintFonts>())
      : title_(std::move(title)), language_(language), fonts_(std::move(fonts)) {}

  /// Fails where a font that a text of the page asks for is not installed.
  Status addPage(const Drawing& page);
  std::string finish();
  /// How wide a text is in the fonts of this file; fails as addPage does.
  Result<double> widthOf(const DrawnText& text);

 private:
  friend struct PdfPainter;

  /// What is embedded of a font.
  struct UsedFont {
    const TrueTypeFont* font = nullptr;
    std::map<std::uint16_t, char32_t> characters = {};  ///< by glyph
  };

  int add(const std::string& object);
  int addStream(const std::string& keys, const std::string& content);
  int addFont(const UsedFont& used, std::string_view name);
  Status openFonts(const DrawnText& text);
  /// The font that has the character, and its glyph there; 0 where none has it.
  std::pair<PrintFont, std::uint16_t> glyphOf(char32_t character, Font font);
  /// The name of the graphics state that lets so much of what is behind through.
  std::string stateOf(double opacity);

  std::string title_;
  Language language_;
  std::shared_ptr<PrintFonts> fonts_;
  std::array<UsedFont, printFontCount> used_;
  std::vector<std::string> objects_;            ///< number 1 first
  std::vector<std::pair<int, Drawing>> pages_;  ///< content and size
  std::vector<double> opacities_;
};

}  // namespace slipstream
