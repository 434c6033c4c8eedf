// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/program_training.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/boost/metrics.h"
#include "engine/plan/run_plan.h"
#include "engine/program/state_values.h"
#include "engine/spec/checkpoint_schedule.h"
#include "engine/train/step_parts.h"

namespace slipstream {
namespace {

/// What the engine itself records of every step.
bool isOfTheEngine(const std::string& name) {
  static const std::set<std::string> own{metric::loss,           metric::stepSeconds,
                                         metric::computeSeconds, metric::communicationSeconds,
                                         metric::dataSeconds,    metric::hiddenCommunicationSeconds,
                                         metric::recordSeconds,  metric::updateSeconds,
                                         metric::learningRate,   metric::samplesPerSecond};
  return own.contains(name);
}

bool isMetricName(const std::string& name) {
  return !name.empty() && name.size() <= 100 && std::ranges::all_of(name, [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_' || letter == '/' || letter == '.' || letter == '-';
  });
}

/// Limits are in the unit that people read, values in the one that is stored.
void requirePossible(const MetricInfo& info, double value) {
  const double most = info.upperLimit / info.factor;
  if (info.upperLimit == 0 || !(value > most)) return;
  throw Error(fmt::format("{} {} is above {}: {} is a fraction of 1, so divide percent by 100", info.name,
                          numberText(value), numberText(most), info.name));
}

}  // namespace

ProgramTraining::ProgramTraining(Link& link, Communicator& communicator, Device& device, TrainingTools tools,
                                 const TrainingData* data)
    : link_(link),
      communicator_(communicator),
      device_(device),
      plan_(link.task().plan),
      tools_(std::move(tools)),
      data_(data),
      stages_(stagesOf(plan_)),
      recorder_(link, communicator.rank()) {
  const auto& checkpoint = link.task().checkpoint;
  done_ = checkpoint ? checkpoint->step : 0;
  while (at_ + 1 < stages_.size() && done_ >= stages_[at_].endStep) ++at_;
  openStage();
  if (checkpoint) restored_ = fetchState(*checkpoint, link, communicator.rank(), communicator.size());
  start();
  tellMemory(link, device);
}

void ProgramTraining::openStage() {
  stage_ = std::make_unique<ProgramStage>(link_, communicator_, device_, tools_, data_, stages_[at_]);
}

/// From the checkpoint, the stage before, or what the program is to write.
void ProgramTraining::start() {
  const StagePlan& stage = stages_[at_];
  const auto& checkpoint = link_.task().checkpoint;
  if (checkpoint && done_ == checkpoint->step && done_ > stage.firstStep) {
    const auto progress =
        restoreCheckpoint(*checkpoint, stage_->state(), link_, communicator_, plan_.allowDifferentBits);
    requireStage(progress, stage);
    stage_->resumeAfter(progress.updatesDone);
  } else {
    fresh_ = findStage(plan_, stage.start.stage) == nullptr;
    if (!fresh_) {
      stage_->resumeAfter(startStage(plan_, stage, stage_->state(), stage_->snapshots(), link_, communicator_));
    }
  }
  if (!fresh_) stage_->weights().fetch();
}

/// Rank 0's, so that ranks that draw differently start alike.
void ProgramTraining::spreadFreshWeights() {
  fresh_ = false;
  const TrainingState state = stage_->state();
  const std::span<float> weights = stage_->weights().values();
  for (const FlatTensor& tensor : stage_->layout().tensors()) {
    const auto part =
        weights.subspan(static_cast<std::size_t>(tensor.range.begin), static_cast<std::size_t>(tensor.range.size()));
    std::vector<float> values = readValues(device_, part);
    communicator_.broadcast(std::as_writable_bytes(std::span(values)), 0);
    putTensor(state, tensor.range, values);
  }
  takePreTrained(plan_, stage_->plan().experiment, state, link_, communicator_);
  stage_->weights().fetch();
}

StepStart ProgramTraining::begin() {
  if (shouldStop()) throw Error("the run has no further step: ask whether it should stop before one begins");
  keepDue();
  if (done_ == stages_[at_].endStep) enterNextStage();
  if (fresh_) spreadFreshWeights();
  if (!started_) {
    checkpointWatch_.restart();
    recorder_.start();
    started_ = true;
  }
  link_.progress(done_, "step", communicator_.sequence());
  rate_ = stage_->learningRate();
  const StepStart start = stage_->begin(done_);
  recorder_.dataReady();
  return start;
}

void ProgramTraining::enterNextStage() {
  stage_->reportWaiting();
  tellMemory(link_, device_);
  link_.flush();
  communicator_.barrier();
  stage_.reset();
  ++at_;
  openStage();
  start();
}

StepEnd ProgramTraining::finish(double loss, const TrialLoss& trial) {
  const StagePlan& stage = stages_[at_];
  StepResult result = stage_->finish(loss, trial);
  const Stopwatch voting;
  const bool invalid = !std::isfinite(loss) && !result.outcome.retriesSmaller;
  const bool byClock =
      communicator_.rank() == 0 && checkpointDueByClock(stage.experiment.train.checkpoint, checkpointWatch_.seconds());
  const Vote vote = voteOf(communicator_, {link_.stopRequested(), invalid, byClock});
  result.outcome.communication.exposed += voting.seconds();
  recorder_.record(done_, result, rate_, stage_->samplesOfStep(done_));
  if (const auto line = dueLossLine(stage, own(), loss); line && tools_.log) tools_.log(*line);
  ++done_;
  if (vote.invalidRank && stage.experiment.train.stopOnInvalidLoss) endOnInvalidLoss(vote);
  const DueAfterStep due = dueAfterStep(plan_, stage, done_, vote);
  if (due.snapshot) keepSnapshot();
  checkpointDue_ = due.checkpoint;
  stopped_ = due.stops;
  link_.progress(done_, "data", communicator_.sequence());
  return {result.outcome.updated, result.outcome.overflow, checkpointDue_, shouldStop()};
}

void ProgramTraining::endOnInvalidLoss(const Vote& vote) {
  if (communicator_.rank() != *vote.invalidRank) communicator_.barrier();
  throw Error(invalidLossText(vote, own(), stages_[at_].stepsPerEpoch, communicator_.size()));
}

void ProgramTraining::keepSnapshot() {
  link_.progress(done_, "snapshot", communicator_.sequence());
  recorder_.between(done_, metric::snapshotSeconds, [&] {
    const auto content = CheckpointContent::ofWeights(stage_->state(), communicator_.rank(), communicator_.size());
    link_.sendSnapshot(done_, content.tensors());
  });
}

void ProgramTraining::record(const std::string& name, double value) {
  if (!isMetricName(name)) {
    throw Error(fmt::format("'{}' is no name of a metric: use up to 100 letters, digits and . _ / -", printable(name)));
  }
  const MetricInfo* info = findMetric(name);
  if (info != nullptr) requirePossible(*info, value);
  if (isOfTheEngine(name)) throw Error(name + " is recorded of every step as it is: give the metric another name");
  const bool isOthers = info != nullptr && info->by == ReportedBy::firstRank && communicator_.rank() != 0;
  if (!isOthers) link_.record(done_, {name}, {value});
}

void ProgramTraining::keepCheckpoint(std::span<const std::byte> state) {
  if (!std::exchange(checkpointDue_, false)) {
    throw Error("no checkpoint is due: finish says of each step whether one is");
  }
  link_.progress(done_, "checkpoint", communicator_.sequence());
  const StagePlan& stage = stages_[at_];
  const bool full = keepsWholeState(plan_, stage, done_);
  recorder_.between(done_, metric::checkpointSeconds, [&] {
    const CheckpointContent content(stage_->state(), full, communicator_.rank(), communicator_.size());
    std::vector<OutgoingTensor> tensors = content.tensors();
    const std::vector<float> values = valuesOfState(state);
    if (full && !values.empty()) {
      tensors.push_back({programStateName, {std::ssize(values)}, communicator_.rank(), values});
    }
    const TrainingProgress progress{done_, stage_->updatesDone(), stage.experiment.seed, stage.stepsPerEpoch,
                                    stage.name};
    link_.sendCheckpoint(done_, full, progressText(progress, stage_->state().slots, communicator_), tensors);
  });
  checkpointWatch_.restart();
  link_.progress(done_, "data", communicator_.sequence());
}

/// Where the program has no state of its own to add.
void ProgramTraining::keepDue() {
  if (checkpointDue_) keepCheckpoint({});
}

TrainingEnd ProgramTraining::leave() {
  if (!shouldStop()) {
    throw Error(
        fmt::format("the program leaves after step {} of {}: go on until it is told to stop", done_, plan_.totalSteps));
  }
  keepDue();
  stage_->reportWaiting();
  tellMemory(link_, device_);
  stage_.reset();
  return {done_, stopped_};
}

}  // namespace slipstream
