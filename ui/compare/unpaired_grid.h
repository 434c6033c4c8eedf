// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/parts/cell_grid.h"

namespace slipstream::ui {

// Variants that have no seed in common with the reference: what each came to, without an interval or a verdict, because
// the spread of the seeds is in both.

/// Indices (Comparison::arms) of the variants of which nothing is paired with the reference.
std::vector<std::size_t> unpairedVariants(const Comparison& comparison);
/// "No seed in common: nothing is paired"
QString unpairedTitle();
/// The means of the last stage of the reference and of one variant over the seeds that each has done.
CellGrid unpairedGrid(const Comparison& comparison, std::size_t arm);

}  // namespace slipstream::ui
