#include "engine/boost/optimizer_parallel/sharded_gradients.h"

#include <algorithm>
#include <numeric>
#include <ranges>

#include "engine/boost/adasum/combination.h"
#include "engine/boost/optimizer_parallel/unit_gradients.h"
#include "engine/boost/rank_memory.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

/// Bits do not depend on whether slices are shared or sent.
constexpr const char* exchangeName = "slices";

std::vector<std::span<float>> spansOf(const RankMemory& memory, bool shared) {
  return shared ? memory.all() : std::vector{memory.own()};
}

/// Sums are made in place.
class WholeGradients final : public ShardedGradients {
 public:
  WholeGradients(const UpdateParts& parts, const ShardMap& map)
      : memory_(parts.communicator, parts.device, parts.layout.size(), MemoryCategory::gradients, true),
        store_(memory_.own()),
        sum_(parts.communicator.size() == 1
                 ? nullptr
                 : makeShardSum(parts, map, parts.buckets, startsOf(parts.buckets), spansOf(memory_, memory_.shared()),
                                spansOf(memory_, memory_.shared()), true)),
        schedule_(parts.buckets, sum_.get(), parts.experiment.parallel.overlap) {}

  ParameterStore& store() override { return store_; }
  bool areWhole() const override { return true; }
  void start(std::int64_t end) override {
    if (sum_) sum_->start(end, false);
    schedule_.start(end);
  }
  void ready(Range range, bool isLast) override {
    if (isLast) schedule_.ready(range);
  }
  void progress() override { schedule_.progress(); }
  double finish() override {
    const double seconds = schedule_.finish();
    const Stopwatch watch;
    if (sum_) sum_->settle();
    return seconds + watch.seconds();
  }
  ShardedValues sums() const override { return {memory_.own(), true}; }
  std::string exchange() const override { return sum_ ? exchangeName : "none"; }

 private:
  RankMemory memory_;
  WholeParameterStore store_;
  std::unique_ptr<ShardSum> sum_;
  BucketSchedule schedule_;
};

/// Adasum of whole gradients; every rank then uses its part.
class CombinedGradients final : public ShardedGradients {
 public:
  explicit CombinedGradients(const UpdateParts& parts)
      : memory_(parts.communicator, parts.device, parts.layout.size(), MemoryCategory::gradients,
                AdasumCombination::wantsSharedMemory(parts)),
        store_(memory_.own()),
        combination_(parts, memory_),
        schedule_(parts.buckets, combination_.both(), parts.experiment.parallel.overlap) {}

  ParameterStore& store() override { return store_; }
  bool areWhole() const override { return true; }
  void start(std::int64_t end) override { schedule_.start(end); }
  void ready(Range range, bool isLast) override {
    if (isLast) schedule_.ready(range);
  }
  void progress() override { schedule_.progress(); }
  double finish() override { return schedule_.finish(); }
  ShardedValues sums() const override { return {memory_.own(), true}; }
  void record(Range trained, StepOutcome& outcome) const override { combination_.record(trained, outcome); }
  std::string exchange() const override { return combination_.exchange(); }

 private:
  RankMemory memory_;
  WholeParameterStore store_;
  AdasumCombination combination_;
  BucketSchedule schedule_;
};

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

NetworkShape shapeOf(const ParameterLayout& layout) {
  NetworkShape shape;
  for (const FlatTensor& tensor : layout.tensors() | std::views::reverse) shape.tensors.push_back(tensor.spec);
  return shape;
}

/// Slots in one memory, unit u in slot u % slots.
class PassingGradients final : public ShardedGradients {
 public:
  PassingGradients(const UpdateParts& parts, const ShardMap& map, const std::vector<GradientUnit>& units,
                   const std::vector<std::int64_t>& slots)
      : passing_(parts.communicator, parts.device, std::reduce(slots.begin(), slots.end()), MemoryCategory::gather,
                 true),
        kept_(parts.communicator, parts.device, map.local().size(), MemoryCategory::gradients, true),
        sum_(makeShardSum(parts, map, bucketsOf(units), startsIn(slots, units.size()), spansOf(passing_, allShared()),
                          spansOf(kept_, allShared()), false)),
        store_(parts.communicator, *sum_, bucketsOf(units), startsIn(slots, units.size()),
               static_cast<int>(slots.size()), passing_.own()) {}

  ParameterStore& store() override { return store_; }
  bool areWhole() const override { return false; }
  void start(std::int64_t end) override { store_.start(end); }
  void ready(Range range, bool) override { store_.ready(range); }
  void progress() override { store_.progress(); }
  double finish() override {
    const double seconds = store_.finish();
    const Stopwatch watch;
    sum_->settle();
    return seconds + watch.seconds();
  }
  ShardedValues sums() const override { return {kept_.own(), false}; }
  std::string exchange() const override { return exchangeName; }

 private:
  static std::vector<std::int64_t> startsIn(const std::vector<std::int64_t>& slots, std::size_t units) {
    std::vector<std::int64_t> starts;
    for (std::size_t u = 0; u < units; ++u) starts.push_back(u % slots.size() == 0 ? 0 : slots.front());
    return starts;
  }

  bool allShared() const { return passing_.shared() && kept_.shared(); }

  RankMemory passing_;
  RankMemory kept_;
  std::unique_ptr<ShardSum> sum_;
  UnitGradients store_;
};

}  // namespace

std::unique_ptr<ShardedGradients> makeShardedGradients(const UpdateParts& parts, const ShardMap& map) {
  if (parts.experiment.boost.adasum) return std::make_unique<CombinedGradients>(parts);
  if (!shardsGradients(parts.experiment)) return std::make_unique<WholeGradients>(parts, map);
  const auto units = gradientUnits(shapeOf(parts.layout));
  return std::make_unique<PassingGradients>(parts, map, units, gradientSlots(units, parts.experiment.parallel.overlap));
}

}  // namespace slipstream
