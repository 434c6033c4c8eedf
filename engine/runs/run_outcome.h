// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// Steps over which the final loss is averaged: the loss of a single mini-batch says little.
inline constexpr std::size_t finalLossSteps = 20;
/// That average; `loss` has a value.
double finalLoss(const Series& loss);

/// What came of one stage.
struct StageOutcome {
  StagePlan stage;
  std::int64_t steps = 0;                  ///< of its own that were done
  std::map<std::string, double> measured;  ///< by key of a Measure; what was not measured is missing
  bool reachedTarget = false;              ///< where the plan has one
  /// Standard error that comes from the finite test set, by key of a Measure and in its unit; missing where the run did
  /// not record what it takes.
  std::map<std::string, double> testSetError = {};

  /// Of a measure; nothing where it was not taken.
  std::optional<double> value(const std::string& measure) const;
  bool ended() const { return steps == stage.endStep - stage.firstStep; }
};

/// What came of one run.
struct RunOutcome {
  RunRecord run;
  std::int64_t steps = 0;  ///< that were done
  bool staged = false;     ///< else the whole run is the one stage
  std::vector<StageOutcome> stages;
  std::string results = {};  ///< a hash of losses and evaluations: equal for runs that are the same bits
  std::string damage = {};   ///< which values could not be read; measures of them are missing
  std::string shrunk = {};   ///< how it went on with fewer ranks than it was planned for; empty: it never did

  /// Of all stages together.
  double trainingSeconds() const;
};

/// Nanoseconds that the attempts of a run took together: what lay between the end of one and the start of the next, by
/// a resume, does not count. An attempt that nobody saw the end of ends with the last thing that came of it.
std::int64_t attemptNanoseconds(RunStore& store, const RunRecord& run);

/// What was said when the run last went on with fewer ranks than it was planned for; empty: it never did.
std::string shrinkingOf(RunStore& store, const std::string& runId);

/// Reads what the measures need from the store.
RunOutcome outcomeOf(RunStore& store, const RunRecord& run, const RunPlan& plan);

/// Puts what the run came to into the store, for readers of its views (resources/docs/data.md): every measure of every
/// stage, accuracies as fractions of 1, and the steps done. The run has ended.
void keepMeasures(RunStore& store, const std::string& runId);
/// The same for runs that have ended since, or were copied or imported: the newest first, for about as long as `most`.
void keepMissingMeasures(RunStore& store, std::chrono::milliseconds most);

/// The part of a series that belongs to a stage. Evaluations are reported when their step is over, all else under its
/// number.
Series seriesOfStage(const Series& series, const std::string& metric, const StagePlan& stage);

/// Returns the variance of an accuracy (a share in 0..1) of a finite test set, with one success and one failure added
/// (Agresti and Caffo 2000, Am. Stat. 54, 280): also 100 % of 40 samples is not certain.
double accuracyVariance(double accuracy, double samples);

}  // namespace slipstream
