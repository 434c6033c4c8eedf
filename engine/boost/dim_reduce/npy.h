#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/failure.h"
#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// A matrix of fp32 or fp64 in numpy's file format (NEP 1, versions 1 to 3), row after row or column after column,
/// read in parts.
class NpyMatrix {
 public:
  /// Fails, naming the file, where it is none, holds another type or number of dimensions, or is cut short.
  static Result<NpyMatrix> open(const std::filesystem::path& path);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  /// [count, part.size()]: the columns `part` of the first `count` rows, row after row, rounded to fp32. Throws Error
  /// where the file cannot be read.
  void read(std::int64_t count, Range part, std::span<float> values);

 private:
  NpyMatrix() = default;
  Status readHeader(const std::filesystem::path& path);
  /// `values.size()` values from the one at `index` of the file on.
  void readValues(std::int64_t index, std::span<double> values);

  std::filesystem::path path_;
  std::ifstream file_;
  std::int64_t start_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  bool byColumns_ = false;
  std::int64_t valueBytes_ = 4;
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
