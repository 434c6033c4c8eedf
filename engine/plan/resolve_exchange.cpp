// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text.h"
#include "engine/plan/resolve.h"

namespace slipstream {
namespace {

constexpr const char* subject = "parallel.exchange";

/// What keeps the key from having an effect; empty where nothing does.
Text displacedBy(const RunPlan& plan) {
  const DeviceKind& kind = deviceKindOf(plan.experiment);
  if (plan.ranks() == 1) return phrase("one rank has nobody to exchange with");
  if (kind.ownMemory) return phrase("{}s send messages", {kind.noun});
  if (plan.experiment.parallel.exchange != GradientExchange::messages) return {};
  if (plan.experiment.boost.isOn("adasum")) return phrase("adasum.exchange says how Adasum's ranks exchange");
  const bool sharded = plan.experiment.parallel.optimizerParallel.level != ShardingLevel::off;
  return sharded ? phrase("optimizer_parallel sends shards, which MPI's all-reduce knows nothing of") : Text();
}

Text hostsText(const RunPlan& plan) {
  const HostLayout hosts = exchangeHosts(plan);
  const Text count = countedText(hosts.hosts(), "host");
  if (plan.local) {
    return phrase(
        "the servers of the rank table stand for hosts: {} with {} ranks, which exchange in the host's memory "
        "before the hosts exchange by messages",
        {count, hosts.text()});
  }
  return phrase(
      "{} with {} ranks, which exchange in the host's memory before the hosts exchange by messages: each value "
      "crosses a link once a way",
      {count, hosts.text()});
}

}  // namespace

void resolveExchange(RunPlan& plan) {
  GradientExchange& exchange = plan.experiment.parallel.exchange;
  const GradientExchange asked = exchange;
  const bool written = asked != GradientExchange::automatic;
  if (const Text why = displacedBy(plan); !why.empty()) {
    exchange = GradientExchange::automatic;
    if (written) decide(plan, noEffect(subject, "auto", Reason::displaced, why));
    return;
  }
  if (asked == GradientExchange::messages)
    return decide(plan, adjusted(subject, "messages", Reason::written, phrase("MPI's all-reduce sums gradients")));
  exchange = written || !plan.local ? GradientExchange::hosts : GradientExchange::automatic;
  if (!exchangeHosts(plan).oneHost())
    return decide(plan, adjusted(subject, "hosts", written ? Reason::written : Reason::ranks, hostsText(plan)));
  exchange = GradientExchange::automatic;
  if (written) decide(plan, noEffect(subject, "auto", Reason::ranks, phrase("all ranks are on one host")));
}

}  // namespace slipstream
