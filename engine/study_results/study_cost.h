// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/plan_differences.h"
#include "engine/study/cell_plan.h"
#include "engine/study_results/study_runs.h"

namespace slipstream {

/// Seconds that something may take, by the quickest and the slowest of the earlier runs.
struct CostRange {
  double middle = 0, low = 0, high = 0;
};

/// What so many seeds can show, and what they cost.
struct SeedsChoice {
  int seeds = 0;
  int runs = 0;                   ///< of the whole study, tuning included
  std::optional<double> seconds;  ///< as StudyCost::seconds
  std::optional<double>
      detectable;          ///< the smallest difference that is shown with 80 %; a ratio where the measure is one
  double timesSpread = 0;  ///< the same in what seeds of one variant differ by (one standard deviation)
};

/// What a study costs before anything of it is trained, from earlier runs of the store that trained the same network on
/// the same data with the same device.
struct StudyCost {
  int runs = 0, measuredRuns = 0, tuningRuns = 0;  ///< of the first round; together, then apart
  int comparisons = 0;                             ///< that share alpha
  int earlierRuns = 0;                             ///< it was learned from
  /// Of all the cores that the study may use, as its budget counts; nothing where some setting was never run before.
  std::optional<CostRange> seconds;
  std::optional<double> measuredSeconds, tuningSeconds;
  std::int64_t memory = 0;              ///< bytes of the largest cell, at most
  std::int64_t stored = 0;              ///< bytes of checkpoints, at most
  std::optional<double> spread;         ///< standard deviation between seeds: a share of 1 where the measure is a ratio
  int targetReached = 0, targetOf = 0;  ///< earlier runs that came to the study's target, of those that were evaluated
  std::vector<SeedsChoice> choices;     ///< the study's own number of seeds, then 3, 5, 8 and 10, rising
  int seeds = 0;                        ///< of the first round
};

/// Runs of a store that are done, read once each for however many forecasts.
class EarlierRuns {
 public:
  struct Run {
    RunRecord head;  ///< without its texts
    RunPlan plan;
    AskedRun asked;
    RunOutcome outcome;
  };
  /// The newest of this machine that trained the same network on the same data with the same device, at most 64.
  /// `heads`: those of the store, oldest first.
  std::vector<const Run*> like(RunStore& store, const std::vector<RunRecord>& heads, const RunPlan& plan);

 private:
  struct Known {
    std::optional<RunPlan> plan;
    std::unique_ptr<Run> run;  ///< of one that was like what was asked about
  };
  const Run* read(RunStore& store, const RunRecord& head, const RunPlan& plan);

  std::map<std::string, Known> known_;  ///< by id
};

/// Of runs one after the other, by earlier ones that trained the same network on the same data with the same device: by
/// those with as many ranks, else by any. Nothing where some of them has none.
std::optional<double> secondsOfRuns(RunStore& store, const std::vector<RunPlan>& plans, EarlierRuns& earlier);

/// `check` is the study's, without failures that kept it from being planned.
StudyCost costOfStudy(RunStore& store, const Study& study, const StudyCheck& check, EarlierRuns& earlier);

}  // namespace slipstream
