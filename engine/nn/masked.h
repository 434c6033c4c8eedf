// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

#include "engine/base/number_type.h"

namespace slipstream {

/// The value where it is kept, else zero. A branch or a choice between structures would keep loops scalar.
inline float keptWhere(bool kept, float value) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & (0U - static_cast<std::uint32_t>(kept)));
}
inline Bfloat16 keptWhere(bool kept, Bfloat16 value) {
  return {static_cast<std::uint16_t>(value.bits & (0U - static_cast<std::uint32_t>(kept)))};
}

}  // namespace slipstream
