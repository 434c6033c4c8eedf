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
       .title = "Test accuracy",
       .unit = "%",
       .quantity = Quantity::percent,
       .higherIsBetter = true,
       .onTestSet = true},
      {.key = measure::testLoss, .title = "Test loss", .onTestSet = true},
      {.key = measure::bestAccuracy,
       .title = "Best test accuracy",
       .unit = "%",
       .quantity = Quantity::percent,
       .higherIsBetter = true,
       .bestOfMany = true},
      {.key = measure::finalLoss, .title = fmt::format("Final loss, mean of {} steps", finalLossSteps)},
      {.key = measure::bestLoss, .title = "Best loss", .bestOfMany = true},
      {.key = measure::stepsToTarget,
       .title = "Steps to target",
       .withTarget = message("Steps to {} %"),
       .quantity = Quantity::meanCount},
      {.key = measure::secondsToTarget,
       .title = "Time to target",
       .unit = "s",
       .withTarget = message("Time to {} %"),
       .quantity = Quantity::seconds,
       .cost = true},
      {.key = measure::stepMilliseconds,
       .title = "Median step time",
       .unit = "ms",
       .quantity = Quantity::milliseconds,
       .cost = true},
      {.key = measure::trainingSeconds,
       .title = "Training time",
       .unit = "s",
       .quantity = Quantity::seconds,
       .cost = true},
  };
  return all;
}

const Measure& measureOf(std::string_view key) {
  const auto found = std::ranges::find(measures(), key, &Measure::key);
  if (found == measures().end()) throw Error("there is no measure called " + std::string(key));
  return *found;
}

}  // namespace slipstream
