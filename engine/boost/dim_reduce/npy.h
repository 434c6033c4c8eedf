// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/base/failure.h"

namespace slipstream {

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
