// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/true_type.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "engine/base/files.h"

namespace slipstream {
namespace {

std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t length) {
  if (at + length > bytes.size()) throw std::out_of_range("a font ends too early");
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < length; ++i) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::uint32_t u16(std::string_view bytes, std::size_t at) {
  return number(bytes, at, 2);
}

std::uint32_t u32(std::string_view bytes, std::size_t at) {
  return number(bytes, at, 4);
}

int s16(std::string_view bytes, std::size_t at) {
  return static_cast<std::int16_t>(u16(bytes, at));
}

void append(std::string& bytes, std::uint32_t value, unsigned length) {
  for (unsigned i = length; i-- > 0;) bytes += static_cast<char>(value >> 8 * i & 255U);
}

/// Segments of characters with glyph numbers by difference or by table (cmap format 4).
void readSegments(std::string_view map, std::map<char32_t, std::uint16_t>& glyphs) {
  const std::size_t segments = u16(map, 6) / 2;
  const std::size_t ends = 14, starts = ends + 2 * segments + 2, deltas = starts + 2 * segments;
  const std::size_t offsets = deltas + 2 * segments;
  for (std::size_t i = 0; i < segments; ++i) {
    const std::uint32_t offset = u16(map, offsets + 2 * i);
    const std::uint32_t first = u16(map, starts + 2 * i);
    for (std::uint32_t character = first; character <= u16(map, ends + 2 * i) && character < 0xFFFF; ++character) {
      std::uint32_t glyph = character;
      if (offset != 0) glyph = u16(map, offsets + 2 * i + offset + 2 * (character - first));
      if (glyph != 0 || offset == 0) glyph = (glyph + u16(map, deltas + 2 * i)) & 0xFFFFU;
      if (glyph != 0) glyphs[character] = static_cast<std::uint16_t>(glyph);
    }
  }
}

/// Groups of characters whose glyphs follow each other (cmap format 12).
void readGroups(std::string_view map, std::map<char32_t, std::uint16_t>& glyphs) {
  for (std::size_t at = 16, group = 0; group < u32(map, 12); ++group, at += 12) {
    const std::uint32_t first = u32(map, at);
    for (std::uint32_t i = 0; i <= u32(map, at + 4) - first && i <= 0xFFFF; ++i) {
      glyphs[first + i] = static_cast<std::uint16_t>(u32(map, at + 8) + i);
    }
  }
}

std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) sum += u32(bytes, at);
  return sum;
}

std::string fontFile(const std::map<std::string, std::string>& tables) {
  const auto count = static_cast<std::uint32_t>(tables.size());
  std::string header, body;
  append(header, 0x00010000, 4);
  append(header, count, 2);
  std::uint32_t power = 1, log = 0;
  for (; power * 2 <= count; power *= 2) ++log;
  append(header, 16 * power, 2);
  append(header, log, 2);
  append(header, 16 * (count - power), 2);
  for (const auto& [tag, content] : tables) {
    std::string padded = content;
    padded.resize((content.size() + 3) / 4 * 4);
    header += tag;
    append(header, checksum(padded), 4);
    append(header, static_cast<std::uint32_t>(12 + 16 * tables.size() + body.size()), 4);
    append(header, static_cast<std::uint32_t>(content.size()), 4);
    body += padded;
  }
  return header + body;
}

}  // namespace

std::string_view TrueTypeFont::table(const char* tag) const {
  const auto found = tables_.find(tag);
  if (found == tables_.end()) return {};
  return std::string_view(file_).substr(found->second.first, found->second.second);
}

bool TrueTypeFont::readTables() {
  const std::string_view file = file_;
  const std::size_t at = file.substr(0, 4) == "ttcf" ? u32(file, 12) : 0;
  for (std::size_t i = 0; i < u16(file, at + 4); ++i) {
    const std::size_t entry = at + 12 + 16 * i;
    tables_[std::string(file.substr(entry, 4))] = {u32(file, entry + 8), u32(file, entry + 12)};
  }
  for (const char* needed : {"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp"}) {
    if (table(needed).empty()) return false;
  }
  unitsPerEm_ = static_cast<int>(u16(table("head"), 18));
  longOffsets_ = u16(table("head"), 50) != 0;
  ascent_ = 1000 * s16(table("hhea"), 4) / unitsPerEm_;
  descent_ = 1000 * s16(table("hhea"), 6) / unitsPerEm_;
  widthCount_ = u16(table("hhea"), 34);
  glyphCount_ = u16(table("maxp"), 4);
  return widthCount_ > 0;
}

/// Unicode maps only, the larger ones last.
void TrueTypeFont::readCharacters() {
  const std::string_view maps = table("cmap");
  for (const std::uint32_t format : {4U, 12U}) {
    for (std::size_t i = 0; i < u16(maps, 2); ++i) {
      const std::uint32_t platform = u16(maps, 4 + 8 * i);
      const std::string_view map = maps.substr(u32(maps, 8 + 8 * i));
      if ((platform != 0 && platform != 3) || u16(map, 0) != format) continue;
      if (format == 4) readSegments(map, glyphs_);
      if (format == 12) readGroups(map, glyphs_);
    }
  }
}

