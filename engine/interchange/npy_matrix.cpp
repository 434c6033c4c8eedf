// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/interchange/npy.h"

namespace slipstream {

Result<NpyMatrix> NpyMatrix::open(const std::filesystem::path& path) {
  NpyMatrix matrix;
  SLIPSTREAM_TRY(header, readNpyMatrixHeader(path));
  matrix.path_ = path;
  matrix.header_ = header;
  matrix.file_.open(path, std::ios::binary);
  return matrix;
}

void NpyMatrix::readValues(std::int64_t index, std::span<float> values) {
  if (values.empty()) return;  // a matrix of no columns has no memory to copy to
  const auto width = static_cast<std::size_t>(header_.valueBytes);
  std::vector<char> bytes(values.size() * width);
  file_.seekg(header_.start + index * header_.valueBytes);
  if (!file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    throw Error(fmt::format("{} cannot be read any more", path_.string()));
  }
  if (width == sizeof(float)) {
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    double value = 0;
    std::memcpy(&value, bytes.data() + i * width, sizeof(value));
    values[i] = static_cast<float>(value);
  }
}

void NpyMatrix::read(std::int64_t count, std::int64_t firstColumn, std::int64_t endColumn, std::span<float> values) {
  const auto width = static_cast<std::size_t>(endColumn - firstColumn);
  if (!header_.byColumns) {
    for (std::int64_t row = 0; row < count; ++row) {
      readValues(row * header_.columns + firstColumn, values.subspan(static_cast<std::size_t>(row) * width, width));
    }
    return;
  }
  std::vector<float> column(static_cast<std::size_t>(count));
  for (std::size_t at = 0; at < width; ++at) {
    readValues((firstColumn + static_cast<std::int64_t>(at)) * header_.rows, column);
    for (std::size_t row = 0; row < column.size(); ++row) values[row * width + at] = column[row];
  }
}

}  // namespace slipstream
