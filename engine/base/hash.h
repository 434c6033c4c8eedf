#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace slipstream {

/// SHA-256 (FIPS 180-4, libcrypto) as 64 hexadecimal digits.
std::string sha256(std::span<const std::byte> bytes);
std::string sha256(std::string_view text);

/// CRC-32C (Castagnoli, RFC 3720), in hardware where the processor has it.
std::uint32_t crc32c(std::span<const std::byte> bytes);

}  // namespace slipstream