Result<TrueTypeFont> TrueTypeFont::read(const std::filesystem::path& path) {
  TrueTypeFont font;
  SLIPSTREAM_TRY(file, readFile(path));
  font.file_ = std::move(file);
  try {
    if (font.readTables()) {
      font.readCharacters();
      return font;
    }
  } catch (const std::out_of_range&) {
  }
  return fail(path.string(), "", "is no TrueType font that can be embedded", "install another font");
}

std::uint16_t TrueTypeFont::glyphOf(char32_t character) const {
  const auto found = glyphs_.find(character);
  return found == glyphs_.end() ? 0 : found->second;
}

int TrueTypeFont::widthOf(std::uint16_t glyph) const {
  const std::size_t index = std::min<std::size_t>(glyph, widthCount_ - 1);
  return static_cast<int>(1000 * u16(table("hmtx"), 4 * index) / static_cast<std::uint32_t>(unitsPerEm_));
}

std::string_view TrueTypeFont::outline(std::uint16_t glyph) const {
  const std::string_view offsets = table("loca");
  const auto offset = [&](std::size_t index) -> std::size_t {
    return longOffsets_ ? u32(offsets, 4 * index) : 2 * u16(offsets, 2 * index);
  };
  const std::size_t begin = offset(glyph);
  return table("glyf").substr(begin, offset(glyph + 1U) - begin);
}

/// Adds the glyphs that a composite one is made of.
void TrueTypeFont::addParts(std::uint16_t glyph, std::set<std::uint16_t>& glyphs) const {
  constexpr std::uint32_t wordArguments = 1, scaled = 8, more = 32, scaledBoth = 64, matrix = 128;
  const std::string_view bytes = outline(glyph);
  if (bytes.empty() || s16(bytes, 0) >= 0) return;
  for (std::size_t at = 10;;) {
    const std::uint32_t flags = u16(bytes, at);
    const auto part = static_cast<std::uint16_t>(u16(bytes, at + 2));
    if (glyphs.insert(part).second) addParts(part, glyphs);
    at += (flags & wordArguments) != 0 ? 8 : 6;
    at += (flags & scaled) != 0 ? 2 : (flags & scaledBoth) != 0 ? 4 : (flags & matrix) != 0 ? 8 : 0;
    if ((flags & more) == 0) return;
  }
}

std::string TrueTypeFont::subset(std::set<std::uint16_t> glyphs) const {
  glyphs.insert(0);
  for (const std::uint16_t glyph : std::set<std::uint16_t>(glyphs)) addParts(glyph, glyphs);
  std::string outlines, offsets;
  for (std::uint32_t glyph = 0; glyph < glyphCount_; ++glyph) {
    append(offsets, static_cast<std::uint32_t>(outlines.size()), 4);
    if (!glyphs.contains(static_cast<std::uint16_t>(glyph))) continue;
    outlines += outline(static_cast<std::uint16_t>(glyph));
    outlines.resize((outlines.size() + 3) / 4 * 4);
  }
  append(offsets, static_cast<std::uint32_t>(outlines.size()), 4);
  std::map<std::string, std::string> tables;
  for (const char* tag : {"cvt ", "fpgm", "head", "hhea", "hmtx", "maxp", "prep"}) {
    if (!table(tag).empty()) tables[tag] = table(tag);
  }
  tables["head"].replace(50, 2, std::string{0, 1});
  tables["glyf"] = std::move(outlines);
  tables["loca"] = std::move(offsets);
  return fontFile(tables);
}

namespace {

/// The first of these files that is there and can be read.
std::optional<TrueTypeFont> firstOf(const std::vector<std::string_view>& names) {
  std::map<std::string, std::filesystem::path> found;
  for (const std::filesystem::path& folder :
       {std::filesystem::path("/usr/share/fonts"), std::filesystem::path("/usr/local/share/fonts"),
        userDataFolder() / "../fonts"}) {
    std::error_code ignored;
    for (std::filesystem::recursive_directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
      found.emplace(entry->path().filename().string(), entry->path());
    }
  }
  for (const std::string_view name : names) {
    const auto place = found.find(std::string(name));
    if (place == found.end()) continue;
    if (auto font = TrueTypeFont::read(place->second)) return std::move(*font);
  }
  return std::nullopt;
}

std::vector<std::string_view> filesOf(PrintFont font) {
  switch (font) {
    case PrintFont::regular:
      return {"LiberationSans-Regular.ttf"};
    case PrintFont::strong:
      return {"LiberationSans-Bold.ttf"};
    case PrintFont::fixed:
      return {"LiberationMono-Regular.ttf"};
    case PrintFont::chinese:
      break;
  }
  return {"wqy-microhei.ttc",      "wqy-zenhei.ttc", "DroidSansFallbackFull.ttf",
          "DroidSansFallback.ttf", "uming.ttc",      "NotoSansSC-VF.ttf"};
}

}  // namespace

Result<TrueTypeFont> findPrintFont(PrintFont font) {
  if (auto found = firstOf(filesOf(font))) return std::move(*found);
  if (font == PrintFont::chinese) {
    return fail("report", "", "has characters that no font of this machine can show in a PDF",
                "install the package fonts-wqy-microhei, or write .html");
  }
  return fail("report", "", "needs the fonts Liberation Sans and Liberation Mono for a PDF",
              "install the package fonts-liberation, or write .html");
}

}  // namespace slipstream
