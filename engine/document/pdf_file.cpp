// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/pdf_file.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr int catalogueNumber = 1, pagesNumber = 2;

std::string deflated(const std::string& content) {
  uLongf size = compressBound(content.size());
  std::string packed(size, '\0');
  const int done = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                             reinterpret_cast<const Bytef*>(content.data()), content.size(), Z_BEST_COMPRESSION);
  if (done != Z_OK) throw std::runtime_error("zlib cannot compress a page");
  packed.resize(size);
  return packed;
}

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

/// "0.10 0.12 0.14 rg"
std::string colourOf(std::string_view colour, const char* operation) {
  const auto part = [&](std::size_t at) {
    return number(std::stoi(std::string(colour.substr(at, 2)), nullptr, 16) / 255.0);
  };
  return fmt::format("{} {} {} {}\n", part(1), part(3), part(5), operation);
}

/// Text of the document's information: UTF-16 with its mark.
std::string textString(const std::string& text) {
  std::string hex = "<FEFF";
  for (const char32_t character : charactersOf(text)) {
    if (character < 0x10000) hex += fmt::format("{:04X}", static_cast<std::uint32_t>(character));
  }
  return hex + ">";
}

std::string utf16Of(char32_t character) {
  const auto value = static_cast<std::uint32_t>(character);
  if (value < 0x10000) return fmt::format("{:04X}", value);
  return fmt::format("{:04X}{:04X}", 0xD800 + ((value - 0x10000) >> 10U), 0xDC00 + ((value - 0x10000) & 0x3FFU));
}

/// Six capitals that tell subsets of one font apart (ISO 32000-1, 9.6.4).
std::string subsetTag(const std::map<std::uint16_t, char32_t>& characters) {
  std::uint32_t hash = 2166136261U;  // FNV-1a (Fowler, Noll, Vo)
  for (const auto& [glyph, character] : characters) hash = (hash ^ glyph) * 16777619U;
  std::string tag;
  for (int i = 0; i < 6; ++i, hash /= 26) tag += static_cast<char>('A' + hash % 26);
  return tag;
}

constexpr PrintFont printFontOf(Font font) {
  return font == Font::strong ? PrintFont::strong : font == Font::fixed ? PrintFont::fixed : PrintFont::regular;
}

}  // namespace

struct PdfPainter {
  PdfFile& file;
  double height;
  std::string content = {};

  std::string at(const Point& point) const { return number(point.x) + " " + number(height - point.y) + " "; }

  static std::string_view inkOf(Ink ink, std::string_view own) { return ink == Ink::series ? own : printColour(ink); }

  void operator()(const DrawnPath& path) {
    content += "q ";
    if (path.opacity != 1) content += file.stateOf(path.opacity);
    if (path.fill != Ink::none) content += colourOf(inkOf(path.fill, path.colour), "rg");
    if (path.stroke != Ink::none) {
      content += colourOf(inkOf(path.stroke, path.colour), "RG") + number(path.width) + " w 1 j ";
      content += path.dashes.empty() ? "1 J\n" : fmt::format("[{}] 0 d\n", path.dashes);
    }
    for (const auto& line : path.lines) {
      for (std::size_t i = 0; i < line.size(); ++i) content += at(line[i]) + (i == 0 ? "m " : "l ");
      if (path.fill != Ink::none) content += "h ";
    }
    content += path.fill != Ink::none ? "f Q\n" : "S Q\n";
  }
  void operator()(const DrawnBox& box) {
    content += colourOf(inkOf(box.fill, box.colour), "rg") + at({box.x, box.y + box.height}) + number(box.width) + " " +
               number(box.height) + " re f\n";
  }
  void operator()(const DrawnDot& dot) {
    // Four Bézier curves are a circle to a thousandth of its radius.
    const double r = dot.radius, bend = 0.5523 * r;
    const auto [x, y] = dot.at;
    content += colourOf(dot.colour, "rg") + at({x + r, y}) + "m ";
    content += at({x + r, y + bend}) + at({x + bend, y + r}) + at({x, y + r}) + "c ";
    content += at({x - bend, y + r}) + at({x - r, y + bend}) + at({x - r, y}) + "c ";
    content += at({x - r, y - bend}) + at({x - bend, y - r}) + at({x, y - r}) + "c ";
    content += at({x + bend, y - r}) + at({x + r, y - bend}) + at({x + r, y}) + "c f\n";
  }
  void operator()(const DrawnText& text) {
    std::string shown, glyphs;
    double width = 0;
    PrintFont font = printFontOf(text.font);
    const auto flush = [&] {
      if (glyphs.empty()) return;
      // Chinese fonts have one weight: strong characters are drawn with an outline.
      const bool outlined = font == PrintFont::chinese && text.font == Font::strong;
      shown += fmt::format("/F{} {} Tf {} Tr <{}> Tj\n", 1 + static_cast<int>(font), number(text.size),
                           outlined ? 2 : 0, std::exchange(glyphs, {}));
    };
    for (const char32_t character : charactersOf(text.text)) {
      const auto [chosen, glyph] = file.glyphOf(character, text.font);
      if (chosen != font) flush();
      font = chosen;
      PdfFile::UsedFont& used = file.used_[static_cast<std::size_t>(font)];
      used.characters.emplace(glyph, glyph == 0 ? U'\uFFFD' : character);
      glyphs += fmt::format("{:04X}", glyph);
      width += used.font->widthOf(glyph) * text.size / 1000;
    }
    flush();
    const double left = text.at.x - (text.anchor == Anchor::end      ? width
                                     : text.anchor == Anchor::middle ? width / 2
                                                                     : 0);
    content += "BT " + colourOf(printColour(text.ink), "rg") + colourOf(printColour(text.ink), "RG") +
               number(text.size / 40) + " w " + at({left, text.at.y}) + "Td " + shown + "ET\n";
  }
};

