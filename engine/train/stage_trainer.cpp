// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/stage_trainer.h"

#include <cmath>
#include <exception>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/record/metric_info.h"
#include "engine/spec/checkpoint_schedule.h"
#include "engine/train/evaluate.h"
#include "engine/train/refresh_statistics.h"
#include "engine/train/stage_data.h"
#include "engine/train/stage_progress.h"
#include "engine/train/stage_start.h"
#include "engine/train/step_recorder.h"
#include "engine/train/step_vote.h"
#include "engine/train/weight_average.h"

namespace slipstream {
namespace {

/// Trains one stage of the run. Steps that are done are counted over the whole run.
class StageTrainer {
 public:
  StageTrainer(Link& link, Communicator& communicator, Device& device, const TrainingTools& tools,
               const TrainingData& data, const StagePlan& stage)
      : link_(link),
        communicator_(communicator),
        device_(device),
        plan_(link.task().plan),
        stage_(stage),
        experiment_(stage.experiment),
        data_(data, stage, link, communicator, device.memory()),
        snapshots_(openSnapshots()),
        network_(tools.makeNetwork(experiment_.network, data_.shape(), samplesPerPass(experiment_),
                                   imageType(experiment_), device)),
        slots_(compose({.layout = network_->layout(),
                        .buckets = chooseBuckets(experiment_.parallel, network_->layout()),
                        .experiment = experiment_,
                        .serverOfRank = servers(),
                        .stepsPerEpoch = static_cast<double>(stage.stepsPerEpoch),
                        .totalSteps = stage.scheduleStep + stage.updates(),
                        .communicator = communicator,
                        .device = device,
                        .kernels = tools.kernels,
                        .snapshots = snapshots_.get(),
                        .hosts = exchangeHosts(plan_, experiment_)})),
        average_(makeAverage(tools.kernels)),
        passes_(*network_, experiment_.loss, device, tools.makeLoss(device),
                tools.makeImageInput(device, normalizationOf(experiment_.dataset, data_.shape().channels))),
        step_(passes_, slots_, communicator),
        recorder_(link, communicator.rank()),
        log_(tools.log) {}

  /// `from`: the checkpoint inside the stage to go on from.
  TrainingEnd run(const CheckpointManifest* from) {
    recordMissingMemory();
    const TrainingEnd end = runFrom(from != nullptr ? resume(*from) : start());
    data_.reportWaiting();
    return end;
  }

 private:
  TrainingEnd runFrom(std::int64_t done) {
    while (done < stage_.endStep) {
      const bool refreshes = done - stage_.firstStep == stage_.updates();
      const Vote vote = refreshes ? refresh(done) : runStep(done);
      ++done;
      if (vote.invalidRank && experiment_.train.stopOnInvalidLoss) endOnInvalidLoss(vote, done);
      const DueAfterStep due = dueAfterStep(plan_, stage_, done, vote);
      const std::exception_ptr unread = due.stageEnds || evaluationDue(done) ? evaluateNow(done) : nullptr;
      if (due.snapshot) keepSnapshot(done);
      if (due.checkpoint) keepCheckpoint(done);
      if (unread) endUnread(unread);
      if (due.stops) return {done, true};
    }
    return {done, false};
  }

  std::unique_ptr<StoredSnapshots> openSnapshots() const {
    if (!stage_.readsSnapshots && !stage_.start.wantsMean()) return nullptr;
    return std::make_unique<StoredSnapshots>(link_, findStage(plan_, stage_.start.stage)->snapshotSteps);
  }

  /// The forecast of a local plan counts on shared memory.
  void recordMissingMemory() {
    if (!exchangesInSharedMemory(plan_) || communicator_.rank() != 0 || !slots_.update->traits().lacksSharedMemory)
      return;
    link_.event(EventLevel::warning, "shared_memory",
                "the ranks of this host get no shared memory for what they exchange, so they send messages: slower, "
                "and with receive buffers beyond the forecast; enlarge /dev/shm, or free some of it");
  }

  std::unique_ptr<WeightAverage> makeAverage(const KernelTables& kernels) {
    if (!experiment_.train.averageDecay) return nullptr;
    return std::make_unique<WeightAverage>(*experiment_.train.averageDecay, slots_.update->weights(), communicator_,
                                           device_, kernels);
  }

  TrainingState state() { return {*network_, slots_, device_, average_.get()}; }

  std::vector<int> servers() const {
    std::vector<int> servers;
    for (const RankPlacement& place : plan_.places) servers.push_back(place.server);
    return servers;
  }

  std::int64_t start() {
    step_.resumeAfter(startStage(plan_, stage_, state(), snapshots_.get(), link_, communicator_));
    if (average_ && !stage_.start.continues) average_->begin();
    startClocks();
    return stage_.firstStep;
  }

  std::int64_t resume(const CheckpointManifest& from) {
    const auto progress = restoreCheckpoint(from, state(), link_, communicator_, plan_.allowDifferentBits);
    requireStage(progress, stage_);
    step_.resumeAfter(progress.updatesDone);
    startClocks();
    return progress.step;
  }

  void startClocks() {
    checkpointWatch_.restart();
    recorder_.start();
  }

  /// Of the stage's own steps, `done` of the run's are over.
  std::int64_t own(std::int64_t done) const { return done - stage_.firstStep; }

