#pragma once

#include <cstddef>
#include <span>

#include "engine/interchange/element_type.h"

namespace slipstream {

/// Whether values of the type become fp32: floating-point ones of 16, 32 and 64 bits.
bool becomesFloat(ElementType type);

/// Values as fp32: 16-bit ones exactly, 64-bit ones rounded. `bytes` holds as many values as `values`.
void toFloats(ElementType type, std::span<const std::byte> bytes, std::span<float> values);

}  // namespace slipstream
