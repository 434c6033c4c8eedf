// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/data_files.h"

#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <zlib.h>

namespace slipstream::test {

std::string idxOf(const std::vector<unsigned>& sizes) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
  std::size_t items = 1;
  for (const unsigned size : sizes) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(size >> shift);
    items *= size;
  }
  return bytes + std::string(items, '\1');
}

std::string cifarOf(int records) {
  constexpr std::size_t planes = 3 * 32 * 32;
  std::string bytes;
  for (int record = 0; record < records; ++record) {
    bytes += static_cast<char>(record % 10);
    bytes += std::string(planes, static_cast<char>(record));
  }
  return bytes;
}

std::string npyOf(int rows, int columns) {
  constexpr std::size_t headEnd = 128;
  std::string head = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  head.resize(headEnd - 10 - 1, ' ');
  std::string bytes = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head + "\n";
  const auto width = static_cast<std::size_t>(columns);
  std::vector<float> values(static_cast<std::size_t>(rows) * width);
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) values[row * width + row % width] = 1;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return bytes;
}

std::string compressed(std::string bytes) {
  z_stream stream{};
  constexpr int withGzipHead = 15 + 16;
  constexpr int usualMemory = 8;
  if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, withGzipHead, usualMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib cannot be used");
  }
  std::string packed(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

}  // namespace slipstream::test
