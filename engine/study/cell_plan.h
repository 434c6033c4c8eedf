// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/plan_file.h"
#include "engine/study/design.h"

namespace slipstream {

/// What a cell sets above its variant: factors, the variant's own keys, the trial's, and the scaled rate. `trial`: the
/// one whose values count; 0: none.
Result<StudySettings> cellSettings(const Study& study, const StudyVariant& variant, const StudySettings& factors,
                                   std::int64_t trial);

/// Plans a cell as `slipstream run` would plan the base experiment with its variant and these settings; the plan's file
/// holds that variant alone.
Result<PlannedFile> planCell(const Study& study, const StudyVariant& variant, const StudySettings& settings,
                             std::uint64_t seed, const EnvironmentLookup& environment, const DataInspection& inspect);
Result<PlannedFile> planCell(const Study& study, const StudyVariant& variant, const StudySettings& settings,
                             std::uint64_t seed);

/// What a cell takes of the machine while it trains.
struct CellCost {
  int cores = 1;
  std::int64_t memory = 0;
  int accelerators = 0;
};
/// With so many cores at hand: ranks take turns where there are fewer. A cell whose time is asked about takes all of
/// them, so that nothing else disturbs it.
CellCost costOf(const Study& study, const RunPlan& plan, int cores);
/// The cores of the budget, or all of the machine.
int coresOf(const Study& study);

/// A variant with a combination of the factors, planned with the study's first seed.
struct PlannedSetting {
  std::string variant;
  StudySettings factors;
  RunPlan plan;
};

/// What is wrong with a study before anything of it is trained, and what is to be known.
struct StudyCheck {
  Failures failures;
  std::vector<std::string> notes;
  std::size_t cells = 0;
  std::vector<PlannedSetting> settings;  ///< that could be planned; of a control the reference's alone
};
/// `inspect`: how samples are counted; empty: each data set is looked at once.
StudyCheck checkStudy(const Study& study, const DataInspection& inspect = {});

}  // namespace slipstream
