// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/series_chunk.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "engine/base/byte_codec.h"
#include "engine/base/error.h"
#include "engine/base/hash.h"

namespace slipstream {
namespace {

constexpr std::uint8_t chunkVersion = 1;

// A column of whole numbers is stored as its first value, the smallest difference between neighbours (8 bytes each),
// the width of a difference (1) and the differences less the smallest: nothing for a constant stride, else 2, 4 or 8
// bytes each. Differences wrap around, so that every column can be stored.
std::uint8_t widthFor(std::uint64_t range) {
  if (range == 0) return 0;
  if (range <= 0xFFFF) return 2;
  return range <= 0xFFFF'FFFF ? 4 : 8;
}

template <class T>
void appendNarrow(const std::vector<std::uint64_t>& values, ByteWriter& writer) {
  std::vector<T> narrow(values.size());
  std::transform(values.begin(), values.end(), narrow.begin(),
                 [](std::uint64_t value) { return static_cast<T>(value); });
  writer.array(narrow.data(), narrow.size());
}

void appendColumn(const std::int64_t* values, std::size_t count, ByteWriter& writer) {
  if (count == 0) return;
  std::vector<std::uint64_t> differences(count - 1);
  for (std::size_t i = 1; i < count; ++i) {
    differences[i - 1] = static_cast<std::uint64_t>(values[i]) - static_cast<std::uint64_t>(values[i - 1]);
  }
  const auto asSigned = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  };
  const auto lowest = std::min_element(differences.begin(), differences.end(), asSigned);
  const std::uint64_t smallest = lowest == differences.end() ? 0 : *lowest;
  std::uint64_t range = 0;
  for (std::uint64_t& difference : differences) range = std::max(range, difference -= smallest);
  const std::uint8_t width = widthFor(range);
  writer.number(values[0]);
  writer.number(smallest);
  writer.number(width);
  if (width == 2) appendNarrow<std::uint16_t>(differences, writer);
  if (width == 4) appendNarrow<std::uint32_t>(differences, writer);
  if (width == 8) writer.array(differences.data(), differences.size());
}

template <class T>
bool addNarrow(ByteReader& reader, std::uint64_t value, std::uint64_t smallest, std::int64_t* values,
               std::size_t count) {
  T differences[largestChunk];
  if (!reader.array(differences, count - 1)) return false;
  for (std::size_t i = 1; i < count; ++i) {
    value += smallest + differences[i - 1];
    values[i] = static_cast<std::int64_t>(value);
  }
  return true;
}

bool readColumn(ByteReader& reader, std::int64_t* values, std::size_t count) {
  if (count == 0) return true;
  values[0] = reader.number<std::int64_t>();
  const auto smallest = reader.number<std::uint64_t>();
  const auto first = static_cast<std::uint64_t>(values[0]);
  switch (reader.number<std::uint8_t>()) {
    case 0:
      for (std::size_t i = 1; i < count; ++i) values[i] = static_cast<std::int64_t>(first + i * smallest);
      return reader.good();
    case 2:
      return addNarrow<std::uint16_t>(reader, first, smallest, values, count);
    case 4:
      return addNarrow<std::uint32_t>(reader, first, smallest, values, count);
    case 8:
      return addNarrow<std::uint64_t>(reader, first, smallest, values, count);
    default:
      return false;
  }
}

/// NaNs differ in their bits; only those that survive the way to single precision and back count as exact.
bool exactInSinglePrecision(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [](double value) {
    const double back = static_cast<double>(static_cast<float>(value));
    return std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(value);
  });
}

std::uint32_t checksum(std::string_view bytes) {
  return crc32c(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

[[noreturn]] void damaged() {
  throw StoreDamaged("a chunk of a metric series is damaged; 'slipstream store verify' tells how far");
}

void readValues(ByteReader& reader, bool single, double* values, std::size_t count) {
  if (!single) {
    if (!reader.array(values, count)) damaged();
    return;
  }
  float narrow[largestChunk];
  if (!reader.array(narrow, count)) damaged();
  std::copy(narrow, narrow + count, values);
}

}  // namespace

// Stored form: CRC-32C of the rest (4 bytes), version (1), whether values are single (1), samples (4), values, the
// column of steps, the column of wall times.
std::string encodeChunk(const Series& series, std::size_t first, std::size_t count) {
  const double* values = series.values.data() + first;
  const bool single = exactInSinglePrecision(values, count);
  std::string bytes(sizeof(std::uint32_t), '\0');
  bytes.reserve(64 + count * (sizeof(double) + 2 * sizeof(std::uint64_t)));
  ByteWriter writer(bytes);
  writer.number(chunkVersion);
  writer.number(static_cast<std::uint8_t>(single));
  writer.number(static_cast<std::uint32_t>(count));
  if (single) {
    std::vector<float> narrow(count);
    std::transform(values, values + count, narrow.begin(), [](double value) { return static_cast<float>(value); });
    writer.array(narrow.data(), count);
  } else {
    writer.array(values, count);
  }
  appendColumn(series.steps.data() + first, count, writer);
  appendColumn(series.wallNanoseconds.data() + first, count, writer);
  const std::uint32_t sum = checksum(std::string_view(bytes).substr(sizeof(std::uint32_t)));
  std::memcpy(bytes.data(), &sum, sizeof(sum));
  return bytes;
}

std::optional<std::int64_t> firstStepOf(std::string_view bytes) {
  ByteReader reader(bytes);
  reader.number<std::uint32_t>();
  if (reader.number<std::uint8_t>() != chunkVersion) return std::nullopt;
  const std::size_t size = reader.number<std::uint8_t>() != 0 ? sizeof(float) : sizeof(double);
  const std::size_t count = reader.number<std::uint32_t>();
  if (count == 0 || count > largestChunk || !reader.holds(count, size)) return std::nullopt;
  reader.text(count * size);
  const auto step = reader.number<std::int64_t>();
  return reader.good() ? std::optional(step) : std::nullopt;
}

void decodeChunk(std::string_view bytes, Series& series) {
  ByteReader reader(bytes);
  const auto sum = reader.number<std::uint32_t>();
  if (!reader.good() || checksum(bytes.substr(sizeof(sum))) != sum) damaged();
  if (reader.number<std::uint8_t>() != chunkVersion) damaged();
  const bool single = reader.number<std::uint8_t>() != 0;
  const std::size_t count = reader.number<std::uint32_t>();
  if (count > largestChunk || !reader.holds(count, single ? sizeof(float) : sizeof(double))) damaged();

  const std::size_t old = series.steps.size();
  series.steps.resize(old + count);
  series.wallNanoseconds.resize(old + count);
  series.values.resize(old + count);
  readValues(reader, single, series.values.data() + old, count);
  const bool whole = readColumn(reader, series.steps.data() + old, count) &&
                     readColumn(reader, series.wallNanoseconds.data() + old, count);
  if (!whole || !reader.atEnd()) damaged();
}

}  // namespace slipstream
