// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/replacing_file.h"
#include "engine/interchange/tensor_source.h"

namespace slipstream {

/// The most bytes of one tensor in one message, as MindSpore writes them.
inline constexpr std::int64_t ckptChunkBytes = std::int64_t{512} << 20;

/// Writes a MindSpore checkpoint, tensor after tensor, one message a chunk; what readCkptContents reads. One tensor is
/// in memory at a time. The file is whole or not there.
class CkptWriter {
 public:
  /// `withCrc`: ends with a CRC-32 of everything before it.
  static Result<CkptWriter> create(const std::filesystem::path& path, bool withCrc);

  /// `bytes`: all of the tensor's. Fails for a type that MindSpore has no name for.
  Status add(const TensorEntry& entry, std::span<const std::byte> bytes, std::int64_t chunkBytes = ckptChunkBytes);
  Status commit();

 private:
  CkptWriter(std::unique_ptr<ReplacingFile> file, std::filesystem::path path, bool withCrc);
  Status write(std::span<const std::byte> bytes);

  std::unique_ptr<ReplacingFile> file_;
  std::filesystem::path path_;
  bool withCrc_;
  std::uint32_t crc_ = 0;
};

}  // namespace slipstream
