// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/file_bytes.h"
#include "engine/interchange/tensor_source.h"

namespace slipstream {

/// Bytes of a file.
struct Extent {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

/// A tensor of a file, and where its bytes are: in one piece, or in the chunks of a long one.
struct StoredTensor {
  TensorEntry entry;
  std::vector<Extent> pieces;
  std::int64_t bytes = 0;
};

enum class FileFormat { ckpt, safetensors };

/// What a file of tensors says about itself; no value is read for it.
struct FileContents {
  FileFormat format = FileFormat::ckpt;
  std::vector<StoredTensor> tensors;            ///< in the order of the file; names are unique
  std::map<std::string, std::string> metadata;  ///< safetensors only
  std::optional<std::uint32_t> crc;             ///< ckpt: of the trailer, of everything before it
};

/// More than any network has: what a file of hostile headers can make its reader keep stays small.
inline constexpr std::size_t mostTensors = 100'000;
inline constexpr std::size_t mostDimensions = 32;
inline constexpr std::int64_t longestName = 1 << 16;

/// Values of a shape; nothing where a size is negative, or they would be more than `most`.
std::optional<std::int64_t> elementsOf(const std::vector<std::int64_t>& shape, std::int64_t most);

/// A name that two tensors share.
std::optional<std::string> repeatedName(const std::vector<StoredTensor>& tensors);

}  // namespace slipstream
