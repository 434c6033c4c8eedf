// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "engine/base/failure.h"
#include "engine/spec/device_kind.h"

namespace slipstream {

inline constexpr const char* cudnnRemedy =
    "install cuDNN 9 for CUDA (NVIDIA's package libcudnn9-cuda-13), or put its folder into LD_LIBRARY_PATH";

/// The first whose plans are made from the properties of a GPU.
inline constexpr std::size_t leastCudnnVersion = 91100;

/// "9.11.0" of what cudnnGetVersion says.
inline std::string cudnnVersionText(std::size_t version) {
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
         std::to_string(version % 100);
}

/// A failure where this version, as cudnnGetVersion says it, has not all that we call.
inline Status checkCudnnVersion(std::size_t version) {
  if (version >= leastCudnnVersion) return {};
  return fail(
      "device", cudaKind().name,
      "cuDNN " + cudnnVersionText(version) + " was found, which is older than " + cudnnVersionText(leastCudnnVersion),
      cudnnRemedy);
}

}  // namespace slipstream
