#include "engine/boost/adasum/adasum.h"

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/boost/adasum/exchange.h"
#include "engine/boost/adasum/servers.h"
#include "engine/boost/averaged/bucket_sum.h"
#include "engine/boost/replicated_update.h"
#include "engine/boost/slices.h"
#include "engine/boost/vectors.h"

namespace slipstream {
namespace {

AdasumShape shapeOf(const UpdateParts& parts) {
  AdasumShape shape;
  for (const FlatTensor& tensor : parts.layout.tensors()) shape.tensors.push_back(tensor.range);
  shape.buckets = parts.buckets;
  return shape;
}

const AdasumOptions& optionsOf(const UpdateParts& parts) {
  return parts.experiment.boost.adasumOptions;
}

bool wantsWindow(const UpdateParts& parts) {
  const AdasumExchange asked = optionsOf(parts).exchange;
  return asked == AdasumExchange::automatic || asked == AdasumExchange::window;
}

/// Mean (or sum) of the gradients inside each leaf's group; null where every leaf is one rank.
std::unique_ptr<BucketExchange> makeServerMean(const UpdateParts& parts, const AdasumGroups& groups,
                                               Communicator& server, const GradientMemory& memory) {
  if (!groups.severalRanksALeaf()) return nullptr;
  std::vector<std::span<float>> values;
  if (memory.shared()) {
    for (const int rank : groups.mine()) values.push_back(memory.all()[static_cast<std::size_t>(rank)]);
  } else {
    values.push_back(memory.own());
  }
  const float scale = parts.experiment.parallel.gradientsMean ? 1.0F / static_cast<float>(groups.mine().size()) : 1.0F;
  return makeBucketSum(server, std::move(values), parts.buckets, scale);
}

std::unique_ptr<AdasumReduction> makeByMessages(AdasumExchange exchange, Communicator& communicator,
                                                std::span<float> values, AdasumShape shape) {
  if (exchange == AdasumExchange::halving) return makeHalvingAdasum<float>(communicator, values, std::move(shape));
  return makeGramAdasum<float>(communicator, values, std::move(shape));
}

std::string nameOf(AdasumExchange exchange) {
  if (exchange == AdasumExchange::window) return "window";
  return exchange == AdasumExchange::halving ? "halving" : "gram";
}

/// Adasum over the leaves; null where there is one.
std::unique_ptr<AdasumReduction> makeReduction(const UpdateParts& parts, const AdasumGroups& groups,
                                               const GradientMemory& memory) {
  if (groups.leaves() == 1) return nullptr;
  const AdasumExchange exchange = chooseExchange(optionsOf(parts).exchange, memory.shared(), groups.leaves());
  if (exchange == AdasumExchange::window) {
    if (!memory.shared()) throw Error("Adasum's exchange `window` needs ranks that share a host's memory; use auto");
    return makeWindowAdasum<float>(parts.communicator, memory.all(), groups.leaders(), shapeOf(parts));
  }
  if (!groups.severalRanksALeaf()) return makeByMessages(exchange, parts.communicator, memory.own(), shapeOf(parts));
  auto server = parts.communicator.split(groups.leafOfMine, parts.communicator.rank());
  const bool leads = server->rank() == 0;
  auto leaders = parts.communicator.split(leads ? 0 : 1, parts.communicator.rank());
  auto leader = leads ? makeByMessages(exchange, *leaders, memory.own(), shapeOf(parts)) : nullptr;
  return makeLedAdasum(std::move(server), std::move(leaders), std::move(leader), memory.own(), shapeOf(parts));
}

/// What both modes share: the mean inside servers, and the reduction over leaves.
class AdasumUpdate : public ReplicatedUpdate {
 public:
  explicit AdasumUpdate(const UpdateParts& parts)
      : ReplicatedUpdate(parts, wantsWindow(parts)),
        groups_(adasumGroups(optionsOf(parts).scope, parts.serverOfRank, parts.communicator.rank())),
        server_(groups_.severalRanksALeaf() ? parts.communicator.split(groups_.leafOfMine, parts.communicator.rank())
                                            : nullptr),
        serverMean_(server_ ? makeServerMean(parts, groups_, *server_, memory_) : nullptr),
        reduction_(makeReduction(parts, groups_, memory_)),
        exchange_(nameOf(chooseExchange(optionsOf(parts).exchange, memory_.shared(), groups_.leaves()))) {
    if (reduction_) device_.memory().add(MemoryCategory::boost, ownBytes());
  }
  ~AdasumUpdate() override {
    if (reduction_) device_.memory().add(MemoryCategory::boost, -ownBytes());
  }
  AdasumUpdate(const AdasumUpdate&) = delete;
  AdasumUpdate& operator=(const AdasumUpdate&) = delete;

