// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/analysis/rank_times.h"
#include "engine/spec/text.h"

namespace slipstream {

/// "computes longer": why the slowest rank is.
Text delayText(Delay delay);

/// A table of where each rank's steps went, in milliseconds a step, with the mean over ranks below where there are
/// several; what is hidden; what passed between steps; who sets the pace. Nothing where no rank took a step.
std::string rankTimesText(const std::vector<RankTime>& ranks);

}  // namespace slipstream
