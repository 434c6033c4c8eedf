// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/text.h"
#include "engine/statistics/paired.h"
#include "engine/study/design.h"
#include "engine/study/study_measure.h"

namespace slipstream {

class RunStore;

enum class StudyVerdictKind { better, worse, same, notShown, notComparable, invalid };

/// One primary measure of a variant, or of a stage, beside the reference.
struct StudyComparison {
  StudyMeasure measure;
  StudySettings factors;
  std::string variant;         ///< or the stage
  std::string reference;       ///< or the stage
  std::string inVariant = {};  ///< whose stages are compared; empty: variants are

  int pairs = 0;
  double referenceMean = 0, mean = 0;         ///< of what counts up to a target: cut off at the horizon
  double effect = 0;                          ///< a difference, or of a ratio the geometric mean
  std::optional<double> low = {}, high = {};  ///< of the effect
  double miss = 0;                            ///< how often the interval misses
  std::optional<double> p = {}, equivalenceP = {};
  std::optional<double> detectable = {};  ///< the smallest effect that would have been shown with 80 %
  std::optional<int> seedsNeeded = {};    ///< in all, to show an effect of the margin, or of what was seen
  std::optional<double> horizon = {};     ///< of what counts up to a target, where somebody did not reach it
  int referenceReached = 0, reached = 0;
  std::optional<double> bootstrapLow = {}, bootstrapHigh = {};  ///< of the effect, by drawing the seeds anew

  StudyVerdictKind verdict = StudyVerdictKind::notShown;
  Text why = {};  ///< of notComparable and invalid

  std::int64_t referenceTrials = 0, trials = 0;  ///< of tuning
};

/// What a variant was tuned to where the factors have these values.
struct TunedVariant {
  std::string variant;
  StudySettings factors;
  std::int64_t trials = 0;
  std::optional<int> chosen;  ///< nothing: not all of them are done, or none came to anything
  StudySettings values;
};

struct ProfileScore {
  std::string variant;
  double score = 0;
};

struct StudyVerdict {
  Study study;
  StudyState state = StudyState::waiting;
  std::string hash;
  int cells = 0, finished = 0, failed = 0;
  int looks = 1, look = 1;  ///< planned so far, and the one that is judged
  std::vector<StudyComparison> comparisons;
  int judged = 0;  ///< comparisons that share alpha
  std::vector<TunedVariant> tuned;
  std::vector<ProfileScore> profile;  ///< over the combinations of factors and seeds, of what counts up to a target
  std::vector<Text> badges;
  std::vector<Text> remarks;
};

/// How a cell ended.
enum class CellEnd { open, done, failed, deleted };
/// Of the run's state in the store; a run that was stopped or lost can go on.
CellEnd endOf(RunStore& store, const StudyCell& cell);

/// The trial that came out best where these factors hold, by the measure that is asked about; nothing before all trials
/// have ended. Of trials that are equal, the first.
std::optional<int> chosenTrial(RunStore& store, const Study& study, const std::vector<StudyCell>& cells,
                               const std::string& variant, const std::string& factors);

/// What the study has shown. Only rounds that are complete count: whoever looks at every new run shows too much.
Result<StudyVerdict> verdictOf(RunStore& store, const StudyRecord& record);

/// Decides `comparisons`, whose `differences` are paired, together.
struct PairedComparison {
  PairedDifferences differences;
  double margin = 0;  ///< on the scale of the differences; 0: none
};
struct JudgedComparison {
  bool different = false, equivalent = false;
  double miss = 0;  ///< of the interval that goes with it, by itself
  double p = 1;
  std::optional<double> equivalenceP;
};
/// Holm's procedure over all of them, once for differences and once for equivalence; `levelOf` gives the level of this
/// look for a share of alpha. Claims hold together; an interval, whose share is that of its claim, holds by itself.
std::vector<JudgedComparison> judgeTogether(const std::vector<PairedComparison>& comparisons,
                                            const std::function<double(int)>& levelOf);

}  // namespace slipstream
