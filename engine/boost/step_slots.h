// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/boost/exchange_clock.h"
#include "engine/boost/kernel_tables.h"
#include "engine/comm/communicator.h"
#include "engine/nn/network.h"
#include "engine/nn/optimizer.h"
#include "engine/spec/host_layout.h"

namespace slipstream {

/// The slots of a training step. An algorithm fills one or several; hooks that it does not need do nothing. Called by
/// train/train_step.cpp on every rank alike. (What rewrites the network does so before, when the run is planned.)

/// What the policies decided for one step, the same on every rank.
struct StepPlan {
  int microBatches = 1;          ///< equal parts of a batch, passed through the network one after the other
  bool sumMicroBatches = false;  ///< loss and gradient count `microBatches` times: their sum instead of their mean
  int firstTrainedLayer = 0;     ///< layers below it are frozen: no backward pass, no exchange, no update
  double lossScale = 1.0;        ///< what backward multiplies the loss by; loss_scale's pass divides by it again
};

/// What became of a step.
struct StepOutcome {
  bool updated = false;
  bool overflow = false;             ///< voted by all ranks; nothing was changed
  bool retriesSmaller = false;       ///< after an overflow: what overflowed has a smaller loss scale at the next step
  CommunicationTime communication;   ///< votes and means of losses included
  double updateSeconds = 0;          ///< of finish(), without the exchange: from the vote to the new weights
  double centralizationSeconds = 0;  ///< of grad_centralization, which is no part of updateSeconds
  std::map<std::string, double> metrics;  ///< rank 0's are streamed: orthogonality/TENSOR, loss_scale, ...
};

/// Decides before each step.
class StepPolicy {
 public:
  virtual ~StepPolicy() = default;
  /// Of the algorithm; its state is under this name in a checkpoint.
  virtual std::string name() const = 0;
  /// `step`: of the schedule, from 0; skipped updates count, and a stage that continues another goes on from its steps.
  virtual void plan(std::int64_t step, StepPlan& plan) = 0;
  /// Sees what became of the step, and may add metrics.
  virtual void afterStep(const StepPlan& /*plan*/, StepOutcome& /*outcome*/) {}
  /// What the next decision depends on beside the step's number.
  virtual std::vector<double> state() const { return {}; }
  virtual void restore(std::span<const double> /*state*/) {}
};

/// Works on tensors' complete local gradients before they are exchanged; no communication.
class GradientPass {
 public:
  virtual ~GradientPass() = default;
  /// Of the algorithm; its time is recorded under this name.
  virtual std::string name() const = 0;
  /// Of tensors that follow one another, one at least: `gradients` are those of all of them. Each tensor comes
  /// once a step, or for every micro-batch where the Update does not keep the whole gradient. Gradients are on their
  /// device: nothing here waits for it.
  virtual void apply(const StepPlan& plan, std::span<const FlatTensor> tensors, std::span<float> gradients) = 0;
  /// One for each part of the gradient that is told apart: 1 where apply() saw an overflow in it during this step, else
  /// 0. None: it does not look; as many on every rank, who else vote (StepContext::overflowVote). Asked once a step, by
  /// the vote, and waits for the device; the vote leaves those of any rank there.
  virtual std::span<double> overflowFlags() { return {}; }
};

/// What `Update::finish` may ask for.
class StepContext {
 public:
  virtual ~StepContext() = default;
  virtual const StepPlan& plan() const = 0;
  /// Updates that the run has made before this step: what schedules count. Skipped steps are not among them.
  virtual std::int64_t updatesDone() const = 0;
  /// True where any rank saw an overflow. Collective. Nothing that a rank keeps may change before it.
  virtual bool overflowVote() = 0;
  /// Mean loss over the samples of all ranks, of the step's own forward passes; unscaled. Collective.
  virtual double meanLoss() = 0;
  /// Mean loss over the same samples with the weights as they are now; unscaled; batch-norm statistics
  /// and random streams are restored. Collective.
  virtual double trialLoss() = 0;
  /// Seconds that the answers so far have cost in communication.
  virtual double exchangeSeconds() const = 0;
};

/// Of `gradients`, those of all `tensors`, the ones of the tensors [first, end).
inline std::span<float> runOf(std::span<const FlatTensor> tensors, std::span<float> gradients, std::size_t first,
                              std::size_t end) {
  const std::int64_t begin = tensors[first].range.begin;
  return gradients.subspan(static_cast<std::size_t>(begin - tensors.front().range.begin),
                           static_cast<std::size_t>(tensors[end - 1].range.end - begin));
}

/// Where a part of the flat space lies among a rank's values.
struct RankShare {
  Range range;
  std::int64_t at = 0;
};

/// How a state of the whole flat space is cut into shards: so many ranks in a row keep one copy of it.
struct StateSharding {
  int shards = 1;
  /// What shard `shard` of so many has.
  std::function<std::vector<RankShare>(int shard, int shards)> partsOf = {};
};

/// A rank's persistent floats that a checkpoint must hold. `perRank`: differs between ranks.
struct StateTensor {
  std::string name;
  std::span<float> values;
  bool perRank = false;
  StateSharding sharding = {};  ///< of what ranks share out, so that another number of ranks can do so anew
};

/// What the training step has to know of an Update; the same from its construction on.
struct UpdateTraits {
  /// False where gradients() is emptied after every micro-batch: then each one's gradient is complete by itself, and
  /// the Update adds them up.
  bool keepsWholeGradient = true;
  /// True where what the optimizer steps along is a mean or sum of the ranks' gradients: each then counts by its
  /// samples. False where ranks are combined otherwise: each one's gradient is the mean over its own samples, however
  /// few.
  bool addsGradients = true;
  /// True where it has something to do as soon as a layer's gradients are complete: gradientReady() and progress() then
  /// come between the layers of a backward pass. Else they may come behind the whole of it, which a device can do in
  /// one go.
  bool worksBesideLayers = true;
  /// True where it would exchange in shared memory but has none, and sends messages instead. The same on every rank.
  bool lacksSharedMemory = false;
};

/// Exchange and optimizer in one, because their order is what the algorithms differ in. Exactly one a run. Gradients
/// reach it without a loss scale: no Update divides by StepPlan::lossScale, and one that steps with the experiment's
/// optimizer has a StepOptimizer, which does not divide a second time.
class Update {
 public:
  virtual ~Update() = default;
  /// The memory that layers read weights from and add gradients to.
  virtual ParameterStore& weights() = 0;
  virtual ParameterStore& gradients() = 0;
  virtual UpdateTraits traits() const { return {}; }

