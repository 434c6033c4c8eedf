// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/pdf_file.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <zlib.h>

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

/// The code of a character in the fonts that every reader has: Windows-1252, with a minus where that has nothing.
std::optional<unsigned char> codeOf(char32_t character) {
  constexpr std::array<char32_t, 32> upper{0x20AC, 0x2212, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                           0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                           0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                           0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
  if ((character >= 0x20 && character <= 0x7E) || (character >= 0xA0 && character <= 0xFF)) {
    return static_cast<unsigned char>(character);
  }
  const auto found = character == 0 ? upper.end() : std::ranges::find(upper, character);
  if (found == upper.end()) return std::nullopt;
  return static_cast<unsigned char>(0x80 + (found - upper.begin()));
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

std::string literal(std::string_view text) {
  std::string safe = "(";
  for (const char letter : text) {
    if (letter == '(' || letter == ')' || letter == '\\') safe += '\\';
    safe += letter;
  }
  return safe + ")";
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
    std::string shown;
    double width = 0;
    std::string run;
    bool embedded = false;
    const auto flush = [&] {
      if (run.empty()) return;
      // Chinese fonts have one weight: strong characters are drawn with an outline.
      const char* weight = embedded && text.font == Font::strong ? "2 Tr" : "0 Tr";
      shown += embedded ? fmt::format("/F4 {} Tf {} <{}> Tj\n", number(text.size), weight, run)
                        : fmt::format("/F{} {} Tf {} {} Tj\n", 1 + static_cast<int>(text.font), number(text.size),
                                      weight, literal(run));
      run.clear();
    };
    for (const char32_t character : charactersOf(text.text)) {
      const auto code = codeOf(character);
      if (embedded == code.has_value()) flush();
      embedded = !code;
      if (code) {
        run += static_cast<char>(*code);
        width += textWidth(utf8Of(character), text.size, text.font);
        continue;
      }
      const std::uint16_t glyph = file.font_ ? file.font_->glyphOf(character) : std::uint16_t{0};
      file.used_[glyph] = character;
      run += fmt::format("{:04X}", glyph);
      width += (file.font_ ? file.font_->widthOf(glyph) : 0) * text.size / 1000;
    }
    flush();
    const double left = text.at.x - (text.anchor == Anchor::end      ? width
                                     : text.anchor == Anchor::middle ? width / 2
                                                                     : 0);
    content += "BT " + colourOf(printColour(text.ink), "rg") + colourOf(printColour(text.ink), "RG") +
               number(text.size / 40) + " w " + at({left, text.at.y}) + "Td " + shown + "ET\n";
  }
};

Status PdfFile::addPage(const Drawing& page) {
  if (objects_.empty()) objects_.resize(pagesNumber);
  const bool foreign = std::ranges::any_of(page.marks, [](const Mark& mark) {
    const auto* text = std::get_if<DrawnText>(&mark);
    return text != nullptr && std::ranges::any_of(charactersOf(text->text), [](char32_t one) { return !codeOf(one); });
  });
  if (foreign && !font_) {
    SLIPSTREAM_TRY(font, findChineseFont());
    font_ = std::move(font);
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
int PdfFile::addEmbeddedFont() {
  std::set<std::uint16_t> glyphs;
  std::string widths, meanings;
  for (const auto& [glyph, character] : used_) {
    glyphs.insert(glyph);
    widths += fmt::format("{} [{}] ", glyph, font_->widthOf(glyph));
    meanings += fmt::format("1 beginbfchar <{:04X}> <{}> endbfchar\n", glyph, utf16Of(character));
  }
  const std::string font = font_->subset(glyphs);
  const int program = addStream(fmt::format("/Length1 {}", font.size()), font);
  const int descriptor =
      add(fmt::format("<< /Type /FontDescriptor /FontName /SLIPST+Chinese /Flags 4 /FontBBox [-1000 {} 2000 {}] "
                      "/ItalicAngle 0 /Ascent {} /Descent {} /CapHeight 700 /StemV 80 /FontFile2 {} 0 R >>",
                      font_->descent(), font_->ascent(), font_->ascent(), font_->descent(), program));
  const int descendant = add(fmt::format(
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SLIPST+Chinese /CIDSystemInfo << /Registry (Adobe) /Ordering "
      "(Identity) /Supplement 0 >> /FontDescriptor {} 0 R /CIDToGIDMap /Identity /DW 1000 /W [{}] >>",
      descriptor, widths));
  const int toUnicode = addStream(
      "",
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo << /Registry (Adobe) /Ordering "
      "(UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def\n1 begincodespacerange <0000> "
      "<FFFF> endcodespacerange\n" +
          meanings + "endcmap CMapName currentdict /CMap defineresource pop end end");
  return add(
      fmt::format("<< /Type /Font /Subtype /Type0 /BaseFont /SLIPST+Chinese /Encoding /Identity-H "
                  "/DescendantFonts [{} 0 R] /ToUnicode {} 0 R >>",
                  descendant, toUnicode));
}

std::string PdfFile::finish() {
  const int encoding = add("<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [129 /minus] >>");
  std::string fonts, states, kids;
  int index = 1;
  for (const char* name : {"Helvetica", "Helvetica-Bold", "Courier"}) {
    fonts += fmt::format(
        "/F{} {} 0 R ", index++,
        add(fmt::format("<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding {} 0 R >>", name, encoding)));
  }
  if (font_) fonts += fmt::format("/F4 {} 0 R ", addEmbeddedFont());
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
