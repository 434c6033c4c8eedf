// Whole runs of thread ranks on pictures of a folder, decoded ahead.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/train/data_waiting.h"
#include "tests/record/temporary_folder.h"
#include "tests/support/error_of.h"
#include "tests/support/jpeg_pictures.h"
#include "tests/train/thread_run.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::Contains;
using ::testing::HasSubstr;

class ImageFolderRun : public ::testing::Test {
 protected:
  ImageFolderRun() { writeImageFolder(folder_.path(), {"red", "green", "blue"}, 20, 7); }

  /// Mean colours tell the classes apart.
  RunPlan plan(int ranks, std::int64_t steps) const {
    RunPlan plan = digitsPlan(ranks, steps);
    Experiment& experiment = plan.experiment;
    experiment.network = {"layers", {}};
    experiment.network.layers = {{.kind = LayerKind::conv2d, .name = "conv", .outputs = 4, .kernel = 3, .stride = 2},
                                 {.kind = LayerKind::batchNorm,
                                  .name = "bn",
                                  .weightInit = {InitializerKind::ones},
                                  .biasInit = {InitializerKind::zeros}},
                                 {.kind = LayerKind::relu, .name = "relu"},
                                 {.kind = LayerKind::globalAvgPool, .name = "pool"},
                                 {.kind = LayerKind::dense, .name = "fc", .outputs = 3}};
    DatasetSpec& dataset = experiment.dataset;
    dataset.name = "image_folder";
    dataset.path = folder_.path().string();
    dataset.batchSize = 5;
    dataset.trainSamples = dataset.evaluationSamples = 0;
    dataset.imageSize = 24;
    dataset.classes = 3;
    dataset.mean = {0.5};
    dataset.deviation = {0.25};
    dataset.dropRemainder = false;
    experiment.optimizer.schedule.maximum = 0.1;
    plan.trainSamples = 60;
    plan.stepsPerEpoch = stepsPerEpoch(dataset, 60, ranks);
    return plan;
  }

  TemporaryFolder folder_;
};

TEST_F(ImageFolderRun, ThreadsAndBatchesAheadChangeNoBit) {
  RunPlan plan = this->plan(3, 14);
  MemoryStore plain;
  trainRanks(plain, plan);
  for (const int threads : {1, 2}) {
    plan.experiment.dataset.decodeThreads = threads;
    plan.experiment.dataset.prefetchBatches = threads + 1;
    MemoryStore ahead;
    trainRanks(ahead, plan);
    EXPECT_EQ(hashesAt(plain, 14), hashesAt(ahead, 14));
    EXPECT_EQ(plain.meanOf("loss"), ahead.meanOf("loss"));
    EXPECT_EQ(plain.meanOf("accuracy"), ahead.meanOf("accuracy"));
  }
}

TEST_F(ImageFolderRun, AResumedRunEndsWithTheSameBits) {
  RunPlan plan = this->plan(2, 13);
  plan.experiment.dataset.decodeThreads = 2;
  plan.experiment.dataset.prefetchBatches = 3;
  plan.experiment.train.checkpoint.everySteps = 5;
  MemoryStore alone;
  trainRanks(alone, plan);
  MemoryStore resumed;
  trainRanks(resumed, plan);
  trainRanks(resumed, plan, 5);
  EXPECT_EQ(hashesAt(alone, 13), hashesAt(resumed, 13));
}

TEST_F(ImageFolderRun, ColoursAreLearntAndEveryEvaluationPictureCounts) {
  RunPlan plan = this->plan(2, 60);
  plan.experiment.dataset.decodeThreads = 1;
  plan.experiment.dataset.prefetchBatches = 2;
  MemoryStore store;
  trainRanks(store, plan);
  const double accuracy = store.meanOf("accuracy").back();
  EXPECT_GT(accuracy, 0.8);
  EXPECT_NEAR(accuracy * 21, std::round(accuracy * 21), 1e-9) << "of 21 pictures";
}

TEST_F(ImageFolderRun, TheRecordSaysWhetherTrainingWaited) {
  DatasetSpec dataset;
  dataset.decodeThreads = 1;
  EXPECT_THAT(waitingText(0.004, dataset), HasSubstr("0.4 % of its steps' time: the loader kept ahead"));
  EXPECT_THAT(waitingText(0.31, dataset), HasSubstr("31.0 % of its steps' time: the loader did not keep ahead"));
  MemoryStore store;
  trainRanks(store, plan(2, 3));
  EXPECT_THAT(store.eventTexts, Contains(HasSubstr("training waited for samples")));
}

TEST_F(ImageFolderRun, BrokenPicturesEndTheRunOrAreSkippedAndTold) {
  const auto broken = folder_.path() / "train/green/3.jpg";
  writePicture(broken, {1, 2, 3});
  writePicture(folder_.path() / "val/blue/20.jpg", {});
  RunPlan plan = this->plan(2, 12);
  MemoryStore failed;
  EXPECT_THAT(errorOf([&] { trainRanks(failed, plan); }), HasSubstr(broken.string()));
  plan.experiment.dataset.onBroken = BrokenPictures::skip;
  MemoryStore store;
  trainRanks(store, plan);
  EXPECT_THAT(store.eventTexts, Contains(HasSubstr(broken.string())));
  EXPECT_THAT(store.eventTexts, Contains(HasSubstr("val/blue/20.jpg")));
  double skipped = 0;
  for (const auto& [step, values] : store.metrics["skipped_samples"]) {
    for (const auto& [rank, value] : values) skipped += value;
  }
  EXPECT_EQ(skipped, 2) << "once an epoch";
}

TEST_F(ImageFolderRun, AFolderThatChangedSinceThePlanIsRefused) {
  writePicture(folder_.path() / "train/red/new.jpg", jpegOf(wavyPicture(30, 30, 3, 1)));
  MemoryStore store;
  EXPECT_THAT(errorOf([&] { trainRanks(store, plan(2, 3)); }),
              HasSubstr("has 61 pictures, but the run was planned with 60"));
}

}  // namespace
}  // namespace slipstream
