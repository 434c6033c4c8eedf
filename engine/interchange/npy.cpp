// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/npy.h"

#include <string>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/file_bytes.h"
#include "engine/interchange/npy_header.h"

namespace slipstream {
namespace {

/// A header of two numbers and a type is shorter.
constexpr std::int64_t longestMatrixHeader = 4096;

/// Held against the size of the file.
Result<NpyMatrixHeader> matrixOf(const FileBytes& file, const NpyHeader& header) {
  const std::string place = file.path().string();
  if (header.start > longestMatrixHeader) return fail(place, "", "is no .npy file", "write it with numpy.save");
  if (header.type != ArrayType::f32 && header.type != ArrayType::f64) {
    return fail(place, printable(header.typeText), "holds no fp32 or fp64 values",
                "save it as float32 in little-endian order");
  }
  if (header.shape.size() != 2) {
    return fail(place, tupleText(header.shape), "is no matrix", "save an array of shape (components, weights)");
  }
  const NpyMatrixHeader matrix{header.shape[0], header.shape[1], header.start, bytesOf(*header.type), header.byColumns};
  const std::int64_t values = (file.size() - matrix.start) / matrix.valueBytes;
  if (matrix.columns == 0 || values / matrix.columns >= matrix.rows) return matrix;
  return fail(place, fmt::format("{} bytes", file.size()),
              fmt::format("is cut short: its header promises {} x {} values", matrix.rows, matrix.columns),
              "save it again");
}

}  // namespace

Result<NpyMatrixHeader> readNpyMatrixHeader(const std::filesystem::path& path) {
  SLIPSTREAM_TRY(file, FileBytes::open(path));
  std::int64_t at = 0;
  const auto next = [&](std::span<std::byte> bytes) -> Status {
    SLIPSTREAM_CHECK(file.read(at, bytes));
    at += std::ssize(bytes);
    return {};
  };
  SLIPSTREAM_TRY(header, readNpyHeader(path.string(), file.size(), next));
  return matrixOf(file, header);
}

}  // namespace slipstream
