// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace slipstream {

/// Ascend's runtime copies from and to addresses that are multiples of this (aclrtMemcpyAsync), and so does what it
/// allocates begin.
inline constexpr std::size_t npuCopyAlignment = 64;

/// How many bytes the last such address lies before this one.
inline std::size_t beforeAligned(const void* address) {
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address) % npuCopyAlignment);
}

}  // namespace slipstream
