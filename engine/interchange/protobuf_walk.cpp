// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/protobuf_walk.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "engine/base/characters.h"

namespace slipstream {

tl::unexpected<Failures> ProtobufWalk::damage(const std::string& problem) const {
  return fail(fmt::format("{}: byte {}", path_->string(), position_), "", problem, remedy_);
}

Status ProtobufWalk::read(const Extent& extent, std::span<std::byte> bytes) const {
  if (file_ != nullptr) return file_->read(extent.offset, bytes);
  std::memcpy(bytes.data(), memory_.data() + (extent.offset - memoryStart_), bytes.size());
  return {};
}

Result<std::uint8_t> ProtobufWalk::byte() {
  if (position_ >= end_) return damage("the file is cut short inside a number");
  if (file_ == nullptr) {
    return std::to_integer<std::uint8_t>(memory_[static_cast<std::size_t>(position_++ - memoryStart_)]);
  }
  if (position_ < bufferStart_ || position_ >= bufferEnd_) {
    const std::int64_t count = std::min(bufferBytes, end_ - position_);
    SLIPSTREAM_CHECK(file_->read(position_, std::span(buffer_).first(static_cast<std::size_t>(count))));
    bufferStart_ = position_;
    bufferEnd_ = position_ + count;
  }
  return std::to_integer<std::uint8_t>(buffer_[static_cast<std::size_t>(position_++ - bufferStart_)]);
}

Result<std::uint64_t> ProtobufWalk::varint() {
  constexpr int bitsPerByte = 7;
  constexpr int bits = 64;
  std::uint64_t value = 0;
  for (int shift = 0; shift < bits; shift += bitsPerByte) {
    SLIPSTREAM_TRY(next, byte());
    const std::uint64_t part = next & 0x7FU;
    if (shift + bitsPerByte > bits && part > 1) return damage("a number has more than 64 bits");
    value |= part << shift;
    if ((next & 0x80U) == 0) return value;
  }
  return damage("a number has more than 64 bits");
}

template <class T>
Result<T> ProtobufWalk::fixed() {
  if (rest() < static_cast<std::int64_t>(sizeof(T))) return damage("the file is cut short inside a number");
  T value{};
  SLIPSTREAM_CHECK(read({position_, sizeof(T)}, std::as_writable_bytes(std::span(&value, 1))));
  position_ += static_cast<std::int64_t>(sizeof(T));
  return value;
}

Result<double> ProtobufWalk::float64() {
  return fixed<double>();
}

Result<float> ProtobufWalk::float32() {
  return fixed<float>();
}

Result<WireKey> ProtobufWalk::key() {
  SLIPSTREAM_TRY(value, varint());
  return WireKey{value >> 3, static_cast<int>(value & 7U)};
}

Result<Extent> ProtobufWalk::bytes() {
  SLIPSTREAM_TRY(length, varint());
  if (length > static_cast<std::uint64_t>(rest())) {
    return damage(fmt::format("{} bytes should follow, but {} are left: the file is cut short", length, rest()));
  }
  const Extent extent{position_, static_cast<std::int64_t>(length)};
  position_ += extent.bytes;
  return extent;
}

Result<ProtobufWalk> ProtobufWalk::message() {
  SLIPSTREAM_TRY(extent, bytes());
  ProtobufWalk inner = *this;
  inner.position_ = extent.offset;
  inner.end_ = extent.offset + extent.bytes;
  return inner;
}

Result<std::string> ProtobufWalk::text(std::int64_t longest) {
  SLIPSTREAM_TRY(extent, bytes());
  if (extent.bytes > longest) return damage(fmt::format("a name has {} bytes, more than {}", extent.bytes, longest));
  std::string text(static_cast<std::size_t>(extent.bytes), ' ');
  SLIPSTREAM_CHECK(read(extent, std::as_writable_bytes(std::span(text.data(), text.size()))));
  if (!isUtf8(text)) return damage("a name is not UTF-8");
  return text;
}

Status ProtobufWalk::skip(const WireKey& key) {
  if (key.field == 0) return damage("a field has the number 0");
  if (key.type == wireVarint) {
    SLIPSTREAM_TRY(value, varint());
    static_cast<void>(value);
    return {};
  }
  if (key.type == wireBytes) {
    SLIPSTREAM_TRY(extent, bytes());
    static_cast<void>(extent);
    return {};
  }
  if (key.type != wire64Bits && key.type != wire32Bits) return damage("a field has no known kind");
  const std::int64_t count = key.type == wire64Bits ? 8 : 4;
  if (count > rest()) return damage("the file is cut short inside a number");
  position_ += count;
  return {};
}

}  // namespace slipstream
