// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/boost/dim_reduce/make_projection.h"
#include "engine/boost/dim_reduce/slice_gather.h"
#include "engine/boost/replicated_update.h"

namespace slipstream {

/// What both methods of dim_reduce have in common: gradients are averaged over ranks as ever and projected; each rank
/// works out its columns' new weights and gathers the others'. A method says how to move.
class SubspaceUpdate : public ReplicatedUpdate {
 public:
  std::vector<StateTensor> state() override;

 protected:
  explicit SubspaceUpdate(const UpdateContext& parts);
  /// To be called once by the subclass, when it knows the size of its spaceState().
  void packSpaceState();

  /// The gradient is every rank's mean and no rank saw an overflow: change the weights. False: nothing was changed.
  virtual bool move(StepContext& context, StepOutcome& outcome) = 0;
  /// What a method keeps in the space, the same on every rank.
  virtual std::span<double> spaceState() = 0;

  int dimensions() const { return ready_.projection.components(); }
  const Projection& projection() const { return ready_.projection; }
  /// This rank's columns, and those of them that this step trains.
  Range columns() const { return projection().columns(); }
  Range trainedColumns() const;
  /// P g, the same on every rank. Collective.
  std::vector<double> gradientInSpace(StepOutcome& outcome);
  std::span<const float> trainedGradient() const;
  std::span<float> allWeights() { return weightsOf({0, layout_.size()}); }
  /// The gradients' memory, free for other use once nobody needs the gradient any more.
  std::span<float> freeMemory() { return memory_.own(); }
  /// This rank's columns of what gatherSlices() then puts together.
  std::span<float> slice() { return gather_.mine(); }
  void gatherSlices(std::span<float> whole);

  const DimReduceKernels& kernels_;
  const VectorKernels& vectors_;

 private:
  /// Throws Error where the state came from a checkpoint that was made with another projection.
  bool update(StepContext& context, StepOutcome& outcome) final;
  void unpackSpaceState();
  /// Runs `exchange`, whose time is communication.
  template <class Exchange>
  void timed(const Exchange& exchange) {
    const Stopwatch watch;
    exchange();
    exchangeSeconds_ += watch.seconds();
  }
  void checkProjection() const;
  /// Once a run.
  void reportExplainedVariance(StepOutcome& outcome);

  Communicator& communicator_;
  std::unique_ptr<BucketExchange> exchange_;
  ReadyProjection ready_;
  SliceGather gather_;
  std::array<float, 2> fingerprint_;    ///< of this rank's columns of the projection
  std::array<float, 2> continuedFrom_;  ///< the same in the state: a checkpoint may bring another
  std::vector<float> packed_;           ///< bits of spaceState(), as a checkpoint keeps them
  double exchangeSeconds_ = 0;          ///< of the step's own collectives
  bool explained_ = false;              ///< the explained variance was reported
};

/// The P-BFGS method (Li et al., TPAMI 2022, arXiv 2103.11154). Collective.
std::unique_ptr<Update> makeSubspaceBfgs(const UpdateContext& parts);
/// The P-SGD method. Collective.
std::unique_ptr<Update> makeSubspaceSgd(const UpdateContext& parts);

}  // namespace slipstream
