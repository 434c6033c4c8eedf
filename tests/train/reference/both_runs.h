// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/train/reference/cases.h"

namespace slipstream::reference {

/// How far the product's training ended from the reference's.
struct Distance {
  double weights = 0;     ///< |w - w'| / |w'| over all trained tensors
  double change = 0;      ///< |w - w'| / |w' - start|
  double losses = 0;      ///< largest of |loss - loss'| / loss' over all steps
  double statistics = 0;  ///< as `weights`, of the running statistics of rank 0
};

/// The weights that the product's training ends with.
Tensors trainedWeights(const Case& both);

/// |a - b| / |b|.
double relativeDistance(const Tensors& a, const Tensors& b);

/// Trains on thread ranks and in the reference, from the same start on the same data. Takes the first seed at which no
/// rounding can turn the course of the training; throws where there is none, and where the case cannot be planned.
Distance distanceOf(Case both);

}  // namespace slipstream::reference
