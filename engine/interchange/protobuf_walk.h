// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engine/interchange/file_contents.h"

namespace slipstream {

/// One key of protobuf's wire format.
struct WireKey {
  std::uint64_t field = 0;
  int type = 0;
};
inline constexpr int wireVarint = 0;
inline constexpr int wireBytes = 2;

/// Walks over a range of a file in protobuf's wire format (protobuf.dev, "Encoding"), without reading what it skips:
/// the files have gigabytes of values, more than the library parses as one message, and the three messages in them have
/// seven fields. Every length is held against the range before anything is done with it.
class ProtobufWalk {
 public:
  ProtobufWalk(const FileBytes& file, Extent range)
      : file_(&file), position_(range.offset), end_(range.offset + range.bytes) {}

  std::int64_t position() const { return position_; }
  std::int64_t rest() const { return end_ - position_; }

  Result<WireKey> key();
  Result<std::uint64_t> varint();
  /// The length of a field of bytes and where they are; the walk goes on behind them.
  Result<Extent> bytes();
  /// The same as UTF-8 text of at most `longest` bytes.
  Result<std::string> text(std::int64_t longest);
  /// A field that nobody asked for.
  Status skip(const WireKey& key);

  /// Names the file and the place in it.
  tl::unexpected<Failures> damage(const std::string& problem) const;

 private:
  Result<std::uint8_t> byte();

  static constexpr std::int64_t bufferBytes = 256;
  const FileBytes* file_;
  std::int64_t position_;
  std::int64_t end_;
  std::array<std::byte, bufferBytes> buffer_{};
  std::int64_t bufferStart_ = 0;
  std::int64_t bufferEnd_ = 0;
};

}  // namespace slipstream
