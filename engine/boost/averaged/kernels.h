#pragma once

#include <cstddef>
#include <span>

namespace slipstream {

/// Writes scale * (sums of `parts`, added in their order) to every part, element by element, in place.
void sumInPlace(std::span<float* const> parts, std::size_t elements, float scale);

/// values *= scale.
void scaleInPlace(std::span<float> values, float scale);

}  // namespace slipstream
