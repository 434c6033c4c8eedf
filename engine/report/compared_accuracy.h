// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/analysis/comparison.h"

namespace slipstream {

/// How the accuracy of a variant, or of one of its stages, compares with the reference's.
struct ComparedAccuracy {
  const ComparedVariant* compared = nullptr;
  const ComparedMeasure* accuracy = nullptr;
};
/// In the order of the comparison, which they point into.
std::vector<ComparedAccuracy> comparedAccuracies(const Comparison& comparison);

/// Something was shown.
bool isDifference(ComparisonVerdict verdict);

/// The variants whose curves are drawn, as places in `variants`: all where they are few, else the reference and those
/// whose accuracies differ most from its.
std::vector<std::size_t> drawnVariants(const Comparison& comparison);

}  // namespace slipstream
