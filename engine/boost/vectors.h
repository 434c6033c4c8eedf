#pragma once

#include <cstddef>
#include <span>

namespace slipstream {

/// Plain arithmetic on the host's vectors, element by element. Spans of one call are equally long.

/// Writes scale * (sums of `parts`, added in their order) to every part, in place.
void sumInPlace(std::span<float* const> parts, std::size_t elements, float scale);

/// As sumInPlace, but writes to every one of `results`, of which the first may hold what the sums are added to.
void sumTo(std::span<const float* const> parts, std::span<float* const> results, std::size_t elements, float scale,
           bool add);

/// values *= scale.
void scaleInPlace(std::span<float> values, float scale);

/// values -= other.
void subtractInPlace(std::span<float> values, std::span<const float> other);

/// result = left - right; `result` may be one of them.
void difference(std::span<const float> left, std::span<const float> right, std::span<float> result);

}  // namespace slipstream
