// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/jpeg_images.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <jpeglib.h>

namespace slipstream::test {
namespace {

void setStyle(jpeg_compress_struct& picture, const JpegStyle& style) {
  jpeg_set_quality(&picture, style.quality, TRUE);
  if (picture.num_components == 3) {
    picture.comp_info[0].h_samp_factor = style.chromaAcross;
    picture.comp_info[0].v_samp_factor = style.chromaDown;
  }
  if (style.progressive) jpeg_simple_progression(&picture);
}

J_COLOR_SPACE spaceOf(std::int64_t channels) {
  if (channels == 1) return JCS_GRAYSCALE;
  return channels == 3 ? JCS_RGB : JCS_CMYK;
}

}  // namespace

Picture wavyPicture(std::int64_t height, std::int64_t width, std::int64_t channels, unsigned seed) {
  Picture picture{height, width, channels, {}};
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t channel = 0; channel < channels; ++channel) {
        const double wave = std::sin(0.11 * static_cast<double>(x) * (1 + 0.3 * static_cast<double>(channel)) + seed) +
                            std::cos(0.07 * static_cast<double>(y) + 1.7 * seed + static_cast<double>(channel));
        picture.values.push_back(static_cast<std::uint8_t>(127.5 + 60 * wave));
      }
    }
  }
  return picture;
}

Picture plainPicture(std::int64_t height, std::int64_t width, const std::vector<std::uint8_t>& pixel) {
  Picture picture{height, width, static_cast<std::int64_t>(pixel.size()), {}};
  for (std::int64_t i = 0; i < height * width; ++i) {
    picture.values.insert(picture.values.end(), pixel.begin(), pixel.end());
  }
  return picture;
}

std::vector<std::uint8_t> jpegOf(const Picture& picture, const JpegStyle& style) {
  jpeg_compress_struct compress{};
  jpeg_error_mgr errors{};
  compress.err = jpeg_std_error(&errors);
  jpeg_create_compress(&compress);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&compress, &bytes, &size);
  compress.image_width = static_cast<JDIMENSION>(picture.width);
  compress.image_height = static_cast<JDIMENSION>(picture.height);
  compress.input_components = static_cast<int>(picture.channels);
  compress.in_color_space = spaceOf(picture.channels);
  jpeg_set_defaults(&compress);
  setStyle(compress, style);
  jpeg_start_compress(&compress, TRUE);
  std::vector<std::uint8_t> row(static_cast<std::size_t>(picture.width * picture.channels));
  while (compress.next_scanline < compress.image_height) {
    const auto from = picture.values.begin() + static_cast<std::ptrdiff_t>(compress.next_scanline * row.size());
    std::copy_n(from, row.size(), row.begin());
    JSAMPROW line = row.data();
    jpeg_write_scanlines(&compress, &line, 1);
  }
  jpeg_finish_compress(&compress);
  jpeg_destroy_compress(&compress);
  std::vector<std::uint8_t> file(bytes, bytes + size);
  std::free(bytes);
  return file;
}

Picture decodePlainly(const std::vector<std::uint8_t>& file, int eighths) {
  jpeg_decompress_struct decompress{};
  jpeg_error_mgr errors{};
  decompress.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&decompress);
  jpeg_mem_src(&decompress, file.data(), static_cast<unsigned long>(file.size()));
  jpeg_read_header(&decompress, TRUE);
  decompress.scale_num = static_cast<unsigned>(eighths);
  decompress.scale_denom = 8;
  decompress.out_color_space = decompress.num_components == 4 ? JCS_CMYK : JCS_RGB;
  jpeg_start_decompress(&decompress);
  Picture picture{decompress.output_height, decompress.output_width, decompress.output_components, {}};
  const auto stride = static_cast<std::size_t>(picture.width * picture.channels);
  picture.values.resize(static_cast<std::size_t>(picture.height) * stride);
  while (decompress.output_scanline < decompress.output_height) {
    JSAMPROW row = picture.values.data() + decompress.output_scanline * stride;
    jpeg_read_scanlines(&decompress, &row, 1);
  }
  jpeg_finish_decompress(&decompress);
  jpeg_destroy_decompress(&decompress);
  return picture;
}

void writePicture(const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void writeImageFolder(const std::filesystem::path& folder, const std::vector<std::string>& classes, int train,
                      int evaluation) {
  unsigned number = 0;
  for (std::size_t label = 0; label < classes.size(); ++label) {
    for (int i = 0; i < train + evaluation; ++i, ++number) {
      Picture picture = wavyPicture(36 + number % 9, 50 - number % 7, 3, number);
      for (std::size_t at = label % 3; at < picture.values.size(); at += 3) {
        picture.values[at] = static_cast<std::uint8_t>(picture.values[at] / 4 + 180);
      }
      const bool trains = i < train;
      writePicture(folder / (trains ? "train" : "val") / classes[label] / (std::to_string(i) + ".jpg"),
                   jpegOf(picture));
    }
  }
}

}  // namespace slipstream::test
