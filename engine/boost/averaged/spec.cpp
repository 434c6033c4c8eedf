// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/averaged/spec.h"

#include <algorithm>

#include "engine/base/message_length.h"
#include "engine/boost/adasum/spec.h"
#include "engine/spec/bucket_sizes.h"

namespace slipstream {
namespace {

/// What cutting at cache lines may add to a slice.
constexpr std::int64_t lineElements = 16;
constexpr std::int64_t messageElements = shortMessageBytes / sizeof(float) - lineElements;
constexpr std::int64_t elementsAhead = shortMessagesAhead / sizeof(float);

/// It makes the update where no other algorithm said that it does (takeUpdate).
Status resolve(RunPlan& plan) {
  if (std::ranges::find(plan.decisions, "averaged", &Decision::subject) != plan.decisions.end()) return {};
  decide(plan, switchedOn("averaged", Reason::written,
                          plan.experiment.parallel.gradientsMean
                              ? phrase("gradients are averaged over ranks")
                              : phrase("gradients are summed over ranks (parallel.gradients_mean)")));
  return {};
}

/// Whoever makes the update: sums of whole gradients over all ranks.
void addMemory(const RunPlan& plan, const NetworkShape& shape, MemoryForecast& forecast) {
  const Experiment& experiment = plan.experiment;
  const bool sharded = experiment.parallel.optimizerParallel.level != ShardingLevel::off;
  const HostLayout hosts = exchangeHosts(plan);
  if (hosts.oneHost() || sharded || experiment.boost.isOn<AdasumOptions>()) return;
  std::vector<std::int64_t> elements;
  for (const BucketSize& bucket : bucketSizes(experiment.parallel, shape)) elements.push_back(bucket.elements);
  forecast["gather"] += 4 * hostSumElements({hosts.hosts()}, elements);
}

}  // namespace

std::int64_t HostSumCut::pieceElements() const {
  return messageElements * hosts;
}

std::int64_t HostSumCut::receivedElements() const {
  return (messageElements + lineElements) * (hosts - 1);
}

std::int64_t HostSumCut::piecesAhead() const {
  return std::max<std::int64_t>(4, elementsAhead / receivedElements());
}

std::int64_t hostSumElements(const HostSumCut& cut, const std::vector<std::int64_t>& bucketElements) {
  std::int64_t pieces = 0;
  for (const std::int64_t elements : bucketElements) pieces += cut.piecesOf(elements);
  return std::min(pieces, cut.piecesAhead()) * cut.receivedElements();
}

AlgorithmSpec AveragedAlgorithm::spec() {
  return {.key = "averaged",
          .title = "Averaged gradients",
          .summary = "the mean (or sum) of all ranks' gradients, then one optimizer",
          .slot = "update",
          .resolve = resolve,
          .addMemory = addMemory};
}

}  // namespace slipstream
