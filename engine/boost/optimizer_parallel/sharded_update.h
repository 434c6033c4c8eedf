// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "engine/boost/grad_centralization/grad_centralization.h"
#include "engine/boost/optimizer_parallel/gathered_weights.h"
#include "engine/boost/optimizer_parallel/shard_spread.h"
#include "engine/boost/optimizer_parallel/sharded_gradients.h"
#include "engine/boost/rank_memory.h"
#include "engine/boost/step_optimizer.h"

namespace slipstream {

/// An Update whose every rank steps only its part of the weights, and keeps optimizer state for that part alone.
class ShardedUpdate : public Update {
 public:
  /// Collective over parts.communicator, whose ranks share out everything between them.
  explicit ShardedUpdate(const UpdateContext& parts);

  ParameterStore& weights() final;
  ParameterStore& gradients() final { return gradients_->store(); }
  UpdateTraits traits() const final {
    UpdateTraits traits = gradients_->traits();
    traits.lacksSharedMemory = traits.lacksSharedMemory || memory_.lacksSharedMemory();
    return traits;
  }
  void begin(const StepPlan& plan) final;
  void gradientReady(Range range, int, bool isLast) final { gradients_->ready(range, isLast); }
  void progress() final { gradients_->progress(); }
  StepOutcome finish(StepContext& context) final;
  std::vector<StateTensor> state() final;
  double learningRateAt(std::int64_t updatesDone) const final { return optimizer_.learningRateAt(updatesDone); }
  std::string exchange() const final { return gradients_->exchange(); }

 protected:
  /// To be called once by the subclass.
  void useGradients(std::unique_ptr<ShardedGradients> gradients) { gradients_ = std::move(gradients); }

  /// Sums are made and no rank saw an overflow: steps this rank's part of the trained tensors and hands it round. Gives
  /// what exchanging took.
  virtual CommunicationTime stepAll(const StepContext& context) = 0;

  /// They are the first ones.
  int trainedTensors() const {
    const auto isFrozen = [&](const FlatTensor& tensor) { return tensor.range.begin >= trained_.end; };
    return static_cast<int>(std::ranges::find_if(layout_.tensors(), isFrozen) - layout_.tensors().begin());
  }
  /// Calls use(tensor) for every trained tensor.
  template <class Use>
  void forTrained(Use&& use) const {
    for (int tensor = 0; tensor < trainedTensors(); ++tensor) use(tensor);
  }
  /// Steps this rank's parts of the tensors [first, end) where they are, in one go.
  void optimize(int first, int end, const StepContext& context) { optimizer_.step(rangesOf(first, end), context); }
  /// Steps `weights`, this rank's part of a tensor, along its gradients.
  void optimize(int tensor, std::span<float> weights, const StepContext& context);
  std::span<float> weightsOf(int tensor) const;
  std::span<float> gradientsOf(int tensor) const { return gradients_->sums().at(map_, tensor, map_.mine(tensor)); }

  const ParameterLayout& layout_;
  std::vector<Bucket> buckets_;
  Sharding sharding_;
  ShardMap map_;
  Range trained_;

 private:
  bool weightsAreWhole_;
  RankMemory memory_;
  WholeParameterStore whole_;  ///< on memory_, at levels 1 and 2
  std::unique_ptr<GatheredWeights> gathered_;

 protected:
  ShardSpread spread_;

 private:
  void centralize(StepOutcome& outcome);
  std::vector<StepRange> rangesOf(int first, int end) const;

  StepOptimizer optimizer_;
  std::unique_ptr<ShardedGradients> gradients_;
  GradCentralization centralization_;
  Communicator& sharers_;
};

}  // namespace slipstream
