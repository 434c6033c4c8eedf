#include "engine/record/series_chunk.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "engine/record/bytes.h"

namespace slipstream {
namespace {

constexpr std::uint8_t chunkVersion = 1;

// Differences are zigzag-coded (small numbers of either sign become small) into base-128 digits, low digit first.
void appendDifferences(const std::int64_t* values, std::size_t count, std::string& bytes) {
  std::uint64_t previous = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto difference = static_cast<std::int64_t>(static_cast<std::uint64_t>(values[i]) - previous);
    previous = static_cast<std::uint64_t>(values[i]);
    auto digits = (static_cast<std::uint64_t>(difference) << 1) ^ static_cast<std::uint64_t>(difference >> 63);
    for (; digits >= 128; digits >>= 7) bytes.push_back(static_cast<char>((digits & 127) | 128));
    bytes.push_back(static_cast<char>(digits));
  }
}

/// Returns the position after the last byte read, or nullptr where the bytes end too early.
const char* readDifferences(const char* at, const char* end, std::int64_t* values, std::size_t count) {
  std::uint64_t previous = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t digits = 0;
    for (int shift = 0;; shift += 7) {
      if (at == end || shift > 63) return nullptr;
      const auto byte = static_cast<unsigned char>(*at++);
      digits |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) break;
    }
    previous += (digits >> 1) ^ (~(digits & 1) + 1);
    values[i] = static_cast<std::int64_t>(previous);
  }
  return at;
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
  throw Error("a chunk of a metric series is damaged; 'slipstream store verify' tells how far");
}

void readValues(ByteReader& reader, bool single, double* values, std::size_t count) {
  if (!single) {
    if (!reader.array(values, count)) damaged();
    return;
  }
  float narrow[largestChunk];
  if (count > largestChunk || !reader.array(narrow, count)) damaged();
  std::copy(narrow, narrow + count, values);
}

}  // namespace

// Stored form: CRC-32C of the rest (4 bytes), version (1), whether values are single (1), samples (4), bytes of the
// differences (4), values, differences of the steps, differences of the wall times.
std::string encodeChunk(const Series& series, std::size_t first, std::size_t count) {
  const double* values = series.values.data() + first;
  const bool single = exactInSinglePrecision(values, count);
  std::string differences;
  differences.reserve(count * 6);
  appendDifferences(series.steps.data() + first, count, differences);
  appendDifferences(series.wallNanoseconds.data() + first, count, differences);

  std::string bytes(sizeof(std::uint32_t), '\0');
  bytes.reserve(differences.size() + 16 + count * sizeof(double));
  ByteWriter writer(bytes);
  writer.number(chunkVersion);
  writer.number(static_cast<std::uint8_t>(single));
  writer.number(static_cast<std::uint32_t>(count));
  writer.number(static_cast<std::uint32_t>(differences.size()));
  if (single) {
    std::vector<float> narrow(count);
    std::transform(values, values + count, narrow.begin(), [](double value) { return static_cast<float>(value); });
    writer.array(narrow.data(), count);
  } else {
    writer.array(values, count);
  }
  bytes += differences;
  const std::uint32_t sum = checksum(std::string_view(bytes).substr(sizeof(std::uint32_t)));
  std::memcpy(bytes.data(), &sum, sizeof(sum));
  return bytes;
}

void decodeChunk(std::string_view bytes, Series& series) {
  ByteReader reader(bytes);
  const auto sum = reader.number<std::uint32_t>();
  if (!reader.good() || checksum(bytes.substr(sizeof(sum))) != sum) damaged();
  if (reader.number<std::uint8_t>() != chunkVersion) damaged();
  const bool single = reader.number<std::uint8_t>() != 0;
  const std::size_t count = reader.number<std::uint32_t>();
  const std::size_t differenceBytes = reader.number<std::uint32_t>();
  if (!reader.holds(count, single ? sizeof(float) : sizeof(double))) damaged();

  const std::size_t old = series.steps.size();
  series.steps.resize(old + count);
  series.wallNanoseconds.resize(old + count);
  series.values.resize(old + count);
  readValues(reader, single, series.values.data() + old, count);
  const std::string_view differences = reader.text(differenceBytes);
  const char* end = differences.data() + differences.size();
  const char* at = readDifferences(differences.data(), end, series.steps.data() + old, count);
  if (at != nullptr) at = readDifferences(at, end, series.wallNanoseconds.data() + old, count);
  if (at != end || !reader.atEnd()) damaged();
}

}  // namespace slipstream
