// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/hash.h"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

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

}  // namespace slipstream
