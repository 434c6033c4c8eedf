// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/twin/copies.h"

namespace AscendC {
namespace {

constexpr std::uint16_t mostRows = 4095;
constexpr std::uint32_t mostRowBytes = 2'097'151;

bool aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % slipstream::twin::blockBytes == 0;
}

}  // namespace

const char* brokenPlainCopy(const void* global, const std::byte* local, std::size_t bytes) {
  if (!aligned(global)) return "DataCopy: the global address is not aligned to 32 bytes";
  if (!aligned(local)) return "DataCopy: the local address is not aligned to 32 bytes";
  if (bytes % slipstream::twin::blockBytes != 0) return "DataCopy: the bytes are no multiple of 32";
  return nullptr;
}

const char* brokenPaddedCopy(const DataCopyExtParams& params, const std::byte* local) {
  if (params.blockCount == 0 || params.blockCount > mostRows) return "DataCopyPad: blockCount is not 1 to 4095";
  if (params.blockLen == 0 || params.blockLen > mostRowBytes) return "DataCopyPad: blockLen is not 1 to 2097151";
  if (params.srcStride < 0 || params.dstStride < 0) return "DataCopyPad: a stride is negative";
  if (!aligned(local)) return "DataCopyPad: the local address is not aligned to 32 bytes";
  return nullptr;
}

}  // namespace AscendC
