// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/adasum/combination.h"

#include <cmath>
#include <utility>

#include "engine/base/error.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/averaged/bucket_sum.h"
#include "engine/record/metric_info.h"

namespace slipstream {
namespace {

AdasumShape shapeOf(const UpdateContext& parts) {
  AdasumShape shape;
  for (const FlatTensor& tensor : parts.layout.tensors()) shape.tensors.push_back(tensor.range);
  shape.buckets = parts.buckets;
  return shape;
}

const AdasumOptions& optionsOf(const UpdateContext& parts) {
  return parts.experiment.boost.of<AdasumOptions>();
}

/// Mean (or sum) of the gradients inside each leaf's group; null where every leaf is one rank.
std::unique_ptr<BucketExchange> makeServerMean(const UpdateContext& parts, const AdasumGroups& groups,
                                               Communicator& server, const RankMemory& memory) {
  if (!groups.severalRanksALeaf()) return nullptr;
  const float scale = parts.experiment.parallel.gradientsMean ? 1.0F / static_cast<float>(groups.mine().size()) : 1.0F;
  return makeBucketSum(server, memory.hosts().of(groups.mine()), memory.visible(groups.mine()), parts.buckets, scale,
                       parts.device, parts.kernels.of<VectorKernels>());
}

std::unique_ptr<AdasumReduction> makeByMessages(AdasumExchange exchange, const UpdateContext& parts,
                                                Communicator& communicator, const RankMemory& memory) {
  const bool betweenHosts = !memory.hosts().oneHost();
  const AdasumContext<float> context{parts.device, parts.kernels.of<AdasumKernels<float>>(), betweenHosts};
  const auto values = memory.own();
  if (exchange == AdasumExchange::halving) return makeHalvingAdasum(communicator, context, values, shapeOf(parts));
  return makeGramAdasum(communicator, context, values, shapeOf(parts));
}

std::string nameOf(AdasumExchange exchange) {
  if (exchange == AdasumExchange::window) return "window";
  return exchange == AdasumExchange::halving ? "halving" : "gram";
}

/// Adasum over the leaves; null where there is one.
std::unique_ptr<AdasumReduction> makeReduction(const UpdateContext& parts, const AdasumGroups& groups,
                                               const RankMemory& memory) {
  if (groups.leaves() == 1) return nullptr;
  const AdasumExchange exchange = chooseExchange(optionsOf(parts).exchange, memory.shared(), groups.leaves());
  if (exchange == AdasumExchange::window) {
    if (!memory.shared()) throw Error("Adasum's exchange `window` needs ranks that share a host's memory; use auto");
    return makeSharedMemoryAdasum(parts.communicator, parts.device.queue(), parts.kernels.of<AdasumKernels<float>>(),
                                  memory.all(), groups.leaders(), shapeOf(parts));
  }
  if (!groups.severalRanksALeaf()) return makeByMessages(exchange, parts, parts.communicator, memory);
  auto server = parts.communicator.split(groups.leafOfMine, parts.communicator.rank());
  const bool leads = server->rank() == 0;
  auto leaders = parts.communicator.split(leads ? 0 : 1, parts.communicator.rank());
  auto leader = leads ? makeByMessages(exchange, parts, *leaders, memory) : nullptr;
  auto values = memory.hosts().of(groups.mine()).oneHost() ? memory.visible(groups.mine()) : std::vector{memory.own()};
  return makeHierarchicalAdasum(std::move(server), std::move(leaders), std::move(leader), std::move(values),
                                shapeOf(parts));
}

}  // namespace

AdasumCombination::AdasumCombination(const UpdateContext& parts, const RankMemory& gradients)
    : layout_(parts.layout),
      device_(parts.device),
      groups_(adasumGroups(optionsOf(parts).scope, parts.serverOfRank, parts.communicator.rank())),
      server_(groups_.severalRanksALeaf() ? parts.communicator.split(groups_.leafOfMine, parts.communicator.rank())
                                          : nullptr),
      serverMean_(server_ ? makeServerMean(parts, groups_, *server_, gradients) : nullptr),
      reduction_(makeReduction(parts, groups_, gradients)),
      chain_(serverMean_ && reduction_ ? chain(*serverMean_, *reduction_, static_cast<int>(parts.buckets.size()))
                                       : nullptr),
      exchange_(nameOf(chooseExchange(optionsOf(parts).exchange, gradients.shared(), groups_.leaves()))) {
  device_.memory().add(MemoryCategory::boost, ownBytes());
}

AdasumCombination::~AdasumCombination() {
  device_.memory().add(MemoryCategory::boost, -ownBytes());
}

bool AdasumCombination::wantsSharedMemory(const UpdateContext& parts) {
  const AdasumExchange asked = optionsOf(parts).exchange;
  return asked == AdasumExchange::automatic || asked == AdasumExchange::window || !parts.hosts.oneHost();
}

BucketExchange* AdasumCombination::both() const {
  if (chain_) return chain_.get();
  return serverMean_ ? serverMean_.get() : reduction_.get();
}

void AdasumCombination::record(Range trained, StepOutcome& outcome) const {
  if (!reduction_) return;
  const auto statistics = reduction_->statistics();
  for (std::size_t t = 0; t < statistics.size() && layout_.tensors()[t].range.begin < trained.end; ++t) {
    if (std::isnan(statistics[t].orthogonality)) continue;
    const std::string& name = layout_.tensors()[t].spec.name;
    outcome.metrics[std::string(metric::prefixOf(metric::orthogonality)) + name] = statistics[t].orthogonality;
    outcome.metrics[std::string(metric::prefixOf(metric::cosine)) + name] = statistics[t].cosine;
  }
}

std::int64_t AdasumCombination::ownBytes() const {
  return reduction_ ? static_cast<std::int64_t>(reduction_->ownBytes()) : 0;
}

}  // namespace slipstream
