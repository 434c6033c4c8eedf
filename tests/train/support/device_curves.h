// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/run_plan.h"
#include "engine/spec/device_kind.h"

namespace slipstream::test {

/// Trains the plan on the CPU and on a device of `kind`, and expects the CPU's losses, each within `tolerance` of it;
/// then trains on the device again from step 2, and expects the bits of the run that was not interrupted.
void expectTheCpusCurves(const RunPlan& plan, const DeviceKind& kind, double tolerance);

}  // namespace slipstream::test
