#include "engine/boost/adasum/adasum.h"

#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/boost/adasum/exchange.h"
#include "engine/boost/adasum/servers.h"
#include "engine/boost/averaged/bucket_sum.h"
#include "engine/boost/gradient_memory.h"
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

/// What both modes share: the memory, the mean inside servers, the reduction over leaves, the optimizer.
class AdasumUpdate : public Update {
 public:
  explicit AdasumUpdate(const UpdateParts& parts)
      : layout_(parts.layout),
        buckets_(parts.buckets),
        device_(parts.device),
        whole_{0, parts.layout.size()},
        groups_(adasumGroups(optionsOf(parts).scope, parts.serverOfRank, parts.communicator.rank())),
        server_(groups_.severalRanksALeaf() ? parts.communicator.split(groups_.leafOfMine, parts.communicator.rank())
                                            : nullptr),
        weights_(parts.device, parts.layout.size(), MemoryCategory::weights),
        memory_(parts.communicator, parts.device, parts.layout.size(), wantsWindow(parts)),
        gradients_(memory_.own()),
        serverMean_(server_ ? makeServerMean(parts, groups_, *server_, memory_) : nullptr),
        reduction_(makeReduction(parts, groups_, memory_)),
        optimizer_(makeOptimizer(parts.experiment.optimizer, parts.layout, whole_, parts.stepsPerEpoch,
                                 parts.totalSteps, parts.device)) {
    if (reduction_) device_.memory().add(MemoryCategory::boost, ownBytes());
  }
  ~AdasumUpdate() override {
    if (reduction_) device_.memory().add(MemoryCategory::boost, -ownBytes());
  }
  AdasumUpdate(const AdasumUpdate&) = delete;
  AdasumUpdate& operator=(const AdasumUpdate&) = delete;

  ParameterStore& weights() override { return weights_; }
  ParameterStore& gradients() override { return gradients_; }
  double learningRateAt(std::int64_t step) const override { return optimizer_->learningRateAt(step); }

 protected:
  void optimize(Range range, std::span<float> weights, std::int64_t step) {
    optimizer_->update(range, weights, part(memory_.own(), range), step);
  }
  static std::span<float> part(std::span<float> whole, Range range) {
    return whole.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
  }
  std::vector<StateTensor> momentum(bool perRank) {
    if (optimizer_->state().empty()) return {};
    return {{"momentum", optimizer_->state(), perRank}};
  }
  void recordStatistics(StepOutcome& outcome) const {
    if (!reduction_) return;
    const auto statistics = reduction_->statistics();
    for (std::size_t t = 0; t < statistics.size(); ++t) {
      const std::string& name = layout_.tensors()[t].spec.name;
      outcome.metrics["orthogonality/" + name] = statistics[t].orthogonality;
      outcome.metrics["cosine/" + name] = statistics[t].cosine;
    }
  }
  std::int64_t ownBytes() const { return static_cast<std::int64_t>(reduction_->ownBytes()); }

  const ParameterLayout& layout_;
  std::vector<Bucket> buckets_;
  Device& device_;
  Range whole_;
  AdasumGroups groups_;
  std::unique_ptr<Communicator> server_;
  WholeParameterStore weights_;
  GradientMemory memory_;
  WholeParameterStore gradients_;
  std::unique_ptr<BucketExchange> serverMean_;
  std::unique_ptr<AdasumReduction> reduction_;
  std::unique_ptr<Optimizer> optimizer_;
};

/// Mean inside servers, Adasum over them, one optimizer state for all ranks.
class AdasumOfGradients final : public AdasumUpdate {
 public:
  explicit AdasumOfGradients(const UpdateParts& parts)
      : AdasumUpdate(parts),
        chain_(serverMean_ && reduction_ ? chain(*serverMean_, *reduction_, static_cast<int>(buckets_.size()))
                                         : nullptr),
        schedule_(parts.buckets, exchange(), parts.experiment.parallel.overlap) {}

  void gradientReady(Range range, int, bool isLast) override {
    if (isLast) schedule_.ready(range);
  }
  void progress() override { schedule_.progress(); }

  StepOutcome finish(StepContext& context) override {
    StepOutcome outcome;
    outcome.communicationSeconds = schedule_.finish();
    outcome.overflow = context.overflowVote();
    if (outcome.overflow) return outcome;
    optimize(whole_, weights_.acquire(whole_), context.step());
    recordStatistics(outcome);
    outcome.updated = true;
    return outcome;
  }
  std::vector<StateTensor> state() override { return momentum(false); }

 private:
  BucketExchange* exchange() const {
    if (chain_) return chain_.get();
    return serverMean_ ? serverMean_.get() : reduction_.get();
  }

  std::unique_ptr<BucketExchange> chain_;
  BucketSchedule schedule_;
};

/// Every leaf steps by itself, with its own optimizer state; Adasum combines how far they went (Maleki et al. 2020).
class AdasumOfDeltas final : public AdasumUpdate {
 public:
  explicit AdasumOfDeltas(const UpdateParts& parts)
      : AdasumUpdate(parts), schedule_(parts.buckets, serverMean_.get(), parts.experiment.parallel.overlap) {
    if (!reduction_) return;
    std::int64_t largest = 0;
    for (const Bucket& bucket : buckets_) largest = std::max(largest, bucket.range.size());
    stepped_ = device_.allocate(static_cast<std::size_t>(largest) * sizeof(float), MemoryCategory::boost);
  }

  void gradientReady(Range range, int, bool isLast) override {
    if (isLast) schedule_.ready(range);
  }
  void progress() override { schedule_.progress(); }

  StepOutcome finish(StepContext& context) override {
    StepOutcome outcome;
    outcome.communicationSeconds = schedule_.finish();
    outcome.overflow = context.overflowVote();
    if (outcome.overflow) return outcome;
    if (reduction_) {
      outcome.communicationSeconds += combineSteps(context.step());
    } else {
      optimize(whole_, weights_.acquire(whole_), context.step());
    }
    recordStatistics(outcome);
    outcome.updated = true;
    return outcome;
  }
  std::vector<StateTensor> state() override { return momentum(reduction_ != nullptr); }

 private:
  /// Bucket by bucket: step a copy of the weights, put old - new in the gradients' place, start combining it. Gives the
  /// seconds spent on the exchange.
  double combineSteps(std::int64_t step) {
    double seconds = 0;
    const auto weights = weights_.acquire(whole_);
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      const Range range = buckets_[b].range;
      const auto old = part(weights, range);
      const auto stepped = stepped_->as<float>().first(old.size());
      std::ranges::copy(old, stepped.begin());
      optimize(range, stepped, step);
      difference(old, stepped, part(memory_.own(), range));
      const Stopwatch watch;
      reduction_->begin(static_cast<int>(b));
      seconds += watch.seconds();
    }
    const Stopwatch watch;
    reduction_->finish();
    seconds += watch.seconds();
    subtractInPlace(weights, memory_.own());
    return seconds;
  }

  BucketSchedule schedule_;
  std::unique_ptr<Buffer> stepped_;  ///< a copy of one bucket's weights
};

}  // namespace

std::unique_ptr<Update> makeAdasum(const UpdateParts& parts) {
  if (optionsOf(parts).mode == AdasumMode::gradients) return std::make_unique<AdasumOfGradients>(parts);
  return std::make_unique<AdasumOfDeltas>(parts);
}

}  // namespace slipstream
