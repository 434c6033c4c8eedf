// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "engine/interchange/file_contents.h"

namespace slipstream {

/// One key of protobuf's wire format.
struct WireKey {
  std::uint64_t field = 0;
  int type = 0;
};
inline constexpr int wireVarint = 0;
inline constexpr int wire64Bits = 1;
inline constexpr int wireBytes = 2;
inline constexpr int wire32Bits = 5;

/// Walks over a range of a file in protobuf's wire format (protobuf.dev, "Encoding"), without reading what it skips:
/// the files have gigabytes of values, more than the library parses as one message, and the messages in them have few
/// fields. Every length is held against the range before anything is done with it.
class ProtobufWalk {
 public:
  /// `remedy` is what damage() says to do, and outlives the walk.
  ProtobufWalk(const FileBytes& file, Extent range, const char* remedy)
      : file_(&file), path_(&file.path()), remedy_(remedy), position_(range.offset), end_(range.offset + range.bytes) {}
  /// Over bytes that were read already, which outlive the walk; they are at `offset` of the file `path`.
  ProtobufWalk(std::span<const std::byte> bytes, std::int64_t offset, const std::filesystem::path& path,
               const char* remedy)
      : memory_(bytes),
        memoryStart_(offset),
        path_(&path),
        remedy_(remedy),
        position_(offset),
        end_(offset + static_cast<std::int64_t>(bytes.size())) {}

  std::int64_t position() const { return position_; }
  std::int64_t rest() const { return end_ - position_; }

  Result<WireKey> key();
  Result<std::uint64_t> varint();
  Result<double> float64();
  Result<float> float32();
  /// The length of a field of bytes and where they are; the walk goes on behind them.
  Result<Extent> bytes();
  /// The same as a walk of its own.
  Result<ProtobufWalk> message();
  /// The same as UTF-8 text of at most `longest` bytes.
  Result<std::string> text(std::int64_t longest);
  /// A field that nobody asked for.
  Status skip(const WireKey& key);
  /// Bytes of the range.
  Status read(const Extent& extent, std::span<std::byte> bytes) const;

  /// Names the file and the place in it.
  tl::unexpected<Failures> damage(const std::string& problem) const;

 private:
  Result<std::uint8_t> byte();
  template <class T>
  Result<T> fixed();

  static constexpr std::int64_t bufferBytes = 256;
  const FileBytes* file_ = nullptr;  ///< null: the bytes are in memory_
  std::span<const std::byte> memory_;
  std::int64_t memoryStart_ = 0;
  const std::filesystem::path* path_;
  const char* remedy_;
  std::int64_t position_;
  std::int64_t end_;
  std::array<std::byte, bufferBytes> buffer_{};
  std::int64_t bufferStart_ = 0;
  std::int64_t bufferEnd_ = 0;
};

}  // namespace slipstream
