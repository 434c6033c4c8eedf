// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace slipstream::test {

/// An image of 1, 3 or 4 channels (grey, RGB, CMYK), one byte a value, row by row.
struct Picture {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 3;
  std::vector<std::uint8_t> values;
};

/// Soft waves of colour: compresses well, and no two pixels near each other are far apart. Other `seed`, other waves.
Picture wavyPicture(std::int64_t height, std::int64_t width, std::int64_t channels, unsigned seed);
/// Every pixel the same.
Picture plainPicture(std::int64_t height, std::int64_t width, const std::vector<std::uint8_t>& pixel);

struct JpegStyle {
  int quality = 95;
  int chromaAcross = 2;  ///< 2: half of the chroma columns
  int chromaDown = 2;
  bool progressive = false;
};

/// The file, made by libjpeg; CMYK values are written as they are, with Adobe's marker.
std::vector<std::uint8_t> jpegOf(const Picture& picture, const JpegStyle& style = {});

/// What plain calls of libjpeg make of the whole file, scaled by eighths / 8: RGB, or CMYK where it has four channels.
Picture decodePlainly(const std::vector<std::uint8_t>& file, int eighths = 8);

void writePicture(const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes);

/// FOLDER/train/CLASS/N.jpg and FOLDER/val/CLASS/N.jpg: wavy images of about 40 x 50 pixels, each class with a colour
/// of its own.
void writeImageFolder(const std::filesystem::path& folder, const std::vector<std::string>& classes, int train,
                      int evaluation);

}  // namespace slipstream::test
