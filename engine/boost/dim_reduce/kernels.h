#pragma once

#include <cstddef>

namespace slipstream {

/// The arithmetic of dim_reduce on the host's vectors, in double with eight fixed lanes: the same bits whatever the
/// processor.

/// Sum of left[i] * right[i].
double dotInDouble(const float* left, const float* right, std::size_t elements);

/// sums[i] += factor * values[i].
void addScaled(double factor, const float* values, double* sums, std::size_t elements);

/// momentum = decay * momentum + (gradient - inside).
void residualStep(float decay, const float* gradient, const float* inside, float* momentum, std::size_t elements);

/// moved = start + rate * direction.
void moveAlong(const float* start, float rate, const float* direction, float* moved, std::size_t elements);

}  // namespace slipstream
