// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/resolve.h"

namespace slipstream {

void describeEmulation(RunPlan& plan) {
  const std::string& emulated = deviceKindOf(plan.experiment).emulates;
  if (emulated.empty()) return;
  decide(plan,
         adjusted(
             "device", plan.experiment.device, Reason::device,
             phrase("emulated: {} kernels of optimizers and boost algorithms run step by step on the host, and layers "
                    "are the CPU's; for correctness, never for speed",
                    {emulated})));
}

}  // namespace slipstream
