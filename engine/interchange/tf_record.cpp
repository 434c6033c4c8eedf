// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/tf_record.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "engine/base/byte_codec.h"
#include "engine/base/hash.h"

namespace slipstream {
namespace {

constexpr std::int64_t recordLengthBytes = 8;
constexpr std::int64_t recordSumBytes = 4;
constexpr std::int64_t recordsReadAhead = 1 << 20;

/// Sums of bytes that hold sums themselves would say little.
std::uint32_t maskedSum(std::span<const std::byte> bytes) {
  constexpr std::uint32_t mask = 0xA282EAD8;
  const std::uint32_t sum = crc32c(bytes);
  return ((sum >> 15) | (sum << 17)) + mask;
}

template <class T>
T numberAt(std::span<const std::byte> bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

}  // namespace

void addRecord(std::string& file, std::string_view record) {
  const auto bytes = std::as_bytes(std::span(record.data(), record.size()));
  const auto length = static_cast<std::uint64_t>(record.size());
  ByteWriter writer(file);
  writer.number(length);
  writer.number(maskedSum(std::as_bytes(std::span(&length, 1))));
  file += record;
  writer.number(maskedSum(bytes));
}

/// Reads ahead, since most records are short.
Result<std::span<const std::byte>> RecordReader::bytesAt(std::int64_t offset, std::int64_t count) {
  const std::int64_t bufferEnd = bufferStart_ + static_cast<std::int64_t>(buffer_.size());
  if (offset < bufferStart_ || offset + count > bufferEnd) {
    const std::int64_t wanted = std::min(std::max(count, recordsReadAhead), file_.size() - offset);
    buffer_.resize(static_cast<std::size_t>(wanted));
    bufferStart_ = offset;
    SLIPSTREAM_CHECK(file_.read(offset, buffer_));
  }
  return std::span<const std::byte>(buffer_).subspan(static_cast<std::size_t>(offset - bufferStart_),
                                                     static_cast<std::size_t>(count));
}

std::optional<std::span<const std::byte>> RecordReader::stopAt(std::int64_t offset, std::string problem) {
  damage_ = RecordDamage{offset, std::move(problem)};
  return std::nullopt;
}

Result<std::optional<std::span<const std::byte>>> RecordReader::next() {
  using Nothing = std::optional<std::span<const std::byte>>;
  const std::int64_t begin = position_;
  const std::int64_t rest = file_.size() - begin;
  if (damage_ || rest == 0) return Nothing();
  if (rest < recordLengthBytes + 2 * recordSumBytes)
    return stopAt(begin, fmt::format("the record is cut off after {} bytes", rest));
  SLIPSTREAM_TRY(head, bytesAt(begin, recordLengthBytes + recordSumBytes));
  if (maskedSum(head.first(recordLengthBytes)) != numberAt<std::uint32_t>(head, recordLengthBytes)) {
    return stopAt(begin, "the checksum of the record's length is wrong");
  }
  const auto length = numberAt<std::uint64_t>(head, 0);
  const std::int64_t left = rest - recordLengthBytes - 2 * recordSumBytes;
  if (length > static_cast<std::uint64_t>(left)) {
    return stopAt(begin, fmt::format("the record of {} bytes is cut off after {}", length, left + recordSumBytes));
  }
  const auto count = static_cast<std::int64_t>(length);
  recordOffset_ = begin + recordLengthBytes + recordSumBytes;
  SLIPSTREAM_TRY(body, bytesAt(recordOffset_, count + recordSumBytes));
  const auto record = body.first(static_cast<std::size_t>(count));
  if (maskedSum(record) != numberAt<std::uint32_t>(body, static_cast<std::size_t>(count))) {
    return stopAt(begin, "the checksum of the record is wrong");
  }
  position_ = recordOffset_ + count + recordSumBytes;
  return Nothing(record);
}

}  // namespace slipstream
