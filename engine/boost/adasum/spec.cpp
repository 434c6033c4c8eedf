// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/adasum/spec.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

using Options = AdasumOptions;

std::int64_t serversOf(const RunPlan& plan) {
  return std::ranges::count_if(ranksOfServers(plan.places), [](int ranks) { return ranks > 0; });
}

void resolveScope(RunPlan& plan, std::int64_t servers) {
  AdasumScope& scope = plan.experiment.boost.edit<Options>().scope;
  if (scope == AdasumScope::automatic) scope = servers > 1 ? AdasumScope::servers : AdasumScope::flat;
  const bool flat = scope == AdasumScope::flat;
  decide(plan,
         adjusted("adasum.scope", flat ? "flat" : "servers", Reason::ranks,
                  flat ? phrase("Adasum over all {}", {countedText(plan.ranks(), "rank")})
                       : phrase("the mean inside each of {}, Adasum between them", {countedText(servers, "server")})));
  if (flat && !plan.experiment.parallel.gradientsMean) {
    decide(plan, noEffect("parallel.gradients_mean", "false", Reason::displaced,
                          phrase("flat Adasum takes the place of sum and mean")));
  }
}

/// Shared memory is the host's.
void resolveExchange(RunPlan& plan) {
  AdasumExchange& exchange = plan.experiment.boost.edit<Options>().exchange;
  const DeviceKind& kind = deviceKindOf(plan.experiment);
  if (exchange == AdasumExchange::window && kind.ownMemory) {
    exchange = AdasumExchange::automatic;
    return decide(plan, noEffect("adasum.exchange", "auto", Reason::device,
                                 phrase("`window` is memory of the host, and {}s send messages", {kind.noun})));
  }
  if (exchange != AdasumExchange::automatic) return;
  Text how = phrase("through the shared window where the machine's shared memory has room, else by messages");
  if (!plan.local) how = phrase("ranks on several machines send messages");
  if (kind.ownMemory) how = phrase("{}s send messages", {kind.noun});
  decide(plan, adjusted("adasum.exchange", "auto", Reason::device, how));
}

void describeMode(RunPlan& plan) {
  const bool deltas = combinesDeltas(plan.experiment.boost);
  decide(
      plan,
      adjusted("adasum.mode", deltas ? "deltas" : "gradients", Reason::option,
               deltas ? phrase("every rank steps with an optimizer of its own, Adasum combines the weight differences")
                      : phrase("Adasum combines the gradients, then one optimizer steps")));
  takeUpdate(plan,
             deltas ? phrase("adasum exchanges the weight differences") : phrase("adasum exchanges the gradients"));
}

Status resolve(RunPlan& plan) {
  const BoostConfig& boost = plan.experiment.boost;
  if (!boost.isOn<Options>()) return {};
  const std::int64_t servers = serversOf(plan);
  if (plan.ranks() == 1) {
    switchOffWithoutEffect(plan, "adasum", Reason::ranks, phrase("one rank has nobody to combine with"));
  } else if (boost.of<Options>().scope == AdasumScope::servers && servers == 1) {
    switchOffWithoutEffect(plan, "adasum", Reason::ranks, phrase("its scope is servers, and there is one server"));
  } else {
    resolveScope(plan, servers);
    resolveExchange(plan);
    describeMode(plan);
  }
  return {};
}

void addMemory(const RunPlan& plan, const NetworkShape& shape, MemoryForecast& forecast) {
  forecast["boost"] += adasumBytes(plan, shape);
}

}  // namespace

AlgorithmSpec AdasumAlgorithm::spec() {
  return {.key = Options::algorithm,
          .title = "Adasum",
          .summary = "adds what ranks disagree on and averages what they share",
          .slot = "update",
          .hasSwitch = true,
          .levels = {BoostLevel::O2},
          .options = Options::keys(),
          .metrics = {adasumMetrics.begin(), adasumMetrics.end()},
          .resolve = resolve,
          .addMemory = addMemory};
}

bool combinesDeltas(const BoostConfig& boost) {
  return boost.isOn<Options>() && boost.of<Options>().mode == AdasumMode::deltas;
}

}  // namespace slipstream
