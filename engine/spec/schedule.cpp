// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipstream {
namespace {

/// Positions in steps, all counted from the first step of epoch 0.
struct Progress {
  double step;
  double warmup;
  double total;
  double afterWarmup() const { return std::max(total - warmup, 1.0); }
  double sinceWarmup() const { return (step - warmup) / afterWarmup(); }
};

/// Falls to a tenth at each of three shares of the whole training.
double staircase(double maximum, const Progress& at, double first, double second, double third) {
  if (at.step < first * at.total) return maximum;
  if (at.step < second * at.total) return maximum * 0.1;
  if (at.step < third * at.total) return maximum * 0.01;
  return maximum * 0.001;
}

double rising(double initial, double maximum, double step, double warmup) {
  return initial + (maximum - initial) / warmup * step;
}

/// get_lr's cosine does not count from the end of the warm-up: its linear factor does, its angle does not.
double decayingCosine(double maximum, const Progress& at) {
  const double linear = (at.total - at.step) / at.afterWarmup();
  const double wave = 0.5 * (1.0 + std::cos(std::numbers::pi * 2.0 * 0.47 * at.step / at.afterWarmup()));
  return maximum * (linear * wave + 0.00001);
}

/// The mode `step` has no warm-up and ends on an absolute rate.
double suddenSteps(double maximum, const Progress& at) {
  constexpr double lastRate = 0.00005;
  return at.step < 0.9 * at.total ? staircase(maximum, at, 0.2, 0.5, 0.7) : lastRate;
}

double warmingUp(const ScheduleSpec& schedule, const Progress& at) {
  switch (schedule.mode) {
    case ScheduleMode::cosine:
      return rising(schedule.initial, schedule.maximum, at.step + 1, at.warmup);
    case ScheduleMode::warmupCosine:
      return rising(0.0, schedule.maximum, at.step + 1, at.warmup);
    default:
      return rising(schedule.initial, schedule.maximum, at.step, at.warmup);
  }
}

double decaying(const ScheduleSpec& schedule, const Progress& at) {
  switch (schedule.mode) {
    case ScheduleMode::constant:
      return schedule.maximum;
    case ScheduleMode::poly:
      return schedule.maximum * (1.0 - at.sinceWarmup()) * (1.0 - at.sinceWarmup());
    case ScheduleMode::steps:
      return staircase(schedule.maximum, at, 0.3, 0.6, 0.8);
    case ScheduleMode::cosine:
    case ScheduleMode::warmupCosine:
      return decayingCosine(schedule.maximum, at);
    default:
      return schedule.maximum - (schedule.maximum - schedule.end) * at.sinceWarmup();
  }
}

}  // namespace

double learningRate(const ScheduleSpec& schedule, std::int64_t step, double stepsPerEpoch, std::int64_t totalSteps) {
  const double total =
      schedule.totalEpochs > 0 ? schedule.totalEpochs * stepsPerEpoch : static_cast<double>(totalSteps);
  const double lastStep = std::max(std::ceil(total) - 1.0, 0.0);
  const double asked = static_cast<double>(step) + static_cast<double>(schedule.startEpoch) * stepsPerEpoch;
  const Progress at{std::min(asked, lastStep), schedule.warmupEpochs * stepsPerEpoch, total};
  if (schedule.mode == ScheduleMode::step) return suddenSteps(schedule.maximum, at);
  return at.step < at.warmup ? warmingUp(schedule, at) : decaying(schedule, at);
}

}  // namespace slipstream