  std::string exchange() const override { return exchange_; }

 protected:
  void recordStatistics(Range trained, StepOutcome& outcome) const {
    if (!reduction_) return;
    const auto statistics = reduction_->statistics();
    for (std::size_t t = 0; t < statistics.size() && layout_.tensors()[t].range.begin < trained.end; ++t) {
      const std::string& name = layout_.tensors()[t].spec.name;
      outcome.metrics["orthogonality/" + name] = statistics[t].orthogonality;
      outcome.metrics["cosine/" + name] = statistics[t].cosine;
    }
  }

  AdasumGroups groups_;
  std::unique_ptr<Communicator> server_;
  std::unique_ptr<BucketExchange> serverMean_;
  std::unique_ptr<AdasumReduction> reduction_;

 private:
  std::int64_t ownBytes() const { return static_cast<std::int64_t>(reduction_->ownBytes()); }

  std::string exchange_;
};

/// Mean inside servers, Adasum over them, one optimizer state for all ranks.
class AdasumOfGradients final : public AdasumUpdate {
 public:
  explicit AdasumOfGradients(const UpdateParts& parts)
      : AdasumUpdate(parts),
        chain_(serverMean_ && reduction_ ? chain(*serverMean_, *reduction_, static_cast<int>(buckets_.size()))
                                         : nullptr) {
    exchangeThrough(whole());
  }

 private:
  BucketExchange* whole() const {
    if (chain_) return chain_.get();
    return serverMean_ ? serverMean_.get() : reduction_.get();
  }
  void update(const StepContext& context, Range trained, StepOutcome& outcome) override {
    optimize(trained, weightsOf(trained), context);
    recordStatistics(trained, outcome);
  }

  std::unique_ptr<BucketExchange> chain_;
};

/// Every leaf steps by itself, with its own optimizer state; Adasum combines how far they went (Maleki et al. 2020).
class AdasumOfDeltas final : public AdasumUpdate {
 public:
  explicit AdasumOfDeltas(const UpdateParts& parts) : AdasumUpdate(parts) {
    exchangeThrough(serverMean_.get());
    if (!reduction_) return;
    std::int64_t largest = 0;
    for (const Bucket& bucket : buckets_) largest = std::max(largest, bucket.range.size());
    stepped_ = device_.allocate(static_cast<std::size_t>(largest) * sizeof(float), MemoryCategory::boost);
  }

 private:
  bool optimizerDiffersByRank() const override { return reduction_ != nullptr; }

  void update(const StepContext& context, Range trained, StepOutcome& outcome) override {
    if (reduction_) {
      outcome.communicationSeconds += combineSteps(context, trained);
    } else {
      optimize(trained, weightsOf(trained), context);
    }
    recordStatistics(trained, outcome);
  }

  /// Bucket by bucket: step a copy of the weights, put old - new in the gradients' place, start combining it. What a
  /// bucket holds of frozen tensors is combined too, each by itself, and left there. Gives the seconds spent on the
  /// exchange.
  double combineSteps(const StepContext& context, Range trained) {
    double seconds = 0;
    for (std::size_t b = 0; b < buckets_.size() && buckets_[b].range.begin < trained.end; ++b) {
      const Range range = intersection(buckets_[b].range, trained);
      const auto old = weightsOf(range);
      const auto stepped = stepped_->as<float>().first(old.size());
      std::ranges::copy(old, stepped.begin());
      optimize(range, stepped, context);
      difference(old, stepped, gradientsOf(range));
      const Stopwatch watch;
      reduction_->begin(static_cast<int>(b));
      seconds += watch.seconds();
    }
    const Stopwatch watch;
    reduction_->finish(trained.end);
    seconds += watch.seconds();
    subtractInPlace(weightsOf(trained), gradientsOf(trained));
    return seconds;
  }

  std::unique_ptr<Buffer> stepped_;  ///< a copy of one bucket's weights
};

}  // namespace

std::unique_ptr<Update> makeAdasum(const UpdateParts& parts) {
  if (optionsOf(parts).mode == AdasumMode::gradients) return std::make_unique<AdasumOfGradients>(parts);
  return std::make_unique<AdasumOfDeltas>(parts);
}

}  // namespace slipstream
