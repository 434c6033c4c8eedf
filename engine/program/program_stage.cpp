// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/program_stage.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/boost/grad_accumulation/spec.h"
#include "engine/plan/run_plan.h"
#include "engine/probe/dataset_kind.h"
#include "engine/train/step_parts.h"

namespace slipstream {
namespace {

NetworkShape shapeOf(const Experiment& experiment) {
  auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
  if (!shape) throw Error(toText(shape.error()));
  return std::move(*shape);
}

std::vector<int> serversOf(const RunPlan& plan) {
  std::vector<int> servers;
  for (const RankPlacement& place : plan.places) servers.push_back(place.server);
  return servers;
}

std::unique_ptr<StoredSnapshots> openSnapshots(Link& link, const StagePlan& stage) {
  if (!stage.readsSnapshots && !stage.start.wantsMean()) return nullptr;
  return std::make_unique<StoredSnapshots>(link, findStage(link.task().plan, stage.start.stage)->snapshotSteps);
}

/// Asks the program for trial losses.
class ProgramContext final : public RankContext {
 public:
  ProgramContext(StepSlots& slots, Communicator& communicator, const StepPlan& plan, std::int64_t updatesDone,
                 double loss, const TrialLoss& trial)
      : RankContext(slots, communicator, plan, updatesDone), loss_(loss), trial_(trial) {}

  double meanLoss() override { return meanOverRanks(loss_); }
  double trialLoss() override {
    if (!trial_) {
      throw Error(
          "an algorithm that is on (dim_reduce) tries weights out, and the program has no way to say their "
          "loss: give finish a callback that computes the loss of the step's samples anew");
    }
    return meanOverRanks(trial_());
  }

 private:
  double loss_;
  const TrialLoss& trial_;
};

}  // namespace

ProgramStage::ProgramStage(Link& link, Communicator& communicator, Device& device, const TrainingTools& tools,
                           const TrainingData* data, const StagePlan& stage)
    : link_(link),
      communicator_(communicator),
      device_(device),
      tools_(tools),
      stage_(stage),
      data_(data == nullptr ? nullptr : std::make_unique<StageData>(*data, stage, link, communicator, device.memory())),
      snapshots_(openSnapshots(link, stage)),
      network_(shapeOf(stage.experiment)),
      slots_(compose({.layout = network_.layout(),
                      .buckets = chooseBuckets(stage.experiment.parallel, network_.layout()),
                      .experiment = stage.experiment,
                      .serverOfRank = serversOf(link.task().plan),
                      .stepsPerEpoch = static_cast<double>(stage.stepsPerEpoch),
                      .totalSteps = stage.scheduleStep + stage.updates(),
                      .communicator = communicator,
                      .device = device,
                      .kernels = tools.kernels,
                      .snapshots = snapshots_.get(),
                      .hosts = exchangeHosts(link.task().plan, stage.experiment)})),
      weights_(slots_.update->weights(), network_.layout(), device, true, MemoryCategory::gather),
      gradients_(slots_.update->gradients(), network_.layout(), device, slots_.update->traits().keepsWholeGradient,
                 MemoryCategory::gradients) {}

std::int64_t ProgramStage::samplesOfStep(std::int64_t step) const {
  const std::int64_t dataStep = stage_.dataStep + step - stage_.firstStep;
  if (data_) return data_->samplesAt(dataStep);
  return stage_.experiment.dataset.batchSize * batchesPerStep(stage_.experiment) * communicator_.size();
}

void ProgramStage::reportWaiting() {
  if (data_) data_->reportWaiting();
}

StepStart ProgramStage::begin(std::int64_t step) {
  if (ready_) throw Error("a step has begun and is not finished: finish it before the next begins");
  const std::int64_t own = step - stage_.firstStep;
  const Stopwatch watch;
  step_ = {};
  for (const auto& policy : slots_.policies) policy->plan(stage_.scheduleStep + own, step_);
  policySeconds_ = watch.seconds();
  passSeconds_.assign(slots_.gradientPasses.size(), 0.0);
  StepStart start{.step = step, .firstTrainedLayer = step_.firstTrainedLayer, .lossScale = step_.lossScale};
  countMicroBatches(stage_.dataStep + own, start);
  slots_.update->begin(step_);
  weights_.fetch();
  gradients_.clear();
  ready_.emplace(HandoverTarget{network_.layout(), device_, slots_, step_, passSeconds_}, gradients_,
                 start.microBatches);
  device_.synchronize();  // the program's own queue knows nothing of this one
  return start;
}

/// Ranks with samples of the engine's weigh them by how many each has; a program's own count alike on every rank.
void ProgramStage::countMicroBatches(std::int64_t dataStep, StepStart& start) {
  if (!data_) {
    const int batches = static_cast<int>(batchesPerStep(stage_.experiment));
    start.microBatches = step_.microBatches * batches;
    start.share = (step_.sumMicroBatches ? step_.microBatches : 1.0) / start.microBatches;
    start.samples = stage_.experiment.dataset.batchSize * batches;
    return;
  }
  const Batch& batch = data_->batchOf(dataStep);
  microBatches_ = microBatchesOf(batch, step_);
  start.microBatches = static_cast<int>(microBatches_.size());
  start.share = microBatches_.front().share;
  for (const MicroBatch& part : microBatches_) start.samples += part.count;
  if (!slots_.update->traits().addsGradients) start.lossScale *= shareAmongOwn(batch);
}

StepSamples ProgramStage::samples(int microBatch) {
  requireStep();
  if (!data_) {
    throw Error(
        fmt::format("the data set {} is the program's own: the engine has no samples of it (name another in "
                    "dataset.name, or read them in the program)",
                    stage_.experiment.dataset.name));
  }
  if (microBatch < 0 || microBatch >= static_cast<int>(microBatches_.size())) {
    throw Error(fmt::format("the step has {} micro-batches, and no {}", microBatches_.size(), microBatch));
  }
  const MicroBatch& part = microBatches_[static_cast<std::size_t>(microBatch)];
  StepSamples samples{part.inputs, part.labels, part.count, data_->shape(), part.share};
  if (part.pictures.empty()) return samples;
  if (!device_.usesHostMemory())
    throw Error("samples are handed to programs on the CPU only: read them in the program");
  if (!pictures_) {
    pictures_ = tools_.makeImageInput(device_, normalizationOf(stage_.experiment.dataset, data_->shape().channels));
  }
  inputs_.resize(part.pictures.size());
  pictures_->normalize(part.pictures,
                       {NumberType::float32, std::as_writable_bytes(std::span(inputs_)).data(), inputs_.size()});
  samples.inputs = inputs_;
  return samples;
}

ReadyGradients& ProgramStage::requireStep() {
  if (ready_) return *ready_;
  throw Error("no step has begun: begin one before gradients are ready, and end it once");
}

StepResult ProgramStage::finish(double loss, const TrialLoss& trial) {
  requireStep().requireAll();
  ProgramContext context(slots_, communicator_, step_, updatesDone_, loss, trial);
  StepOutcome outcome = slots_.update->finish(context);
  ready_.reset();
  outcome.communication.exposed += context.exchangeSeconds();
  if (outcome.updated) ++updatesDone_;
  const Stopwatch watch;
  for (const auto& policy : slots_.policies) policy->afterStep(step_, outcome);
  policySeconds_ += watch.seconds();
  auto seconds = secondsOfSlots(slots_, policySeconds_, passSeconds_, outcome);
  if (data_) data_->stepDone();
  device_.synchronize();
  return {loss, std::move(outcome), std::move(seconds)};
}

}  // namespace slipstream
