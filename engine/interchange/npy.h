// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>

#include "engine/base/failure.h"

namespace slipstream {

/// A matrix of fp32 or fp64 in numpy's file format.
struct NpyMatrixHeader {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t start = 0;       ///< of the first value, in bytes
  std::int64_t valueBytes = 4;  ///< 8: fp64
  bool byColumns = false;       ///< values are stored column by column
};

/// Fails, naming the file, where it is none, holds another type or number of dimensions, or is cut short.
Result<NpyMatrixHeader> readNpyMatrixHeader(const std::filesystem::path& path);

/// A matrix in numpy's file format, read in parts.
class NpyMatrix {
 public:
  /// Fails as readNpyMatrixHeader does.
  static Result<NpyMatrix> open(const std::filesystem::path& path);

  std::int64_t rows() const { return header_.rows; }
  std::int64_t columns() const { return header_.columns; }
  /// [count, endColumn - firstColumn]: these columns of the first `count` rows, row after row, rounded to fp32. Throws
  /// Error where the file cannot be read.
  void read(std::int64_t count, std::int64_t firstColumn, std::int64_t endColumn, std::span<float> values);

 private:
  NpyMatrix() = default;
  /// `values.size()` values from the one at `index` of the file on.
  void readValues(std::int64_t index, std::span<float> values);

  std::filesystem::path path_;
  std::ifstream file_;
  NpyMatrixHeader header_;
};

/// Writes an fp32 matrix, row after row, in parts of rows. Until commit() it has a temporary name; the file is whole
/// or not there.
class NpyWriter {
 public:
  static Result<std::unique_ptr<NpyWriter>> create(const std::filesystem::path& path, std::int64_t rows,
                                                   std::int64_t columns);
  ~NpyWriter();
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  Status write(std::int64_t row, std::int64_t column, std::span<const float> values);
  Status commit();

 private:
  NpyWriter(std::filesystem::path path, std::int64_t columns);
  tl::unexpected<Failures> problem() const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::int64_t columns_;
  std::int64_t start_ = 0;
  int file_ = -1;
};

}  // namespace slipstream
