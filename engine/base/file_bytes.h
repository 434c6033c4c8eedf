// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/base/failure.h"

namespace slipstream {

/// A regular file, read at any place. Its size is taken once.
class FileBytes {
 public:
  /// Fails where it cannot be read, and for folders, devices and pipes, of which some never end.
  static Result<FileBytes> open(const std::filesystem::path& path);
  ~FileBytes();
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }
  /// Fails where the file has become shorter than it was.
  Status read(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  FileBytes(std::filesystem::path path, int file, std::int64_t size);

  std::filesystem::path path_;
  int file_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace slipstream
