// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/program/program_stage.h"
#include "engine/train/step_parts.h"

namespace slipstream {

/// What became of a step that a program has finished.
struct StepEnd {
  bool updated = false;
  bool overflow = false;
  bool checkpointDue = false;  ///< a checkpoint is kept before the next step begins: give the program's state for it
  bool stop = false;           ///< the last step, or the run is asked to end
};

/// The whole training of a rank whose program owns the network and the loop: stages, checkpoints, record, stop
/// requests. Collective, but for what says otherwise; on the thread that made it, but for ready().
class ProgramTraining {
 public:
  /// Takes memory, and puts a checkpoint back where the task names one. What is referred to lives as long. Throws
  /// Error.
  ProgramTraining(Link& link, Communicator& communicator, Device& device, TrainingTools tools,
                  const TrainingData* data);

  /// True until the first step where the run starts anew: the weights are what the program writes there, rank 0's on
  /// all ranks, or those of network.pre_trained.
  bool startsFresh() const { return fresh_; }
  /// What the program gave at the checkpoint that the run goes on from; nothing where it gave nothing.
  const std::optional<std::vector<std::byte>>& restoredState() const { return restored_; }
  /// Of the device's memory, in layout order. They move when a stage of the run ends, and only then.
  std::span<float> weights() { return stage_->weights().values(); }
  std::span<float> gradients() { return stage_->gradients().values(); }
  bool copiesGradients() { return !stage_->gradients().isDirect(); }
  const ParameterLayout& layout() const { return stage_->layout(); }
  std::int64_t stepsDone() const { return done_; }
  std::int64_t totalSteps() const { return plan_.totalSteps; }

  StepStart begin();
  StepSamples samples(int microBatch) { return stage_->samples(microBatch); }
  void ready(int tensor, int microBatch) { stage_->ready(tensor, microBatch); }
  void flushReady() { stage_->flushReady(); }
  StepEnd finish(double loss, const TrialLoss& trial);

  /// A value of this rank when stepsDone() are over, as evaluations are recorded. Of what is the same on all ranks
  /// (accuracy, evaluation_loss) rank 0's alone is recorded. Throws Error for a name or a value that cannot be.
  void record(const std::string& name, double value);
  /// Keeps the checkpoint that finish() said to be due, with the program's state.
  void keepCheckpoint(std::span<const std::byte> state);
  bool shouldStop() const { return stopped_ || done_ == plan_.totalSteps; }
  /// After the last step: keeps what is still due. Throws Error where the run was neither over nor asked to stop.
  TrainingEnd leave();

 private:
  void openStage();
  void start();
  void spreadFreshWeights();
  void enterNextStage();
  void keepSnapshot();
  void keepDue();
  [[noreturn]] void endOnInvalidLoss(const Vote& vote);
  std::int64_t own() const { return done_ - stage_->plan().firstStep; }

  Link& link_;
  Communicator& communicator_;
  Device& device_;
  const RunPlan& plan_;
  const TrainingTools tools_;
  const TrainingData* data_;
  const std::vector<StagePlan> stages_;
  std::size_t at_ = 0;
  std::unique_ptr<ProgramStage> stage_;
  StepRecorder recorder_;
  Stopwatch checkpointWatch_;
  std::optional<std::vector<std::byte>> restored_;
  std::int64_t done_ = 0;
  double rate_ = 0;
  bool fresh_ = false;
  bool started_ = false;
  bool checkpointDue_ = false;
  bool stopped_ = false;
};

}  // namespace slipstream
