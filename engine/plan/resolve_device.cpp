// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/resolve.h"

namespace slipstream {

void describeEmulation(RunPlan& plan) {
  if (!deviceKindOf(plan.experiment).emulated) return;
  decide(
      plan,
      adjusted("device", plan.experiment.device, Reason::device,
               phrase("emulated: the kernels of optimizers and boost algorithms are an NPU's, run step by step on the "
                      "host, and layers are the CPU's; for correctness, never for speed")));
}

}  // namespace slipstream
