// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/sharded_deltas.h"

#include <algorithm>

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
  ServerGradients(const UpdateContext& all, const Server& server, const ShardMap& map)
      : SummedGradients(all, AdasumCombination::wantsSharedMemory(all)), combination_(all, memory_) {
    sumOver(server.parts, map, ofServer(server), {});
  }

  void record(Range trained, StepOutcome& outcome) const override { combination_.record(trained, outcome); }
  std::string exchange() const override { return combination_.exchange(); }

  AdasumReduction* reduction() const { return combination_.reduction(); }
  /// In the server's rank order where ranks share memory, else this rank's.
  std::vector<std::span<float>> ofServer(const Server& server) const {
    return memory_.hosts().of(server.groups.mine()).oneHost() ? memory_.visible(server.groups.mine())
                                                              : std::vector{memory_.own()};
  }

 private:
  AdasumCombination combination_;
};

class ShardedDeltas final : private Server, public ShardedUpdate {
 public:
  explicit ShardedDeltas(const UpdateContext& all)
      : Server(all), ShardedUpdate(parts), queue_(all.device.queue()), vectors_(parts.kernels.of<VectorKernels>()) {
    auto gradients = std::make_unique<ServerGradients>(all, static_cast<const Server&>(*this), map_);
    reduction_ = gradients->reduction();
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
      if (reduction_ != nullptr) reduction_->finish(trained_.end);
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
  AdasumReduction* reduction_ = nullptr;
  std::unique_ptr<ShardSpread> deltas_;
  std::unique_ptr<Buffer> stepped_;  ///< a copy of this rank's part of one tensor
};

}  // namespace

std::unique_ptr<Update> makeShardedDeltas(const UpdateContext& parts) {
  return std::make_unique<ShardedDeltas>(parts);
}

}  // namespace slipstream
