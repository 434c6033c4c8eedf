// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/png_images.h"

#include <stdexcept>

#include <png.h>
#include <zlib.h>

namespace slipstream::test {
namespace {

void append(png_structp png, png_bytep bytes, png_size_t count) {
  auto* file = static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(png));
  file->insert(file->end(), bytes, bytes + count);
}

int typeOfColour(const Picture& picture, const PngStyle& style) {
  if (!style.palette.empty()) return PNG_COLOR_TYPE_PALETTE;
  const bool colour = picture.channels >= 3;
  if (style.alpha) return colour ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_GRAY_ALPHA;
  return colour ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY;
}

void setPalette(png_structp png, png_infop info, const PngStyle& style) {
  std::vector<png_color> colours;
  for (const auto& [red, green, blue] : style.palette) colours.push_back({red, green, blue});
  png_set_PLTE(png, info, colours.data(), static_cast<int>(colours.size()));
  png_byte clear = 0;
  if (style.transparentEntry) png_set_tRNS(png, info, &clear, 1, nullptr);
}

std::uint32_t bigEndianAt(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  return (std::uint32_t{bytes[at]} << 24) | (std::uint32_t{bytes[at + 1]} << 16) | (std::uint32_t{bytes[at + 2]} << 8) |
         bytes[at + 3];
}

}  // namespace

std::vector<std::uint8_t> pngOf(const Picture& picture, const PngStyle& style) {
  std::vector<std::uint8_t> file;
  // What libpng refuses here ends the test: its own handling writes to stderr and aborts.
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &file, append, nullptr);
  png_set_compression_level(png, style.level);
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height), style.bits,
               typeOfColour(picture, style), style.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!style.palette.empty()) setPalette(png, info, style);
  png_write_info(png, info);
  if (style.bits < 8) png_set_packing(png);
  std::vector<std::uint8_t> values = picture.values;
  const auto stride = static_cast<std::size_t>(picture.width * picture.channels * (style.bits == 16 ? 2 : 1));
  if (values.size() != stride * static_cast<std::size_t>(picture.height)) throw std::runtime_error("not its size");
  std::vector<png_bytep> rows;
  for (std::size_t at = 0; at < values.size(); at += stride) rows.push_back(values.data() + at);
  png_write_image(png, rows.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return file;
}

void repairChecksums(std::vector<std::uint8_t>& file) {
  constexpr std::size_t signatureBytes = 8, lengthBytes = 4, nameBytes = 4, crcBytes = 4;
  for (std::size_t at = signatureBytes; at + lengthBytes + nameBytes + crcBytes <= file.size();) {
    const std::size_t length = bigEndianAt(file, at);
    if (length > file.size() - at - lengthBytes - nameBytes - crcBytes) return;
    const std::size_t begin = at + lengthBytes;
    const auto crc = crc32(0, file.data() + begin, static_cast<uInt>(nameBytes + length));
    at = begin + nameBytes + length;
    for (int shift : {24, 16, 8, 0}) file[at++] = static_cast<std::uint8_t>(crc >> shift);
  }
}

}  // namespace slipstream::test
