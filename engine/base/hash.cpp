#include "engine/base/hash.h"

#include <array>
#include <cstring>

#include <fmt/format.h>
#include <nmmintrin.h>
#include <openssl/evp.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

constexpr std::array<std::uint32_t, 256> castagnoliTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1U) != 0 ? 0x82F63B78U : 0U);
    table[byte] = remainder;
  }
  return table;
}

std::uint32_t crcByTable(std::span<const std::byte> bytes) {
  static constexpr auto table = castagnoliTable();
  std::uint32_t crc = ~0U;
  for (const std::byte byte : bytes) crc = table[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xFFU] ^ (crc >> 8);
  return ~crc;
}

__attribute__((target("sse4.2"))) std::uint32_t crcByInstruction(std::span<const std::byte> bytes) {
  std::uint64_t crc = ~0U;
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    crc = _mm_crc32_u64(crc, word);
    bytes = bytes.subspan(8);
  }
  auto narrow = static_cast<std::uint32_t>(crc);
  for (const std::byte byte : bytes) narrow = _mm_crc32_u8(narrow, std::to_integer<unsigned char>(byte));
  return ~narrow;
}

void check(bool computed) {
  if (!computed) throw Error("libcrypto could not compute SHA-256");
}

std::string hexadecimal(std::span<const unsigned char> bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context{::EVP_MD_CTX_new(), &::EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  check(state_->context && EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1);
}
Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  check(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::text() {
  std::array<unsigned char, 32> digest{};
  check(EVP_DigestFinal_ex(state_->context.get(), digest.data(), nullptr) == 1);
  return hexadecimal(digest);
}

std::string sha256(std::span<const std::byte> bytes) {
  std::array<unsigned char, 32> digest{};
  check(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) == 1);
  return hexadecimal(digest);
}

std::string sha256(std::string_view text) {
  return sha256(std::as_bytes(std::span(text.data(), text.size())));
}

std::uint32_t crc32c(std::span<const std::byte> bytes) {
  static const bool hasInstruction = __builtin_cpu_supports("sse4.2") != 0;
  return hasInstruction ? crcByInstruction(bytes) : crcByTable(bytes);
}

}  // namespace slipstream