Result<const TrueTypeFont*> PrintFonts::get(PrintFont font) {
  std::optional<TrueTypeFont>& place = fonts_.at(static_cast<std::size_t>(font));
  if (!place) {
    SLIPSTREAM_TRY(found, findPrintFont(font));
    place = std::move(found);
  }
  return &*place;
}

std::pair<PrintFont, std::uint16_t> PdfFile::glyphOf(char32_t character, Font font) {
  const PrintFont own = printFontOf(font);
  for (const PrintFont one : {own, PrintFont::chinese}) {
    const UsedFont& used = used_[static_cast<std::size_t>(one)];
    const std::uint16_t glyph = used.font == nullptr ? std::uint16_t{0} : used.font->glyphOf(character);
    if (glyph != 0) return {one, glyph};
  }
  return {own, std::uint16_t{0}};
}

Status PdfFile::openFonts(const DrawnText& text) {
  const auto open = [&](PrintFont font) -> Status {
    UsedFont& used = used_[static_cast<std::size_t>(font)];
    if (used.font != nullptr) return {};
    SLIPSTREAM_TRY(found, fonts_->get(font));
    used.font = found;
    return {};
  };
  const PrintFont own = printFontOf(text.font);
  SLIPSTREAM_CHECK(open(own));
  const TrueTypeFont& font = *used_[static_cast<std::size_t>(own)].font;
  const bool hasAll =
      std::ranges::all_of(charactersOf(text.text), [&](char32_t one) { return font.glyphOf(one) != 0; });
  return hasAll ? Status() : open(PrintFont::chinese);
}

Result<double> PdfFile::widthOf(const DrawnText& text) {
  SLIPSTREAM_CHECK(openFonts(text));
  double width = 0;
  for (const char32_t character : charactersOf(text.text)) {
    const auto [font, glyph] = glyphOf(character, text.font);
    width += used_[static_cast<std::size_t>(font)].font->widthOf(glyph) * text.size / 1000;
  }
  return width;
}

Status PdfFile::addPage(const Drawing& page) {
  if (objects_.empty()) objects_.resize(pagesNumber);
  for (const Mark& mark : page.marks) {
    if (const auto* text = std::get_if<DrawnText>(&mark)) SLIPSTREAM_CHECK(openFonts(*text));
  }
  PdfPainter painter{*this, page.height};
  for (const Mark& mark : page.marks) std::visit(painter, mark);
  pages_.emplace_back(addStream("", painter.content), Drawing{page.width, page.height});
  return {};
}

int PdfFile::add(const std::string& object) {
  objects_.push_back(object);
  return static_cast<int>(objects_.size());
}

int PdfFile::addStream(const std::string& keys, const std::string& content) {
  const std::string packed = deflated(content);
  return add(fmt::format("<< {} /Filter /FlateDecode /Length {} >>\nstream\n", keys, packed.size()) + packed +
             "\nendstream");
}

