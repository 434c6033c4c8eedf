// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/interchange/tensor_source.h"

namespace slipstream {

/// Whether values of the type become fp32: floating-point ones of 16, 32 and 64 bits.
bool becomesFloat(ElementType type);

/// Values as fp32: 16-bit ones exactly, 64-bit ones rounded. `bytes` holds as many values as `values`.
void toFloats(ElementType type, std::span<const std::byte> bytes, std::span<float> values);

bool allFinite(std::span<const float> values);

/// Names of the source's floating-point tensors that hold NaN or an infinite value as fp32, in its order. Reads them
/// all.
Result<std::vector<std::string>> tensorsNotFinite(TensorSource& source);

}  // namespace slipstream
