#pragma once

#include <cstddef>

namespace slipstream {

/// Multiplies by `inverse` in one pass; true where every product lies within ±limit (an infinity or NaN does not).
bool unscale(float* gradient, std::size_t count, float inverse, float limit);

}  // namespace slipstream
