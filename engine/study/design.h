// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/store/study_table.h"
#include "engine/study/study.h"

namespace slipstream {

class RunStore;

/// Every combination of the factors' values; one empty one where there are no factors.
std::vector<StudySettings> combinationsOf(const Study& study);

/// "parallel.ranks = 8"; empty where there are no factors.
std::string textOf(const StudySettings& factors);
/// As StudyCell has them.
std::string storedForm(const StudySettings& settings);
StudySettings settingsOf(const std::string& stored);

/// All cells of the first round: trials of tuning, then what is measured, block by block (a combination of factors and
/// a seed), in each of which the variants come in the opposite order of the block before: a machine that becomes faster
/// or slower on the way does so to all of them alike.
std::vector<StudyCell> cellsOf(const Study& study);
/// What is measured with `count` more seeds, behind cells of `before` seeds and with numbers from `firstCell` on.
std::vector<StudyCell> addedCells(const Study& study, std::int64_t before, std::int64_t count, int firstCell,
                                  int round);

/// Writes the cells of a round with `count` more seeds; returns how many. Fails beyond the seeds and the looks that the
/// study was frozen with.
Result<int> addSeeds(RunStore& store, const StudyRecord& record, const Study& study, std::int64_t count);

/// The seed that trials of tuning are trained with: none of those that are measured.
inline constexpr std::uint64_t tuningSeed = 900'001;

/// What trial `number` (from 1) of a variant's tuning sets: points that fill the space evenly (Halton 1960), a list of
/// values in its order.
StudySettings trialSettings(const TuningSpace& space, std::int64_t number);

}  // namespace slipstream
