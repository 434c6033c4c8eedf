// SPDX-License-Identifier: GPL-3.0-or-later
// How wide texts are in the fonts that every PDF reader has (Adobe Core 14 AFM files), in thousandths of their size.
#include <array>
#include <cstdint>

#include "engine/base/characters.h"
#include "engine/document/drawing.h"

namespace slipstream {
namespace {

using Widths = std::array<std::uint16_t, 95>;  ///< of the characters from U+0020 to U+007E

constexpr Widths regularWidths{278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                               556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                               1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                               667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                               333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                               556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};
constexpr Widths strongWidths{278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
                              556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
                              975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
                              667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
                              333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
                              611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584};

constexpr double fixedWidth = 600, fullWidth = 1000, otherWidth = 556;

/// Of what is not ASCII: signs of tables and sentences, letters with accents as without.
double signWidth(char32_t character) {
  switch (character) {
    case U'…':
    case U'—':
      return fullWidth;
    case U'·':
      return 278;
    case U'“':
    case U'”':
      return 333;
    case U'‘':
    case U'’':
      return 222;
    case U'−':
    case U'±':
    case U'×':
      return 584;
    default:
      return character >= 0x1100 ? (character < 0x2000 || character > 0x2E7F ? fullWidth : otherWidth) : otherWidth;
  }
}

}  // namespace

double textWidth(std::string_view text, double size, Font font) {
  double width = 0;
  for (const char32_t character : charactersOf(text)) {
    const bool ascii = character >= 0x20 && character <= 0x7E;
    if (font == Font::fixed && character < 0x1100)
      width += fixedWidth;
    else if (ascii)
      width += (font == Font::strong ? strongWidths : regularWidths)[character - 0x20];
    else
      width += signWidth(character);
  }
  return width * size / 1000;
}

TextMetrics helveticaMetrics(double size) {
  constexpr double slack = 1.1, ascent = 0.905, descent = 0.212;
  return {[size](const std::string& text) { return slack * textWidth(text, size); }, ascent * size, descent * size};
}

std::string elided(const std::string& text, double width, const TextMetrics& font) {
  if (font.width(text) <= width) return text;
  const std::u32string characters = charactersOf(text);
  const auto part = [&](std::size_t from, std::size_t count) {
    std::string shown;
    for (const char32_t character : characters.substr(from, count)) shown += utf8Of(character);
    return shown;
  };
  for (std::size_t kept = characters.size(); kept-- > 1;) {
    const std::size_t end = kept / 2;
    const std::string shown = part(0, kept - end) + "…" + part(characters.size() - end, end);
    if (font.width(shown) <= width) return shown;
  }
  return "";
}

}  // namespace slipstream
