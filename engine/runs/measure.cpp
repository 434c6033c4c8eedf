// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/measure.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/runs/run_outcome.h"

namespace slipstream {

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {.key = measure::accuracy,
       .name = "Test accuracy, %",
       .quantity = Quantity::percent,
       .higherIsBetter = true,
       .onTestSet = true},
      {.key = measure::testLoss, .name = "Test loss", .onTestSet = true},
      {.key = measure::bestAccuracy,
       .name = "Best test accuracy, %",
       .quantity = Quantity::percent,
       .higherIsBetter = true,
       .bestOfMany = true},
      {.key = measure::finalLoss, .name = fmt::format("Final loss, mean of {} steps", finalLossSteps)},
      {.key = measure::bestLoss, .name = "Best loss", .bestOfMany = true},
      {.key = measure::stepsToTarget,
       .name = "Steps to target",
       .quantity = Quantity::meanCount,
       .countsToTarget = true},
      {.key = measure::secondsToTarget,
       .name = "Time to target, s",
       .quantity = Quantity::seconds,
       .cost = true,
       .countsToTarget = true},
      {.key = measure::stepMilliseconds, .name = "Step time, ms", .quantity = Quantity::milliseconds, .cost = true},
      {.key = measure::trainingSeconds, .name = "Training time, s", .quantity = Quantity::seconds, .cost = true},
  };
  return all;
}

const Measure& measureOf(std::string_view key) {
  const auto found = std::ranges::find(measures(), key, &Measure::key);
  if (found == measures().end()) throw Error("there is no measure called " + std::string(key));
  return *found;
}

}  // namespace slipstream
