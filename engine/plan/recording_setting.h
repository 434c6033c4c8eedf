// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/failure.h"

namespace slipstream {

/// Names the variable of the environment that says whether passes are recorded on a device that gains from it: on, as
/// where it is not set, or off. It is no key of experiments: results are the same bits either way, and off is the way
/// out where a driver refuses a recording.
inline constexpr const char* recordingVariable = "SLIPSTREAM_RECORDING";

/// What it says; a failure where that is neither.
Result<bool> recordsPasses();

}  // namespace slipstream
