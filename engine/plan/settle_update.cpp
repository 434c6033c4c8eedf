// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/plan/placement.h"
#include "engine/plan/settle.h"

namespace slipstream {
namespace {

std::int64_t serversOf(const RunPlan& plan) {
  return std::ranges::count_if(ranksOfServers(plan.places), [](int ranks) { return ranks > 0; });
}

void settleScope(RunPlan& plan, std::int64_t servers) {
  AdasumScope& scope = plan.experiment.boost.adasumOptions.scope;
  if (scope == AdasumScope::automatic) scope = servers > 1 ? AdasumScope::servers : AdasumScope::flat;
  const bool flat = scope == AdasumScope::flat;
  decide(plan, "adasum.scope", flat ? "flat" : "servers",
         flat ? fmt::format("Adasum over all {}", counted(plan.ranks(), "rank"))
              : fmt::format("the mean inside each of {}, Adasum between them", counted(servers, "server")));
  if (flat && !plan.experiment.parallel.gradientsMean) {
    decide(plan, noEffect("parallel.gradients_mean", "false", "flat Adasum takes the place of sum and mean"));
  }
}

/// The window is memory of the host.
void settleExchange(RunPlan& plan) {
  AdasumExchange& exchange = plan.experiment.boost.adasumOptions.exchange;
  const bool onGpus = plan.experiment.device != "cpu";
  if (exchange == AdasumExchange::window && onGpus) {
    exchange = AdasumExchange::automatic;
    return decide(plan, noEffect("adasum.exchange", "auto", "`window` is memory of the host, and GPUs send messages"));
  }
  if (exchange != AdasumExchange::automatic) return;
  std::string how = "through the shared window where the machine's shared memory has room, else by messages";
  if (!plan.local) how = "ranks on several machines send messages";
  decide(plan, "adasum.exchange", "auto", onGpus ? "GPUs send messages" : how);
}

void describeMode(RunPlan& plan) {
  const bool deltas = plan.experiment.boost.adasumOptions.mode == AdasumMode::deltas;
  decide(plan, "adasum.mode", deltas ? "deltas" : "gradients",
         deltas ? "every rank steps with an optimizer of its own, Adasum combines the weight differences"
                : "Adasum combines the gradients, then one optimizer steps");
}

void describeDimReduce(RunPlan& plan) {
  const Experiment& experiment = plan.experiment;
  if (!experiment.parallel.gradientsMean) {
    decide(plan, noEffect("parallel.gradients_mean", "false", "dim_reduce takes the mean of gradients and of losses"));
  }
  if (experiment.boost.dimReduceMethod == DimReduceMethod::bfgs) {
    decide(plan, "optimizer", "off",
           "dim_reduce steps by itself, with rate 1 and dim_reduce.weight_decay: its settings and schedule have no "
           "effect");
  } else if (experiment.optimizer.schedule.mode == ScheduleMode::constant) {
    decide(plan, "optimizer.learning_rate.mode", "constant",
           "dim_reduce's method sgd does better where the rate falls to 0");
  }
}

}  // namespace

void settleAdasum(RunPlan& plan) {
  if (!plan.experiment.boost.adasum) return;
  if (plan.ranks() == 1) return switchOffWithoutEffect(plan, "adasum", "one rank has nobody to combine with");
  const std::int64_t servers = serversOf(plan);
  if (plan.experiment.boost.adasumOptions.scope == AdasumScope::servers && servers == 1) {
    return switchOffWithoutEffect(plan, "adasum", "its scope is servers, and there is one server");
  }
  settleScope(plan, servers);
  settleExchange(plan);
  describeMode(plan);
}

void settleUpdate(RunPlan& plan) {
  const Experiment& experiment = plan.experiment;
  if (experiment.boost.dimReduce) {
    decide(plan, "averaged", "off", "dim_reduce averages the gradients and makes the update");
    return describeDimReduce(plan);
  }
  if (experiment.boost.adasum) {
    const bool deltas = experiment.boost.adasumOptions.mode == AdasumMode::deltas;
    return decide(plan, "averaged", "off",
                  deltas ? "adasum exchanges the weight differences" : "adasum exchanges the gradients");
  }
  decide(plan, "averaged", "on",
         experiment.parallel.gradientsMean ? "gradients are averaged over ranks"
                                           : "gradients are summed over ranks (parallel.gradients_mean)");
}

}  // namespace slipstream