std::string PdfFile::stateOf(double opacity) {
  auto found = std::ranges::find(opacities_, opacity);
  if (found == opacities_.end()) found = opacities_.insert(found, opacity);
  return fmt::format("/G{} gs ", found - opacities_.begin());
}

/// A font of glyph numbers of two bytes, with its widths and what its glyphs mean.
int PdfFile::addFont(const UsedFont& used, std::string_view name) {
  std::set<std::uint16_t> glyphs;
  std::string widths, meanings;
  for (const auto& [glyph, character] : used.characters) {
    glyphs.insert(glyph);
    widths += fmt::format("{} [{}] ", glyph, used.font->widthOf(glyph));
    meanings += fmt::format("1 beginbfchar <{:04X}> <{}> endbfchar\n", glyph, utf16Of(character));
  }
  const std::string called = subsetTag(used.characters) + "+" + std::string(name);
  const std::string font = used.font->subset(glyphs);
  const int program = addStream(fmt::format("/Length1 {}", font.size()), font);
  const int descriptor = add(fmt::format(
      "<< /Type /FontDescriptor /FontName /{} /Flags 4 /FontBBox [-1000 {} 2000 {}] "
      "/ItalicAngle 0 /Ascent {} /Descent {} /CapHeight 700 /StemV 80 /FontFile2 {} 0 R >>",
      called, used.font->descent(), used.font->ascent(), used.font->ascent(), used.font->descent(), program));
  const int descendant = add(
      fmt::format("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{} /CIDSystemInfo << /Registry (Adobe) /Ordering "
                  "(Identity) /Supplement 0 >> /FontDescriptor {} 0 R /CIDToGIDMap /Identity /DW 1000 /W [{}] >>",
                  called, descriptor, widths));
  const int toUnicode = addStream(
      "",
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo << /Registry (Adobe) /Ordering "
      "(UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def\n1 begincodespacerange <0000> "
      "<FFFF> endcodespacerange\n" +
          meanings + "endcmap CMapName currentdict /CMap defineresource pop end end");
  return add(
      fmt::format("<< /Type /Font /Subtype /Type0 /BaseFont /{} /Encoding /Identity-H "
                  "/DescendantFonts [{} 0 R] /ToUnicode {} 0 R >>",
                  called, descendant, toUnicode));
}

std::string PdfFile::finish() {
  constexpr std::array<std::string_view, printFontCount> names{"LiberationSans", "LiberationSans-Bold",
                                                               "LiberationMono", "Chinese"};
  std::string fonts, states, kids;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!used_[i].characters.empty()) fonts += fmt::format("/F{} {} 0 R ", i + 1, addFont(used_[i], names[i]));
  }
  for (std::size_t i = 0; i < opacities_.size(); ++i) {
    states += fmt::format("/G{} << /ca {} /CA {} >> ", i, number(opacities_[i]), number(opacities_[i]));
  }
  const int resources = add(fmt::format("<< /Font << {} >> /ExtGState << {} >> >>", fonts, states));
  for (const auto& [content, size] : pages_) {
    kids += fmt::format("{} 0 R ",
                        add(fmt::format("<< /Type /Page /Parent {} 0 R /MediaBox [0 0 {} {}] /Resources {} 0 "
                                        "R /Contents {} 0 R >>",
                                        pagesNumber, number(size.width), number(size.height), resources, content)));
  }
  const int info = add(fmt::format("<< /Title {} /Producer (Slipstream) >>", textString(title_)));
  objects_[catalogueNumber - 1] = fmt::format("<< /Type /Catalog /Pages {} 0 R /Lang ({}) >>", pagesNumber,
                                              language_ == Language::chinese ? "zh-CN" : "en");
  objects_[pagesNumber - 1] = fmt::format("<< /Type /Pages /Count {} /Kids [{}] >>", pages_.size(), kids);
  std::string text = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";
  std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects_.size() + 1);
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", text.size());
    text += fmt::format("{} 0 obj\n", i + 1) + objects_[i] + "\nendobj\n";
  }
  const std::size_t start = text.size();
  return text + table +
         fmt::format("trailer\n<< /Size {} /Root {} 0 R /Info {} 0 R >>\nstartxref\n{}\n%%EOF\n", objects_.size() + 1,
                     catalogueNumber, info, start);
}

}  // namespace slipstream
