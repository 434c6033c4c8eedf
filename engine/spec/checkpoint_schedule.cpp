// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/checkpoint_schedule.h"

namespace slipstream {

bool checkpointsAreScheduled(const CheckpointSpec& spec) {
  return spec.everySteps > 0 || spec.everySeconds > 0;
}

bool checkpointDueBySteps(const CheckpointSpec& spec, std::int64_t done) {
  return spec.everySteps > 0 && done > 0 && done % spec.everySteps == 0;
}

bool checkpointDueByClock(const CheckpointSpec& spec, double secondsSinceLast) {
  return spec.everySteps <= 0 && spec.everySeconds > 0 && secondsSinceLast >= spec.everySeconds;
}

}  // namespace slipstream
