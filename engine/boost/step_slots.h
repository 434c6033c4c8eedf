#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/comm/communicator.h"
#include "engine/nn/network.h"
#include "engine/nn/optimizer.h"

namespace slipstream {

/// The four slots of a training step. An algorithm fills one or several; hooks that it does not need do nothing.
/// Called by train/train_step.cpp on every rank alike.

/// What the policies decided for one step.
struct StepPlan {
  int microBatches = 1;
  int firstTrainedLayer = 0;
  double lossScale = 1.0;
  bool update = true;  ///< false: gradients are only accumulated
};

/// What became of a step.
struct StepOutcome {
  bool updated = false;
  bool overflow = false;                  ///< voted by all ranks; nothing was changed
  double communicationSeconds = 0;        ///< exposed: the step waited for it
  std::map<std::string, double> metrics;  ///< streamed as they are: orthogonality/TENSOR, cosine/TENSOR
};

/// Rewrites the layers once, before step 0.
class NetworkPass {
 public:
  virtual ~NetworkPass() = default;
  virtual NetworkSpec rewrite(const NetworkSpec& network) = 0;
};

/// Decides before each step.
class StepPolicy {
 public:
  virtual ~StepPolicy() = default;
  virtual void plan(std::int64_t step, const StepOutcome& previous, StepPlan& plan) = 0;
};

/// Works on a tensor's complete local gradient before it is exchanged; no communication.
class GradientPass {
 public:
  virtual ~GradientPass() = default;
  virtual void apply(const FlatTensor& tensor, std::span<float> gradient) = 0;
};

/// What `Update::finish` may ask for.
class StepContext {
 public:
  virtual ~StepContext() = default;
  virtual std::int64_t step() const = 0;
  /// True where any rank saw an overflow. Collective. Nothing that a rank keeps may change before it.
  virtual bool overflowVote() = 0;
  /// Mean loss over ranks of the same micro-batches with the weights as they are now; unscaled; batch-norm statistics
  /// and random streams are restored. Collective.
  virtual double trialLoss() = 0;
};

/// A rank's persistent floats that a checkpoint must hold. `perRank`: differs between ranks.
struct StateTensor {
  std::string name;
  std::span<float> values;
  bool perRank = false;
};

/// Exchange and optimizer in one, because their order is what the algorithms differ in. Exactly one a run.
class Update {
 public:
  virtual ~Update() = default;
  /// The memory that layers read weights from and add gradients to.
  virtual ParameterStore& weights() = 0;
  virtual ParameterStore& gradients() = 0;

  virtual void beforeForward(int /*layer*/) {}
  virtual void afterForward(int /*layer*/) {}
  virtual void beforeBackward(int /*layer*/) {}
  /// All gradients in `range` are complete for this micro-batch (tensor by tensor, in layout order).
  virtual void gradientReady(Range range, int microBatch, bool isLast) = 0;
  /// Drives started exchanges on; called between layers.
  virtual void progress() {}
  /// Ends the exchange and updates the weights.
  virtual StepOutcome finish(StepContext& context) = 0;

  /// Everything beyond the weights that the next step depends on.
  virtual std::vector<StateTensor> state() = 0;
  virtual double learningRateAt(std::int64_t step) const = 0;
};

/// Everything an Update is made from.
struct UpdateParts {
  const ParameterLayout& layout;
  std::vector<Bucket> buckets;
  const Experiment& experiment;
  std::vector<int> serverOfRank;  ///< size() entries
  double stepsPerEpoch;
  std::int64_t totalSteps;
  Communicator& communicator;
  Device& device;
};

}  // namespace slipstream
