// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/stage_data.h"

#include "engine/base/text.h"
#include "engine/boost/grad_accumulation/spec.h"

namespace slipstream {
namespace {

/// Every step of the stage, and the epoch that refreshes statistics.
LoaderOptions trainingOptions(const StagePlan& stage) {
  const Experiment& experiment = stage.experiment;
  const std::int64_t refreshing = experiment.train.refreshStatistics ? stage.stepsPerEpoch : 0;
  return loaderOptions(experiment.dataset, experiment.dataset.batchSize * batchesPerStep(experiment),
                       stage.dataStep + stage.updates() + refreshing);
}

/// What an evaluation takes while it lasts.
LoaderOptions evaluationOptions(const StagePlan& stage) {
  return loaderOptions(stage.experiment.dataset, samplesPerPass(stage.experiment), 0);
}

}  // namespace

StageData::StageData(const TrainingData& data, const StagePlan& stage, Link& link, Communicator& communicator,
                     MemoryMeter& memory)
    : dataset_(stage.experiment.dataset),
      link_(link),
      communicator_(communicator),
      training_(makeSource(data.training, dataset_, DataPart::training, stage.experiment.seed)),
      evaluation_(makeSource(data.evaluation, dataset_, DataPart::evaluation, stage.experiment.seed)),
      sampler_(dataset_, training_->count(), stage.experiment.seed, communicator.rank(), communicator.size(),
               batchesPerStep(stage.experiment)),
      loader_(
          *training_, [this](std::int64_t step) { return sampler_.selectionOf(step); }, trainingOptions(stage)),
      batches_(memory, MemoryCategory::data,
               bytesOf(trainingOptions(stage), *training_) + bytesOf(evaluationOptions(stage), *evaluation_)) {}

const Batch& StageData::batchOf(std::int64_t dataStep) {
  waiting_.begin();
  const Batch& batch = loader_.batchOf(dataStep);
  waiting_.dataReady();
  reportSkipped(loader_.skipped());
  return batch;
}

void StageData::reportSkipped(const std::vector<std::string>& skipped) {
  for (const std::string& text : skipped) {
    if (told_.insert(text).second) link_.event(EventLevel::warning, "skipped_sample", trim(text));
  }
}

}  // namespace slipstream
