// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace slipstream {

/// SHA-256 (FIPS 180-4, libcrypto) as 64 hexadecimal digits.
std::string sha256(std::span<const std::byte> bytes);
std::string sha256(std::string_view text);

/// The same of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::span<const std::byte> bytes);
  /// Of all of them; nothing may be added afterwards.
  std::string text();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// CRC-32C (Castagnoli, RFC 3720), in hardware where the processor has it.
std::uint32_t crc32c(std::span<const std::byte> bytes);

}  // namespace slipstream
