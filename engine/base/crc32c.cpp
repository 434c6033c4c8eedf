// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cstring>

#include <nmmintrin.h>

#include "engine/base/hash.h"

// A sum is carried on as its complement, as RFC 3720 has it at both ends.

namespace slipstream {
namespace {

constexpr std::uint32_t polynomial = 0x82F63B78;

constexpr std::array<std::uint32_t, 256> tableOfBytes() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1U) != 0 ? polynomial : 0U);
    table[byte] = remainder;
  }
  return table;
}

std::uint32_t crcByTable(std::uint32_t crc, std::span<const std::byte> bytes) {
  static constexpr auto table = tableOfBytes();
  for (const std::byte byte : bytes) crc = table[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU] ^ (crc >> 8);
  return crc;
}

/// What some number of zero bytes behind the data make of its sum, a linear map: the images of the 32 bits.
using ZeroBytes = std::array<std::uint32_t, 32>;

constexpr std::uint32_t applied(const ZeroBytes& zeros, std::uint32_t crc) {
  std::uint32_t sum = 0;
  for (std::size_t bit = 0; crc != 0; ++bit, crc >>= 1) sum ^= (crc & 1U) != 0 ? zeros[bit] : 0U;
  return sum;
}

constexpr ZeroBytes twice(const ZeroBytes& zeros) {
  ZeroBytes result{};
  for (std::size_t bit = 0; bit < result.size(); ++bit) result[bit] = applied(zeros, zeros[bit]);
  return result;
}

/// `count` is a power of two.
constexpr ZeroBytes zeroBytes(std::size_t count) {
  ZeroBytes zeros{polynomial};  // one bit
  for (std::size_t bit = 1; bit < zeros.size(); ++bit) zeros[bit] = 1U << (bit - 1);
  for (std::size_t bits = 1; bits < 8 * count; bits *= 2) zeros = twice(zeros);
  return zeros;
}

/// The same map by the four bytes of a sum.
using ZeroTable = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr ZeroTable tableOf(const ZeroBytes& zeros) {
  ZeroTable table{};
  for (std::size_t place = 0; place < 4; ++place) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) table[place][byte] = applied(zeros, byte << (8 * place));
  }
  return table;
}

std::uint32_t behindZeros(const ZeroTable& table, std::uint32_t crc) {
  return table[0][crc & 0xFFU] ^ table[1][(crc >> 8) & 0xFFU] ^ table[2][(crc >> 16) & 0xFFU] ^ table[3][crc >> 24];
}

std::uint64_t wordAt(const std::byte* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

/// The instruction takes three cycles, but one can begin in each: three stretches are summed at once.
constexpr std::size_t stretch = 2048;

__attribute__((target("sse4.2"))) std::uint32_t crcOfThree(std::uint32_t crc, const std::byte* bytes) {
  static constexpr ZeroTable behind = tableOf(zeroBytes(stretch));
  std::uint64_t first = crc, second = 0, third = 0;
  for (std::size_t at = 0; at < stretch; at += 8) {
    first = _mm_crc32_u64(first, wordAt(bytes + at));
    second = _mm_crc32_u64(second, wordAt(bytes + stretch + at));
    third = _mm_crc32_u64(third, wordAt(bytes + 2 * stretch + at));
  }
  const std::uint32_t two = behindZeros(behind, static_cast<std::uint32_t>(first)) ^ static_cast<std::uint32_t>(second);
  return behindZeros(behind, two) ^ static_cast<std::uint32_t>(third);
}

__attribute__((target("sse4.2"))) std::uint32_t crcByInstruction(std::uint32_t crc, std::span<const std::byte> bytes) {
  for (; bytes.size() >= 3 * stretch; bytes = bytes.subspan(3 * stretch)) crc = crcOfThree(crc, bytes.data());
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    crc = static_cast<std::uint32_t>(_mm_crc32_u64(crc, wordAt(bytes.data())));
  }
  for (const std::byte byte : bytes) crc = _mm_crc32_u8(crc, std::to_integer<unsigned char>(byte));
  return crc;
}

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
  static const bool hasInstruction = __builtin_cpu_supports("sse4.2") != 0;
  return ~(hasInstruction ? crcByInstruction(~0U, bytes) : crcByTable(~0U, bytes));
}

}  // namespace slipstream
