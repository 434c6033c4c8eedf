// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/number_format.h"

namespace slipstream {

/// The keys of the measures.
namespace measure {

inline constexpr const char* accuracy = "accuracy";
inline constexpr const char* testLoss = "test_loss";
inline constexpr const char* bestAccuracy = "best_accuracy";
inline constexpr const char* finalLoss = "final_loss";
inline constexpr const char* bestLoss = "best_loss";
inline constexpr const char* stepsToTarget = "steps_to_target";
inline constexpr const char* secondsToTarget = "seconds_to_target";
inline constexpr const char* stepMilliseconds = "step_milliseconds";
inline constexpr const char* trainingSeconds = "training_seconds";

}  // namespace measure

/// What a training came to, in one number (run_outcome.h). By measures, runs are compared.
struct Measure {
  std::string key;
  std::string title;            ///< "Time to target": a message
  std::string unit = {};        ///< "s"; empty: it is a count or has none
  std::string withTarget = {};  ///< the title with a place for the target, in percent; empty: it counts to none
  Quantity quantity = Quantity::loss;
  bool higherIsBetter = false;
  bool cost = false;        ///< time rather than quality
  bool onTestSet = false;   ///< judged on a finite test set, whose sampling error counts
  bool bestOfMany = false;  ///< the best of many values, chosen after they were seen: shown, but never judged

  bool countsToTarget() const { return !withTarget.empty(); }
  /// "Time to target, s": a message, and a value of exported files.
  std::string name() const { return unit.empty() ? title : title + ", " + unit; }
};

/// The measures, in the order of the tables.
const std::vector<Measure>& measures();
/// Throws Error for a key that is none.
const Measure& measureOf(std::string_view key);

}  // namespace slipstream
