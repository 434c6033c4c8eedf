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

class KnownRuns;
class RunStore;

enum class StudyVerdictKind { better, worse, same, notShown, notComparable, invalid };

/// One measure of a variant, or of a stage, beside the reference.
struct StudyComparison {
  StudyMeasure measure;
  StudySettings factors;
  std::string variant;         ///< or the stage
  std::string reference;       ///< or the stage
  std::string inVariant = {};  ///< whose stages are compared; empty: variants are

  int pairs = 0;
  double referenceMean = 0, mean = 0;         ///< of what counts up to a target: cut off at the horizon
  double referenceSpread = 0, spread = 0;     ///< standard deviations over the seeds (n - 1)
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
  std::vector<StudySettings> tried = {};  ///< by the trials 1 to `trials`
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
  int looks = 1, look = 1;                   ///< planned so far, and the one that is judged
  int judgedRounds = 0;                      ///< the cells of so many rounds count: judgedCells (study_runs.h)
  std::vector<StudyComparison> comparisons;  ///< of the primary measures
  /// Of every other measure that was taken. They get no verdict: each interval is one of 1 - alpha by itself, not
  /// corrected for how many there are, nor for looks; `why` says why there is none.
  std::vector<StudyComparison> secondary;
  int judged = 0;  ///< comparisons that share alpha
  std::vector<TunedVariant> tuned;
  std::vector<ProfileScore> profile;  ///< over the combinations of factors and seeds, of what counts up to a target
  std::vector<Text> badges;
  std::vector<Text> remarks;
  std::vector<Text> losses;  ///< runs that failed or were deleted, a remark each
};

/// How a cell ended.
enum class CellEnd { open, done, failed, deleted };
/// Of the run's state in the store; a run that was stopped or lost can go on.
CellEnd endOf(RunStore& store, const StudyCell& cell);
/// Of a cell whose run has this state; nothing: the run is not there.
CellEnd endOf(const StudyCell& cell, const std::optional<RunState>& state);

/// A variant of a study that is tuned, where these factors hold.
struct TunedCells {
  std::int64_t study = 0;  ///< number in the store
  std::string variant;
  std::string factors;  ///< as cells have them
};

/// The trial whose values count. Where none was written down yet, the one that came out best by the measure that is
/// asked about; nothing before all trials have ended. Of trials that are equal, the first.
std::optional<int> chosenTrial(RunStore& store, const Study& study, const TunedCells& tuned,
                               KnownRuns* known = nullptr);

/// The same, and writes it down: whatever becomes of the trials' runs, it stays.
std::optional<int> decideTrial(RunStore& store, const Study& study, const TunedCells& tuned);

/// What the study has shown. Only rounds that are complete count: whoever looks at every new run shows too much.
/// `known`: what was read of its runs before (study_runs.h); null: nothing.
Result<StudyVerdict> verdictOf(RunStore& store, const StudyRecord& record, KnownRuns* known = nullptr);

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

/// A variant's name in a sentence or a list: in quotation marks if it contains a comma, which would read as a
/// separator.
Text inSentence(const std::string& name);

}  // namespace slipstream
