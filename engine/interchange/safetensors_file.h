// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/interchange/file_contents.h"

namespace slipstream {

/// The longest header, as the format's own reader has it.
inline constexpr std::int64_t longestSafetensorsHeader = 100'000'000;

/// Whether a file begins like one: 8 bytes of a length that fits, then an opening bracket.
Result<bool> looksLikeSafetensors(const FileBytes& file);

/// The tensors of a safetensors file (8 bytes of header length, a JSON header, the bytes). As the format demands,
/// tensors fill what follows the header without gaps and without sharing a byte; the file is refused otherwise.
Result<FileContents> readSafetensorsContents(const FileBytes& file);

/// The bytes of one of the tensors that are written.
using ReadTensor = std::function<Result<std::vector<std::byte>>(std::size_t index)>;

/// Writes `tensors` in their order, one in memory at a time. The file is whole or not there. Throws Error where a
/// tensor has another number of bytes than its shape says.
Status writeSafetensors(const std::filesystem::path& path, const std::vector<TensorEntry>& tensors,
                        const std::map<std::string, std::string>& metadata, const ReadTensor& read);

}  // namespace slipstream