  /// Before the step's first forward pass.
  virtual void begin(const StepPlan& /*plan*/) {}
  /// All gradients in `range` are complete for this micro-batch (tensor by tensor, in layout order).
  virtual void gradientReady(Range range, int microBatch, bool isLast) = 0;
  /// Drives started exchanges on; called behind each layer.
  virtual void progress() {}
  /// Ends the exchange and updates the weights.
  virtual StepOutcome finish(StepContext& context) = 0;

  /// Everything beyond the weights that the next step depends on.
  virtual std::vector<StateTensor> state() = 0;
  virtual double learningRateAt(std::int64_t updatesDone) const = 0;
  /// How ranks exchange, in one word of the plan's: bits depend on it, so a resumed run must use the same.
  virtual std::string exchange() const = 0;
};

/// What sits in the slots of a training step: the experiment, as objects.
struct StepSlots {
  std::unique_ptr<Update> update;
  std::vector<std::shared_ptr<StepPolicy>> policies;  ///< shared: one object may fill several slots
  std::vector<std::shared_ptr<GradientPass>> gradientPasses;
};

class WeightSnapshots;

/// Everything that what fills a slot is made from.
struct UpdateContext {
  const ParameterLayout& layout;
  std::vector<Bucket> buckets;
  const Experiment& experiment;
  std::vector<int> serverOfRank;  ///< size() entries
  double stepsPerEpoch;           ///< > 0; updates of this stage
  std::int64_t totalSteps;        ///< of the schedule
  Communicator& communicator;
  Device& device;
  KernelTables kernels;                  ///< the device's; none is missing
  WeightSnapshots* snapshots = nullptr;  ///< of an earlier stage or a folder, where the experiment names them
  HostLayout hosts = {};                 ///< of the communicator's ranks, as exchanges are to tell them apart
};

}  // namespace slipstream
