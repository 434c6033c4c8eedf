// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/spec/experiment.h"

namespace slipstream {

/// The learning rate of one update. get_lr of the MindSpore model zoo (lr_generator.py), in double.
/// `stepsPerEpoch` and `totalSteps` are the training's; ScheduleSpec::totalEpochs overrides the latter.
double learningRate(const ScheduleSpec& schedule, std::int64_t step, double stepsPerEpoch, std::int64_t totalSteps);

}  // namespace slipstream
