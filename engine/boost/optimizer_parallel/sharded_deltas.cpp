// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/sharded_deltas.h"

#include <algorithm>

#include "engine/boost/adasum/hierarchical.h"
#include "engine/boost/optimizer_parallel/sharded_update.h"
#include "engine/boost/optimizer_parallel/whole_gradients.h"

namespace slipstream {
namespace {

/// A rank's server as a world of its own.
struct Server {
  explicit Server(const UpdateContext& all)
      : groups(adasumGroups(AdasumScope::servers, all.serverOfRank, all.communicator.rank())),
        communicator(all.communicator.split(groups.leafOfMine, all.communicator.rank())),
        parts{.layout = all.layout,
              .buckets = all.buckets,
              .experiment = all.experiment,
              .serverOfRank = std::vector<int>(groups.mine().size()),
              .stepsPerEpoch = all.stepsPerEpoch,
              .totalSteps = all.totalSteps,
              .communicator = *communicator,
              .device = all.device,
              .kernels = all.kernels} {}

  AdasumGroups groups;
  std::unique_ptr<Communicator> communicator;
  UpdateContext parts;
};

/// Every rank gets its server's sums for its part; Adasum combines in the same memory what becomes of them.
class ServerGradients final : public SummedGradients {
 public:
  ServerGradients(const UpdateContext& all, const ExchangeMaker& maker, const Server& server, const ShardMap& map)
      : SummedGradients(all, maker.sharesMemory), exchange_(maker.make(all, memory_)) {
    sumOver(server.parts, map, ofServer(server), {});
  }

  void record(Range trained, StepOutcome& outcome) const override { exchange_->record(trained, outcome); }
  std::string exchange() const override { return exchange_->name(); }
  UpdateTraits traits() const override {
    UpdateTraits traits = SummedGradients::traits();
    traits.addsGradients = exchange_->addsGradients();
    return traits;
  }

  BucketExchange* ofSteps() const { return exchange_->ofSteps(); }
  /// In the server's rank order where ranks share memory, else this rank's.
  std::vector<std::span<float>> ofServer(const Server& server) const {
    return memory_.hosts().of(server.groups.mine()).oneHost() ? memory_.visible(server.groups.mine())
                                                              : std::vector{memory_.own()};
  }

 private:
  std::unique_ptr<Exchange> exchange_;
};

class ShardedDeltas final : private Server, public ShardedUpdate {
 public:
  ShardedDeltas(const UpdateContext& all, const ExchangeMaker& maker)
      : Server(all), ShardedUpdate(parts), queue_(all.device.queue()), vectors_(parts.kernels.of<VectorKernels>()) {
    auto gradients = std::make_unique<ServerGradients>(all, maker, static_cast<const Server&>(*this), map_);
    ofSteps_ = gradients->ofSteps();
    deltas_ = std::make_unique<ShardSpread>(*communicator, map_, gradients->ofServer(*this), HostLayout(), true, queue_,
                                            vectors_);
    useGradients(std::move(gradients));
    std::int64_t largest = 0;
    for (const FlatTensor& tensor : map_.local().tensors()) largest = std::max(largest, tensor.range.size());
    stepped_ = all.device.allocate(static_cast<std::size_t>(largest) * sizeof(float), MemoryCategory::boost);
  }

 private:
  /// Steps a copy of this rank's part, puts old - new in its gradients' place, hands that round in the server; then
  /// Adasum combines the servers' whole differences.
  CommunicationTime stepAll(const StepContext& context) override {
    ExchangeClock clock;
    forTrained([&](int tensor) {
      const auto old = weightsOf(tensor);
      const auto stepped = stepped_->as<float>().first(old.size());
      vectors_.copy(queue_, old, stepped);
      optimize(tensor, stepped, context);
      vectors_.difference(queue_, old, stepped, gradientsOf(tensor));
      clock.run([&] { return deltas_->stepped(tensor); });
    });
    clock.run([&] {
      deltas_->finish();
      if (ofSteps_ != nullptr) ofSteps_->finish(trained_.end);
      return false;
    });
    forTrained([&](int tensor) {
      vectors_.subtract(queue_, weightsOf(tensor), gradientsOf(tensor));
      clock.run([&] { return spread_.stepped(tensor); });
    });
    clock.run([&] { return spread_.finish(); });
    return clock.take();
  }

  DeviceQueue& queue_;
  const VectorKernels& vectors_;
  BucketExchange* ofSteps_ = nullptr;
  std::unique_ptr<ShardSpread> deltas_;
  std::unique_ptr<Buffer> stepped_;  ///< a copy of this rank's part of one tensor
};

}  // namespace

std::unique_ptr<Update> makeShardedDeltas(const UpdateContext& parts, const ExchangeMaker& maker) {
  return std::make_unique<ShardedDeltas>(parts, maker);
}

}  // namespace slipstream