  Vote runStep(std::int64_t step) {
    link_.progress(step, "data", communicator_.sequence());
    const Batch& batch = data_.batchOf(stage_.dataStep + own(step));
    recorder_.dataReady(data_.skippedSamples());
    link_.progress(step, "step", communicator_.sequence());
    const double rate = slots_.update->learningRateAt(step_.updatesDone());
    StepResult result = step_.run(batch, stage_.scheduleStep + own(step));
    if (average_ && result.outcome.updated) average_->add();
    const Stopwatch voting;
    const bool invalid = !std::isfinite(result.loss) && !result.outcome.retriesSmaller;
    const Vote vote = voteOf(communicator_, {link_.stopRequested(), invalid, clockSaysCheckpoint()});
    result.outcome.communication.exposed += voting.seconds();
    recorder_.record(step, result, rate, data_.samplesAt(stage_.dataStep + own(step)));
    logLoss(own(step), result.loss);
    data_.stepDone();
    return vote;
  }

  void logLoss(std::int64_t done, double loss) const {
    const auto line = dueLossLine(stage_, done, loss);
    if (line && log_) log_(*line);
  }

  Vote refresh(std::int64_t step) {
    link_.progress(step, "statistics", communicator_.sequence());
    withJudgedWeights([&] {
      data_.reportSkipped(refreshStatistics(
          passes_, slots_.update->weights(), experiment_.network,
          {data_.loader(), stage_.dataStep + own(step), stage_.stepsPerEpoch, samplesPerPass(experiment_)},
          communicator_));
    });
    return voteOf(communicator_, {link_.stopRequested(), false, false});
  }

  /// Those that evaluations judge: the average of the weights where there is one.
  void withJudgedWeights(const std::function<void()>& use) {
    if (average_) return average_->withAverage(use);
    use();
  }

  /// The first rank whose loss it is ends the job; the others wait for that, so that nobody else is named.
  [[noreturn]] void endOnInvalidLoss(const Vote& vote, std::int64_t done) {
    if (communicator_.rank() != *vote.invalidRank) communicator_.barrier();
    throw Error(invalidLossText(vote, own(done), stage_.stepsPerEpoch, communicator_.size()));
  }

  bool evaluationDue(std::int64_t done) const {
    const std::int64_t every = experiment_.train.evaluateEverySteps;
    return own(done) % (every > 0 ? every : stage_.stepsPerEpoch) == 0;
  }

  /// What kept samples from being read, on all ranks alike.
  std::exception_ptr evaluateNow(std::int64_t done) {
    link_.progress(done, "evaluation", communicator_.sequence());
    std::exception_ptr unread;
    recorder_.between(done, metric::evaluationSeconds, [&] {
      try {
        const Evaluation evaluation = evaluateWeights();
        data_.reportSkipped(evaluation.skipped);
        recorder_.evaluated(done, evaluation);
      } catch (const UnreadableSamples&) {
        unread = std::current_exception();
      }
    });
    return unread;
  }

  Evaluation evaluateWeights() {
    Evaluation evaluation;
    withJudgedWeights([&] {
      evaluation = evaluate(passes_, slots_.update->weights(), experiment_.dataset, data_.evaluation(),
                            samplesPerPass(experiment_), communicator_);
    });
    return evaluation;
  }

  /// What was trained is kept before the run ends over an image that it is not trained with.
  [[noreturn]] void endUnread(const std::exception_ptr& unread) {
    link_.flush();
    communicator_.barrier();
    std::rethrow_exception(unread);
  }

  /// Rank 0's clock decides for all.
  bool clockSaysCheckpoint() const {
    return communicator_.rank() == 0 && checkpointDueByClock(experiment_.train.checkpoint, checkpointWatch_.seconds());
  }

  void keepSnapshot(std::int64_t done) {
    link_.progress(done, "snapshot", communicator_.sequence());
    recorder_.between(done, metric::snapshotSeconds, [&] {
      const auto content = CheckpointContent::ofWeights(state(), communicator_.rank(), communicator_.size());
      link_.sendSnapshot(done, content.tensors());
    });
  }

  void keepCheckpoint(std::int64_t done) {
    link_.progress(done, "checkpoint", communicator_.sequence());
    const bool full = keepsWholeState(plan_, stage_, done);
    recorder_.between(done, metric::checkpointSeconds, [&] {
      const CheckpointContent content(state(), full, communicator_.rank(), communicator_.size());
      const TrainingProgress progress{done, step_.updatesDone(), experiment_.seed, stage_.stepsPerEpoch, stage_.name};
      link_.sendCheckpoint(done, full, progressText(progress, slots_, communicator_), content.tensors());
    });
    checkpointWatch_.restart();
  }

  Link& link_;
  Communicator& communicator_;
  Device& device_;
  const RunPlan& plan_;
  const StagePlan& stage_;
  const Experiment& experiment_;
  StageData data_;
  std::unique_ptr<StoredSnapshots> snapshots_;  ///< where the stage reads some
  std::unique_ptr<Network> network_;
  StepSlots slots_;
  std::unique_ptr<WeightAverage> average_;  ///< where the experiment asks for one
  NetworkPasses passes_;
  TrainStep step_;
  StepRecorder recorder_;
  const std::function<void(const std::string&)>& log_;
  Stopwatch checkpointWatch_;
};

}  // namespace

TrainingEnd trainStage(Link& link, Communicator& communicator, Device& device, const TrainingTools& tools,
                       const TrainingData& data, const StagePlan& stage, const CheckpointManifest* from) {
  StageTrainer trainer(link, communicator, device, tools, data, stage);
  tellMemory(link, device);
  const TrainingEnd end = trainer.run(from);
  tellMemory(link, device);
  return end;
}

}  // namespace slipstream
