// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/interchange/file_contents.h"

namespace slipstream {

/// The trailer of a checkpoint with a checksum: this word, then the CRC-32 (zlib's) of everything before it as a number
/// of 10 bytes, the most significant first.
inline constexpr std::string_view crcWord = "crc_num";
inline constexpr std::int64_t crcNumberBytes = 10;
inline constexpr std::int64_t crcTrailerBytes = 17;

/// Walks over a MindSpore checkpoint: a row of protobuf messages Checkpoint{value=1: Value{tag=1, tensor=2:
/// TensorProto{dims=1, tensor_type=2, tensor_content=3}}}. Neighbouring values of one tag, type and shape are the
/// chunks of one tensor. A scalar is written with no dimensions or with the one dimension 0. No value is read, so files
/// may be larger than memory. Fails, naming the byte, where the file is another one, cut short or contradicts itself.
Result<FileContents> readCkptContents(const FileBytes& file);

}  // namespace slipstream
