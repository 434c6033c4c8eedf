#include "engine/train/trainer.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/train/checkpoint.h"
#include "engine/train/evaluate.h"
#include "engine/train/step_recorder.h"

namespace slipstream {
namespace {

/// What the ranks decide together after every step; the largest word counts.
struct Vote {
  StopKind stop = StopKind::none;
  bool invalidLoss = false;
  bool checkpointDue = false;  ///< by the clock of rank 0
};

Vote voteOf(Communicator& communicator, const Vote& mine) {
  std::array<double, 3> words{static_cast<double>(mine.stop), mine.invalidLoss ? 1.0 : 0.0,
                              mine.checkpointDue ? 1.0 : 0.0};
  communicator.allReduceMax(words);
  return {static_cast<StopKind>(static_cast<int>(words[0])), words[1] > 0, words[2] > 0};
}

class Trainer {
 public:
  Trainer(Link& link, Communicator& communicator, Device& device, const TrainingData& data)
      : link_(link),
        communicator_(communicator),
        plan_(link.task().plan),
        experiment_(plan_.experiment),
        data_(data),
        network_(makeNetwork(experiment_.network, data.training.shape, samplesPerPass(experiment_), device)),
        slots_(compose({network_->layout(), chooseBuckets(experiment_.parallel, network_->layout()), experiment_,
                        servers(), static_cast<double>(plan_.stepsPerEpoch), plan_.totalSteps, communicator, device})),
        step_(*network_, slots_, experiment_.loss, communicator),
        sampler_(experiment_.dataset, data.training.count(), experiment_.seed, communicator.rank(), communicator.size(),
                 batchesPerStep(experiment_)),
        recorder_(link, communicator.rank(),
                  experiment_.dataset.batchSize * batchesPerStep(experiment_) * communicator.size()) {}

  TrainingEnd run() {
    std::int64_t done = begin();
    while (done < plan_.totalSteps) {
      const Vote vote = runStep(done++);
      if (vote.invalidLoss && experiment_.train.stopOnInvalidLoss) throw Error(invalidLossText(done));
      const bool last = done == plan_.totalSteps;
      if (last || evaluationDue(done)) evaluateNow(done);
      const bool scheduled = vote.checkpointDue || checkpointDueBySteps(done);
      const bool stopping = vote.stop == StopKind::afterStep ||
                            (vote.stop == StopKind::afterCheckpoint && (scheduled || !checkpointsAreScheduled()));
      if (scheduled || (last && experiment_.train.checkpoint.atEnd) || (stopping && !last)) keepCheckpoint(done);
      if (stopping && !last) return {done, true};
    }
    return {done, false};
  }

 private:
  TrainingState state() { return {*network_, slots_}; }

  std::vector<int> servers() const {
    std::vector<int> servers;
    for (const RankPlace& place : plan_.places) servers.push_back(place.server);
    return servers;
  }

  /// Fills the weights, from the task's checkpoint or freshly; returns the steps already done.
  std::int64_t begin() {
    initializeWeights(network_->layout(), slots_.update->weights(), experiment_.seed);
    std::int64_t done = 0;
    if (const auto& checkpoint = link_.task().checkpoint) {
      const auto progress = restoreCheckpoint(*checkpoint, state(), link_, communicator_, plan_.allowDifferentBits);
      step_.resumeAfter(progress.updatesDone);
      done = progress.step;
    }
    checkpointWatch_.restart();
    recorder_.restartClock();
    return done;
  }

  Vote runStep(std::int64_t step) {
    link_.progress(step, "data", communicator_.sequence());
    const Batch batch = makeBatch(experiment_.dataset, data_.training, sampler_.samplesOf(step));
    recorder_.dataReady();
    link_.progress(step, "step", communicator_.sequence());
    const double rate = slots_.update->learningRateAt(step_.updatesDone());
    StepResult result = step_.run(batch, step);
    const Stopwatch voting;
    const Vote vote =
        voteOf(communicator_, {link_.stopRequested(), !std::isfinite(result.loss), checkpointDueByClock()});
    result.outcome.communicationSeconds += voting.seconds();
    recorder_.record(step, result, rate);
    return vote;
  }

  /// The wording of MindSpore's LossMonitor: steps count from 1 inside the epoch.
  std::string invalidLossText(std::int64_t done) const {
    return fmt::format("epoch: {} step: {}. Invalid loss, terminating training.", (done - 1) / plan_.stepsPerEpoch + 1,
                       (done - 1) % plan_.stepsPerEpoch + 1);
  }

  bool evaluationDue(std::int64_t done) const {
    const std::int64_t every = experiment_.train.evaluateEverySteps;
    return done % (every > 0 ? every : plan_.stepsPerEpoch) == 0;
  }

  void evaluateNow(std::int64_t done) {
    link_.progress(done, "evaluation", communicator_.sequence());
    const Evaluation evaluation = evaluate(*network_, slots_.update->weights(), experiment_.loss, experiment_.dataset,
                                           data_.evaluation, samplesPerPass(experiment_), communicator_);
    recorder_.accuracy(done, evaluation.accuracy, evaluation.loss);
    recorder_.restartClock();
  }

  bool checkpointsAreScheduled() const {
    const CheckpointSpec& spec = experiment_.train.checkpoint;
    return spec.everySteps > 0 || spec.everySeconds > 0;
  }

  bool checkpointDueBySteps(std::int64_t done) const {
    const std::int64_t every = experiment_.train.checkpoint.everySteps;
    return every > 0 && done % every == 0;
  }

  /// Rank 0's clock decides for all; steps win where both are set.
  bool checkpointDueByClock() const {
    const CheckpointSpec& spec = experiment_.train.checkpoint;
    return communicator_.rank() == 0 && spec.everySteps == 0 && spec.everySeconds > 0 &&
           checkpointWatch_.seconds() >= spec.everySeconds;
  }

  void keepCheckpoint(std::int64_t done) {
    link_.progress(done, "checkpoint", communicator_.sequence());
    const bool full = !experiment_.train.checkpoint.weightsOnly;
    const CheckpointContent content(state(), full, communicator_.rank(), communicator_.size());
    const TrainingProgress progress{done, step_.updatesDone(), experiment_.seed, plan_.stepsPerEpoch};
    link_.sendCheckpoint(done, full, progressText(progress, slots_), content.tensors());
    checkpointWatch_.restart();
    recorder_.restartClock();
  }

  Link& link_;
  Communicator& communicator_;
  const RunPlan& plan_;
  const Experiment& experiment_;
  const TrainingData& data_;
  std::unique_ptr<Network> network_;
  StepSlots slots_;
  TrainStep step_;
  Sampler sampler_;
  StepRecorder recorder_;
  Stopwatch checkpointWatch_;
};

std::map<std::string, std::int64_t> measuredMemory(Device& device) {
  const auto peak = device.memory().peak();
  std::map<std::string, std::int64_t> bytes;
  for (std::size_t i = 0; i < peak.size(); ++i) bytes.emplace(memoryCategoryNames[i], peak[i]);
  return bytes;
}

}  // namespace

TrainingEnd train(Link& link, Communicator& communicator, Device& device, const TrainingData& data) {
  device.memory().add(MemoryCategory::data,
                      static_cast<std::int64_t>(data.training.pixels.size() + data.evaluation.pixels.size()));
  Trainer trainer(link, communicator, device, data);
  link.memory(measuredMemory(device));
  const TrainingEnd end = trainer.run();
  link.memory(measuredMemory(device));
  return end;
}

}  // namespace slipstream
