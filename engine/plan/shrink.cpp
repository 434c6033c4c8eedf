// SPDX-License-Identifier: GPL-3.0-or-later
// Going on with fewer ranks where hosts are lost: whether a run can, and what its plan is then.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/plan/placement.h"
#include "engine/plan/resolve.h"
#include "engine/plan/run_plan.h"

namespace slipstream {
namespace {

constexpr const char* onLostKey = "train.on_lost";

std::int64_t divideUp(std::int64_t number, std::int64_t by) {
  return (number + by - 1) / by;
}

/// Whether `count` ranks can do what the `ranks` of the plan do, with the same samples in every step.
bool canReplace(const Experiment& experiment, int ranks, int count) {
  if (samplesPerBatch(experiment.dataset, ranks) % count != 0) return false;
  const OptimizerParallelSpec& sharding = experiment.parallel.optimizerParallel;
  const bool sharded = sharding.level != ShardingLevel::off;
  if (sharded && sharding.shardSize != ranks && count % sharding.shardSize != 0) return false;
  const bool needsOthers = sharded || experiment.boost.isOn<AdasumOptions>();
  return count >= (needsOthers ? 2 : 1);
}

/// The most ranks among `left` that can go on; 0 where too few can.
int ranksToGoOn(const RunPlan& plan, int left) {
  const auto can = [&](int count) {
    return std::ranges::all_of(
        stagesOf(plan), [&](const StagePlan& stage) { return canReplace(stage.experiment, plan.ranks(), count); });
  };
  for (int count = left; count >= plan.experiment.train.minRanks; --count) {
    if (can(count)) return count;
  }
  return 0;
}

void shrink(Experiment& experiment, int ranks, int count, bool oneHost) {
  const std::int64_t whole = samplesPerBatch(experiment.dataset, ranks);
  const std::int64_t atOnce = samplesPerPass(experiment);
  experiment.dataset.batchSize = whole / count;
  experiment.train.microSize = divideUp(experiment.dataset.batchSize, atOnce);
  ParallelSpec& parallel = experiment.parallel;
  parallel.ranks = count;
  if (parallel.optimizerParallel.shardSize == ranks) parallel.optimizerParallel.shardSize = count;
  if (oneHost && parallel.exchange == GradientExchange::hosts) parallel.exchange = GradientExchange::automatic;
}

/// Ranks and servers are numbered anew.
std::vector<RankPlacement> renumbered(std::vector<RankPlacement> places) {
  std::map<int, int> servers;
  for (const RankPlacement& place : places) servers.emplace(place.server, 0);
  int number = 0;
  for (auto& [before, now] : servers) now = number++;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    places[rank].rank = static_cast<int>(rank);
    places[rank].server = servers.at(places[rank].server);
  }
  return places;
}

bool onOneHost(const std::vector<RankPlacement>& places) {
  return std::ranges::all_of(places, [&](const RankPlacement& place) { return place.host == places.front().host; });
}

/// How many ranks may be left when some of the hosts are lost, the most first.
std::vector<int> countsThatMayBeLeft(const RunPlan& plan) {
  std::map<std::string, int> ranksOfHost;
  for (const RankPlacement& place : plan.places) ++ranksOfHost[place.host];
  std::vector<bool> reached(static_cast<std::size_t>(plan.ranks()) + 1);
  reached[0] = true;
  for (const auto& [host, ranks] : ranksOfHost) {
    for (int sum = plan.ranks(); sum >= ranks; --sum) {
      const bool with = reached[static_cast<std::size_t>(sum - ranks)];
      if (with) reached[static_cast<std::size_t>(sum)] = true;
    }
  }
  std::vector<int> counts;
  for (int count = plan.ranks() - 1; count > 0; --count) {
    if (reached[static_cast<std::size_t>(count)]) counts.push_back(count);
  }
  return counts;
}

/// What the ranks keep each for itself would be lost with them.
void refuseOwnState(const Experiment& experiment, Failures& failures) {
  if (combinesDeltas(experiment.boost)) {
    failures.push_back(
        {onLostKey, "shrink", "cannot go on where Adasum of deltas gives lost ranks an optimizer of their own",
         "write \"mode\": \"gradients\" in the dictionary's section adasum, or \"on_lost\": \"restart\""});
  }
  if (experiment.boost.isOn<DimReduceOptions>()) {
    failures.push_back({onLostKey, "shrink", "cannot go on where dim_reduce gives every rank columns of its projection",
                        "write \"on_lost\": \"restart\", or turn dim_reduce off"});
  }
  if (!experiment.dataset.shard) {
    failures.push_back({onLostKey, "shrink",
                        "cannot go on where every rank reads the whole data set in an order of its own",
                        "write \"on_lost\": \"restart\", or set dataset.shard to true"});
  }
}

/// What would count otherwise with other numbers of ranks or micro-batches.
void refuseSums(const Experiment& experiment, Failures& failures) {
  if (!experiment.parallel.gradientsMean) {
    failures.push_back({onLostKey, "shrink", "cannot go on where gradients are summed: fewer ranks have a smaller sum",
                        "set parallel.gradients_mean to true, or write \"on_lost\": \"restart\""});
  }
  if (experiment.train.microReduction == MicroReduction::sum) {
    failures.push_back({onLostKey, "shrink",
                        "cannot go on where micro-batches are summed: fewer ranks have more of them",
                        "set train.micro_reduction to mean, or write \"on_lost\": \"restart\""});
  }
}

/// Every number of ranks that may be left, and is to go on, must be able to.
void refuseUnevenBatches(const RunPlan& plan, Failures& failures) {
  const int fewest = plan.experiment.train.minRanks;
  for (const int left : countsThatMayBeLeft(plan)) {
    if (left < fewest) return;
    if (ranksToGoOn(plan, left) > 0) continue;
    const std::int64_t batch = samplesPerBatch(plan.experiment.dataset, plan.ranks());
    failures.push_back({"train.min_ranks", std::to_string(fewest),
                        fmt::format("neither {} nor fewer of them can share the {} of a step as the {} ranks do",
                                    counted(left, "rank"), counted(batch, "sample"), plan.ranks()),
                        "lower it, choose a dataset.batch_size that more numbers of ranks divide, or write "
                        "\"on_lost\": \"restart\""});
    return;
  }
}

void describeShrinking(RunPlan& plan) {
  const std::int64_t batch = samplesPerBatch(plan.experiment.dataset, plan.ranks());
  decide(plan, adjusted(onLostKey, "shrink", Reason::written,
                        phrase("hosts that do not answer for {} s are left out, down to {}: the {} of a step stay the "
                               "same, in more micro-batches",
                               {numberText(plan.experiment.train.waitForHosts),
                                countedText(plan.experiment.train.minRanks, "rank"), countedText(batch, "sample")})));
}

Status resolveShrinking(RunPlan& plan) {
  TrainSpec& train = plan.experiment.train;
  if (train.minRanks > plan.ranks()) {
    return fail("train.min_ranks", std::to_string(train.minRanks),
                fmt::format("is more than the {} of the run", counted(plan.ranks(), "rank")), "write a smaller number");
  }
  if (plan.local || onOneHost(plan.places)) {
    train.onLost = OnLost::restart;
    decide(plan,
           noEffect(onLostKey, "restart", Reason::ranks, phrase("all ranks are on one host: none can be left out")));
    return {};
  }
  Failures failures;
  refuseOwnState(plan.experiment, failures);
  refuseSums(plan.experiment, failures);
  if (failures.empty()) refuseUnevenBatches(plan, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  describeShrinking(plan);
  return {};
}

}  // namespace

Status resolveLosses(RunPlan& plan) {
  const TrainSpec& train = plan.experiment.train;
  if (train.onLost == OnLost::shrink) return resolveShrinking(plan);
  if (train.onLost == OnLost::restart) {
    decide(plan, adjusted(onLostKey, "restart", Reason::written,
                          phrase("a run that loses a process or a host starts again from its last checkpoint")));
  }
  if (train.minRanks > 1) {
    decide(plan, noEffect("train.min_ranks", std::to_string(train.minRanks), Reason::option,
                          phrase("only train.on_lost: shrink goes on with fewer ranks")));
  }
  return {};
}

std::optional<RunPlan> shrunkPlan(const RunPlan& plan, const std::vector<std::string>& lost) {
  RunPlan shrunk = plan;
  std::erase_if(shrunk.places,
                [&](const RankPlacement& place) { return std::ranges::find(lost, place.host) != lost.end(); });
  if (shrunk.places.size() == plan.places.size()) return shrunk;
  const int count = ranksToGoOn(plan, shrunk.ranks());
  if (count == 0) return std::nullopt;
  shrunk.places.resize(static_cast<std::size_t>(count));
  shrunk.places = renumbered(std::move(shrunk.places));
  const bool oneHost = onOneHost(shrunk.places);
  shrink(shrunk.experiment, plan.ranks(), count, oneHost);
  for (StagePlan& stage : shrunk.stages) shrink(stage.experiment, plan.ranks(), count, oneHost);
  return shrunk;
}

}  // namespace slipstream
