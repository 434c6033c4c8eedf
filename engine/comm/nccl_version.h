// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/base/failure.h"
#include "engine/spec/device_kind.h"

namespace slipstream {

inline constexpr const char* ncclRemedy =
    "install NCCL 2 (NVIDIA's package libnccl2), or put its folder into LD_LIBRARY_PATH";

/// The first that has ncclGetLastError.
inline constexpr int leastNcclVersion = 21300;

/// "2.27.3" of what ncclGetVersion says; the middle number has two digits from 2.9 on.
inline std::string ncclVersionText(int version) {
  const int unit = version < 10000 ? 1000 : 10000;
  return std::to_string(version / unit) + "." + std::to_string(version % unit / 100) + "." +
         std::to_string(version % 100);
}

/// A failure where this version, as ncclGetVersion says it, has not all that we call.
inline Status checkNcclVersion(int version) {
  if (version >= leastNcclVersion) return {};
  return fail(
      "device", cudaKind().name,
      "NCCL " + ncclVersionText(version) + " was found, which is older than " + ncclVersionText(leastNcclVersion),
      ncclRemedy);
}

}  // namespace slipstream
