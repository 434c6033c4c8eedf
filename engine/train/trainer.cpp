// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/trainer.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/backends/backends.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/nn/device_networks.h"
#include "engine/plan/planned_files.h"
#include "engine/probe/dataset_kind.h"
#include "engine/train/evaluation_check.h"
#include "engine/train/stage_trainer.h"

namespace slipstream {
namespace {

/// Of files of the user's own form, whose number nobody knows beforehand.
void checkCount(const RunPlan& plan, std::int64_t samples) {
  const DatasetSpec& dataset = plan.experiment.dataset;
  if (kindOf(dataset).reader == nullptr || samples == plan.trainSamples) return;
  throw Error(
      fmt::format("{} has {} to train with, but the run was planned with {}: put the files back as they were, or "
                  "start a new run",
                  dataset.path, counted(samples, "sample"), plan.trainSamples));
}

/// What was listed now is what the plan counted and named: other classes or samples would have other bits.
void checkUnchanged(const PartContent& training, Link& link, int rank) {
  const RunPlan& plan = link.task().plan;
  if (const auto* images = std::get_if<Images>(&training)) return checkCount(plan, images->count());
  const auto* list = std::get_if<ImageList>(&training);
  if (list == nullptr) return;
  if (const Status same = checkContent(plan, *list); !same) throw Error(toText(same.error()));
  const Status names = checkFileNames(plan, *list);
  if (names) return;
  if (!plan.allowDifferentBits) throw Error(toText(names.error()));
  if (rank == 0) link.event(EventLevel::warning, "pictures", trim(toText(names.error())));
}

/// Whether a stage that is still to come ends over a broken image.
bool failsOnBroken(const RunPlan& plan, std::int64_t stepsDone) {
  return std::ranges::any_of(stagesOf(plan), [&](const StagePlan& stage) {
    return stage.endStep > stepsDone && stage.experiment.dataset.onBroken == BrokenImages::fail;
  });
}

/// Only images that lie in files can be broken.
void checkEvaluation(const TrainingData& data, Link& link, const Communicator& communicator, std::int64_t stepsDone) {
  if (!std::holds_alternative<ImageList>(data.evaluation)) return;
  const RunPlan& plan = link.task().plan;
  DatasetSpec dataset = plan.experiment.dataset;
  dataset.onBroken = failsOnBroken(plan, stepsDone) ? BrokenImages::fail : BrokenImages::skip;
  const auto samples = makeSource(data.evaluation, dataset, DataPart::evaluation, plan.experiment.seed);
  checkEvaluationSamples(*samples, dataset.onBroken, link, communicator);
}

}  // namespace

TrainingTools trainingTools(const Device& device) {
  return {trainingKernels(device), makeNetwork, makeDeviceLoss, networksOf(device.kind()).makeImageInput};
}

TrainingEnd train(Link& link, Communicator& communicator, Device& device, const TrainingData& data) {
  return train(link, communicator, device, trainingTools(device), data);
}

TrainingEnd train(Link& link, Communicator& communicator, Device& device, const TrainingTools& tools,
                  const TrainingData& data) {
  device.memory().add(MemoryCategory::data, bytesOf(data.training) + bytesOf(data.evaluation));
  const RunPlan& plan = link.task().plan;
  checkUnchanged(data.training, link, communicator.rank());
  const auto& checkpoint = link.task().checkpoint;
  TrainingEnd end{checkpoint ? checkpoint->step : 0, false};
  checkEvaluation(data, link, communicator, end.stepsDone);
  for (const StagePlan& stage : stagesOf(plan)) {
    if (end.stepsDone >= stage.endStep) continue;
    if (stage.firstStep > 0) {  // what all ranks kept in earlier stages is what this one starts from
      link.flush();
      communicator.barrier();
    }
    const bool inside = checkpoint && checkpoint->step > stage.firstStep && checkpoint->step < stage.endStep;
    end = trainStage(link, communicator, device, tools, data, stage, inside ? &*checkpoint : nullptr);
    if (end.stopped) break;
  }
  return end;
}

}  // namespace slipstream
