// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/program/program_network.h"
#include "engine/program/ready_gradients.h"
#include "engine/program/whole_view.h"
#include "engine/train/step_parts.h"
#include "engine/train/trainer.h"

namespace slipstream {

/// What a program is to do in one step.
struct StepStart {
  std::int64_t step = 0;
  int microBatches = 1;       ///< equal parts that the rank's samples of the step pass through the network in
  double share = 1;           ///< what the mean loss of each of them counts for in the step's
  int firstTrainedLayer = 0;  ///< gradients of layers below are not needed
  double lossScale = 1;       ///< what the loss is multiplied by before its backward pass
  std::int64_t samples = 0;   ///< of this rank in the step, as epochs and weights count them
};

/// A micro-batch of one of the engine's data sets, as a network reads it.
struct StepSamples {
  std::span<const float> inputs;         ///< [count, height, width, channels]
  std::span<const std::int32_t> labels;  ///< [count]
  std::int64_t count = 0;
  SampleShape shape;
  double share = 1;  ///< what its mean loss counts for in the step's
};

/// Makes the mean loss of the step's samples anew, with the weights as they are, and changes nothing.
using TrialLoss = std::function<double()>;

/// The training step of one stage, driven by the program that owns the network: begin, ready for each gradient, finish.
/// Collective, but for what says otherwise.
class ProgramStage {
 public:
  /// What is referred to lives as long. `data`: null where the samples are the program's own.
  ProgramStage(Link& link, Communicator& communicator, Device& device, const TrainingTools& tools,
               const TrainingData* data, const StagePlan& stage);

  const StagePlan& plan() const { return stage_; }
  const ParameterLayout& layout() const { return network_.layout(); }
  TrainingState state() { return {network_, slots_, device_}; }
  WholeView& weights() { return weights_; }
  WholeView& gradients() { return gradients_; }
  StoredSnapshots* snapshots() { return snapshots_.get(); }
  std::int64_t updatesDone() const { return updatesDone_; }
  void resumeAfter(std::int64_t updatesDone) { updatesDone_ = updatesDone; }
  double learningRate() const { return slots_.update->learningRateAt(updatesDone_); }
  std::int64_t samplesOfStep(std::int64_t step) const;
  void reportWaiting();

  /// `step` counts the steps of the run.
  StepStart begin(std::int64_t step);
  /// Of the step that has begun. Throws Error where the samples are the program's own. Not collective.
  StepSamples samples(int microBatch);
  /// Of a tensor, by its index in forward order. From any thread.
  void ready(int tensor, int microBatch) { requireStep().ready(tensor, microBatch); }
  /// Hands over what other threads said to be ready.
  void flushReady() { requireStep().flush(); }
  /// `loss`: of this rank's samples, each micro-batch's mean times its share.
  StepResult finish(double loss, const TrialLoss& trial);

 private:
  ReadyGradients& requireStep();
  void countMicroBatches(std::int64_t dataStep, StepStart& start);

  Link& link_;
  Communicator& communicator_;
  Device& device_;
  const TrainingTools& tools_;
  const StagePlan& stage_;
  std::unique_ptr<StageData> data_;
  std::unique_ptr<ImageInput> pictures_;
  std::unique_ptr<StoredSnapshots> snapshots_;
  ProgramNetwork network_;
  StepSlots slots_;
  WholeView weights_;
  WholeView gradients_;
  std::int64_t updatesDone_ = 0;
  // Of the step at hand:
  StepPlan step_;
  double policySeconds_ = 0;
  std::vector<double> passSeconds_;
  std::vector<MicroBatch> microBatches_;  ///< of the engine's data
  std::vector<float> inputs_;             ///< of the micro-batch that was asked for last
  std::optional<ReadyGradients> ready_;
};

}  // namespace slipstream
