// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "engine/base/failure.h"

namespace slipstream {

/// A file that is written piece by piece under a temporary name beside its place, and takes the place at commit():
/// whenever the program ends, the place holds the old file or the whole new one, which the same people may read. Behind
/// a link it is the file that is replaced, but no link that another user has put into a folder of everybody's. A device
/// or a pipe is written to as it is.
class ReplacingFile {
 public:
  static Result<std::unique_ptr<ReplacingFile>> create(const std::filesystem::path& path);
  /// Without commit() nothing is left behind.
  ~ReplacingFile();
  ReplacingFile(const ReplacingFile&) = delete;
  ReplacingFile& operator=(const ReplacingFile&) = delete;

  Status write(std::span<const std::byte> bytes);
  /// Syncs and renames.
  Status commit();

 private:
  ReplacingFile(std::filesystem::path place, std::string temporary, int file);
  tl::unexpected<Failures> problem() const;
  void keepPermissions();

  std::filesystem::path place_;
  std::string temporary_;  ///< empty: the place itself is written to
  int file_ = -1;
};

}  // namespace slipstream
