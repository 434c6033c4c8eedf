// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/failure.h"

namespace slipstream {

/// Names the variable of the environment that says whether passes are recorded on a device that gains from it: on, as
/// where it is not set, or off. It is no key of experiments: results are the same bits either way, and off is the way
/// out where a driver refuses a recording.
inline constexpr const char* recordingVariable = "SLIPSTREAM_RECORDING";

/// The same for the processor's matrix unit, which rounds otherwise. It is no key of experiments either: a run keeps to
/// the instruction set that its plan names, on whatever processor has it.
inline constexpr const char* matrixUnitVariable = "SLIPSTREAM_MATRIX_UNIT";

/// Whether a variable says on; a failure where it says neither on nor off.
Result<bool> recordsPasses();
Result<bool> mayUseMatrixUnit();

/// A failure for each that is neither.
Status switchesAreValid();

}  // namespace slipstream
