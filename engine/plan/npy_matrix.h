// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fstream>
#include <span>

#include "engine/plan/npy_header.h"

namespace slipstream {

/// A matrix in numpy's file format, read in parts.
class NpyMatrix {
 public:
  /// Fails as readNpyHeader does.
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
  NpyHeader header_;
};

}  // namespace slipstream
