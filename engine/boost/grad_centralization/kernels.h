#pragma once

#include <cstddef>

namespace slipstream {

/// Subtracts `factor` times the mean of each row of `of` from the same row of `values`; both [rows, columns] and either
/// the same memory or apart. Means in double, in eight fixed lanes: the same bits on every processor.
void subtractRowMeans(float* values, const float* of, std::size_t rows, std::size_t columns, double factor);

}  // namespace slipstream
