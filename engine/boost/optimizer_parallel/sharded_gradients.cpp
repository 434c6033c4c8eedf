// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/sharded_gradients.h"

#include <algorithm>
#include <numeric>

#include "engine/boost/optimizer_parallel/spec.h"
#include "engine/boost/optimizer_parallel/unit_gradients.h"
#include "engine/boost/optimizer_parallel/whole_gradients.h"
#include "engine/boost/sharding.h"

namespace slipstream {
namespace {

std::vector<std::span<float>> spansOf(const RankMemory& memory, bool shared) {
  return shared ? memory.ofHost() : std::vector{memory.own()};
}

/// The units' tensors as buckets.
std::vector<Bucket> bucketsOf(const std::vector<GradientUnit>& units) {
  std::vector<Bucket> buckets;
  for (const GradientUnit& unit : units) {
    const Bucket before = buckets.empty() ? Bucket{} : buckets.back();
    buckets.push_back(
        {{before.range.end, before.range.end + unit.elements}, before.endTensor, before.endTensor + unit.tensors});
  }
  return buckets;
}

/// Slots in one memory, unit u in slot u % slots.
class PassingGradients final : public ShardedGradients {
 public:
  PassingGradients(const UpdateContext& parts, const ShardMap& map, const std::vector<GradientUnit>& units,
                   const std::vector<std::int64_t>& slots)
      : passing_(parts.communicator, parts.hosts, parts.device, std::reduce(slots.begin(), slots.end()),
                 MemoryCategory::gather, true),
        kept_(parts.communicator, {}, parts.device, map.local().size(), MemoryCategory::gradients,
              parts.hosts.oneHost()),
        sum_(makeShardSum(parts, map, bucketsOf(units), startsIn(slots, units.size()),
                          spansOf(passing_, allShared() || byHosts()), spansOf(kept_, allShared()), false,
                          passing_.hosts())),
        store_(parts.communicator, *sum_, bucketsOf(units), startsIn(slots, units.size()),
               static_cast<int>(slots.size()), passing_.own()) {}

  ParameterStore& store() override { return store_; }
  /// A unit has to leave its slot before another can have it: there is always something to do beside layers.
  UpdateTraits traits() const override {
    return {.keepsWholeGradient = false,
            .worksBesideLayers = true,
            .lacksSharedMemory = passing_.lacksSharedMemory() || kept_.lacksSharedMemory()};
  }
  void start(std::int64_t end) override { store_.start(end); }
  void ready(Range range, bool) override { store_.ready(range); }
  void progress() override { store_.progress(); }
  CommunicationTime finish() override {
    CommunicationTime time = store_.finish();
    const Stopwatch watch;
    sum_->shareSums();
    time.exposed += watch.seconds();
    return time;
  }
  ShardedValues sums() const override { return {kept_.own(), false}; }
  std::string exchange() const override { return nameOfSlices(passing_.hosts()); }

 private:
  static std::vector<std::int64_t> startsIn(const std::vector<std::int64_t>& slots, std::size_t units) {
    std::vector<std::int64_t> starts;
    for (std::size_t u = 0; u < units; ++u) starts.push_back(u % slots.size() == 0 ? 0 : slots.front());
    return starts;
  }

  bool allShared() const { return passing_.shared() && kept_.shared(); }
  bool byHosts() const { return !passing_.hosts().oneHost(); }

  RankMemory passing_;
  RankMemory kept_;
  std::unique_ptr<ShardSum> sum_;
  UnitGradients store_;
};

}  // namespace

std::unique_ptr<ShardedGradients> makeShardedGradients(const UpdateContext& parts, const ShardMap& map,
                                                       const ExchangeMaker& maker) {
  if (!maker.isSum) return std::make_unique<CombinedGradients>(parts, maker);
  if (!shardsGradients(parts.experiment)) return std::make_unique<SummedGradients>(parts, map);
  NetworkShape shape;
  shape.tensors = parts.layout.forwardTensors();
  const auto units = gradientUnits(shape);
  return std::make_unique<PassingGradients>(parts, map, units, gradientSlots(units, parts.experiment.parallel.overlap));
}

}  // namespace slipstream
