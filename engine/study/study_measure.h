// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/number_format.h"
#include "engine/plan/run_plan.h"
#include "engine/runs/run_outcome.h"
#include "engine/spec/text.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// The key of the measured bytes of the rank that holds most.
inline constexpr const char* memoryBytes = "memory_bytes";

/// What a study can ask about: the measures of runs, samples up to a target, and bytes.
struct StudyMeasure {
  std::string key;
  std::string name;
  Quantity quantity = Quantity::loss;
  bool higherIsBetter = false;
  bool ratio = false;    ///< times and counts are compared by their ratio
  bool counted = false;  ///< not a sample of anything: where it never varies, it is exact
  bool onTestSet = false;
  bool countsToTarget = false;
  bool cost = false;
  bool bestOfMany = false;
};

const std::vector<StudyMeasure>& studyMeasures();
const StudyMeasure* findStudyMeasure(const std::string& key);
std::vector<std::string> studyMeasureKeys();

/// What one stage of a run came to in this measure.
struct MeasuredValue {
  double value = 0;
  bool reached = true;      ///< of what counts up to a target
  double testSetError = 0;  ///< NaN: not recorded
};
std::optional<MeasuredValue> measuredIn(RunStore& store, const RunOutcome& outcome, const StageOutcome& stage,
                                        const StudyMeasure& measure);

/// Of all ranks, gradient accumulation included.
std::int64_t samplesPerStep(const StagePlan& stage, int ranks);

/// Something that two plans are not given alike: "samples a step", and what each is given, "64 and 128".
struct Unequal {
  const char* what;
  Text values;
};

/// What two plans are not given alike of batches, samples, updates, ranks, threads, devices and instruction sets.
std::vector<Unequal> unequalBetween(const RunPlan& one, const RunPlan& other);

}  // namespace slipstream
