// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/averaged/spec.h"

#include <algorithm>

namespace slipstream {
namespace {

/// It makes the update where no other algorithm said that it does (takeUpdate).
Status resolve(RunPlan& plan) {
  if (std::ranges::find(plan.decisions, "averaged", &Decision::subject) != plan.decisions.end()) return {};
  decide(plan, switchedOn("averaged", Reason::written,
                          plan.experiment.parallel.gradientsMean
                              ? phrase("gradients are averaged over ranks")
                              : phrase("gradients are summed over ranks (parallel.gradients_mean)")));
  return {};
}

}  // namespace

AlgorithmSpec AveragedAlgorithm::spec() {
  return {.key = "averaged",
          .title = "Averaged gradients",
          .summary = "the mean (or sum) of all ranks' gradients, then one optimizer",
          .slot = "update",
          .resolve = resolve};
}

}  // namespace slipstream
