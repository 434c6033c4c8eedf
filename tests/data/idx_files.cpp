// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/data/idx_files.h"

#include <fstream>
#include <stdexcept>

#include <zlib.h>

namespace slipstream::test {

Bytes idxBytes(const std::vector<std::uint32_t>& sizes, const Bytes& content) {
  Bytes bytes{0, 0, 8, static_cast<std::uint8_t>(sizes.size())};
  for (const auto size : sizes) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(size >> shift));
  }
  bytes.insert(bytes.end(), content.begin(), content.end());
  return bytes;
}

Bytes pictureFile(std::uint32_t count) {
  Bytes pixels(std::size_t{count} * 28 * 28);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i % 251);
  return idxBytes({count, 28, 28}, pixels);
}

Bytes labelFile(std::uint32_t count) {
  Bytes labels(count);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::uint8_t>(i % 10);
  return idxBytes({count}, labels);
}

void writeBytes(const std::filesystem::path& file, const Bytes& bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
}

void writeCompressed(const std::filesystem::path& file, const Bytes& bytes) {
  std::filesystem::create_directories(file.parent_path());
  gzFile out = gzopen(file.c_str(), "wb");
  const int written = gzwrite(out, bytes.data(), static_cast<unsigned int>(bytes.size()));
  gzclose(out);
  if (written != std::ssize(bytes)) throw std::runtime_error("could not write " + file.string());
}

}  // namespace slipstream::test
