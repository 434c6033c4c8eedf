// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/tensor_parts.h"

#include <algorithm>

#include "engine/base/hash.h"

namespace slipstream {

constexpr auto partBytes = static_cast<std::size_t>(checkpointPartBytes);

std::int64_t partCount(std::size_t bytes) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>((bytes + partBytes - 1) / partBytes));
}

wire::TensorPart tensorPart(const std::string& hash, std::span<const std::byte> tensor, std::int64_t index) {
  const std::size_t from = static_cast<std::size_t>(index) * partBytes;
  const auto piece = tensor.subspan(from, std::min(partBytes, tensor.size() - from));
  // Texts are bytes: char may alias them.
  std::string bytes(reinterpret_cast<const char*>(piece.data()), piece.size());
  return {hash, index, crc32c(piece), index + 1 == partCount(tensor.size()), std::move(bytes)};
}

}  // namespace slipstream
