// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs of thread ranks on images of a folder, decoded ahead.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/planned_files.h"
#include "engine/train/data_waiting.h"
#include "engine/train/evaluation_check.h"
#include "tests/support/error_of.h"
#include "tests/support/jpeg_images.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/support/memory_link.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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

/// Images that cannot be read are neither judged nor replaced: the rest of the set is what it would be without them.
TEST_F(ImageFolderRun, AnEvaluationCountsWhatItCanRead) {
  const auto last = [](MemoryStore& store, const std::string& metric) { return store.meanOf(metric).back(); };
  const std::vector<std::filesystem::path> broken{
      folder_.path() / "val/red/20.jpg", folder_.path() / "val/green/23.jpg", folder_.path() / "val/green/24.jpg"};
  for (const auto& file : broken) std::filesystem::remove(file);
  std::vector<double> accuracies;
  std::vector<double> losses;
  for (const int ranks : {1, 2, 3}) {
    MemoryStore store;
    trainRanks(store, this->plan(ranks, 12));
    accuracies.push_back(last(store, "accuracy"));
    losses.push_back(last(store, "evaluation_loss"));
    EXPECT_FALSE(store.metrics.contains("unreadable_samples"));
  }
  for (const auto& file : broken) writePicture(file, {1, 2, 3});
  for (const int ranks : {1, 2, 3}) {
    for (const int threads : {0, 2}) {
      RunPlan plan = this->plan(ranks, 12);
      plan.experiment.dataset.onBroken = BrokenImages::skip;
      plan.experiment.dataset.prefetchBatches = plan.experiment.dataset.decodeThreads = threads;
      MemoryStore store;
      trainRanks(store, plan);
      EXPECT_EQ(last(store, "accuracy"), accuracies[static_cast<std::size_t>(ranks - 1)]) << ranks << " ranks";
      EXPECT_NEAR(last(store, "evaluation_loss"), losses[static_cast<std::size_t>(ranks - 1)], 1e-6);
      EXPECT_NEAR(last(store, "accuracy") * 18, std::round(last(store, "accuracy") * 18), 1e-9) << "of 18 pictures";
      EXPECT_EQ(last(store, "unreadable_samples"), 3);
      EXPECT_THAT(store.eventTexts, Contains(HasSubstr(broken[1].string())));
    }
  }
}

TEST_F(ImageFolderRun, WhereNothingCanBeReadThereIsNoEvaluation) {
  for (const char* name : {"red", "green", "blue"}) {
    for (int i = 20; i < 27; ++i) {
      writePicture(folder_.path() / "val" / name / (std::to_string(i) + ".jpg"), {1, 2, 3});
    }
  }
  RunPlan plan = this->plan(2, 2);
  plan.experiment.dataset.onBroken = BrokenImages::skip;
  MemoryStore store;
  EXPECT_THAT(errorOf([&] { trainRanks(store, plan); }), HasSubstr("none of the 21 samples"));
}

/// What rank 0 has reported after `waited` of each rank's second.
MemoryStore& reportedAfter(const std::vector<double>& waited, const DatasetSpec& dataset, MemoryStore& store) {
  spawnRanks(static_cast<int>(waited.size()), [&](Communicator& world) {
    MemoryLink link(store, {}, world.rank());
    DataWaiting waiting;
    for (int step = 0; step < 4; ++step) waiting.add(waited[static_cast<std::size_t>(world.rank())] / 4, 0.25);
    waiting.report(dataset, link, world);
  });
  return store;
}

TEST_F(ImageFolderRun, TheRecordSaysWhetherTrainingWaited) {
  DatasetSpec dataset;
  dataset.name = "image_folder";
  dataset.decodeThreads = 1;
  dataset.prefetchBatches = 3;
  MemoryStore ahead;
  EXPECT_THAT(reportedAfter({0.001, 0.004}, dataset, ahead).eventTexts,
              ElementsAre("training waited for samples during 0.4 % of its steps' time: the loader kept ahead"));
  EXPECT_THAT(ahead.warnings, IsEmpty());
  MemoryStore behind;
  EXPECT_THAT(reportedAfter({0.31, 0.0, 0.0}, dataset, behind).warnings,
              ElementsAre(AllOf(HasSubstr("31.0 % of its steps' time: the loader did not keep ahead"),
                                HasSubstr("dataset.decode_threads 1 and prefetch_batches 3"))))
      << "the rank that waited longest counts";
  dataset.name = "mnist";
  dataset.decodeThreads = 0;
  MemoryStore copied;
  EXPECT_THAT(reportedAfter({0.31}, dataset, copied).eventTexts, IsEmpty()) << "nothing is prepared";
}

TEST_F(ImageFolderRun, ARunTellsOnceWhetherTrainingWaited) {
  MemoryStore store;
  trainRanks(store, plan(2, 3));
  EXPECT_EQ(std::ranges::count_if(store.eventTexts,
                                  [](const auto& text) { return text.starts_with("training waited for samples"); }),
            1);
}

TEST_F(ImageFolderRun, WhatWasTrainedIsKeptThoughAPictureToEvaluateOnIsBroken) {
  const auto broken = folder_.path() / "val/blue/20.jpg";
  std::vector<std::uint8_t> bytes = jpegOf(wavyPicture(40, 50, 3, 20));
  bytes.erase(bytes.end() - std::ssize(bytes) / 3, bytes.end() - 2);  // header and end are whole
  writePicture(broken, bytes);
  MemoryStore store;
  RunPlan plan = this->plan(3, 12);
  plan.experiment.train.evaluateEverySteps = 12;
  EXPECT_THAT(errorOf([&] { trainRanks(store, plan); }), HasSubstr(broken.string()));
  EXPECT_EQ(store.checkpoints.count(12), 1U);
}

TEST_F(ImageFolderRun, ABrokenPictureToEvaluateOnIsFoundBeforeTheFirstStep) {
  const auto broken = folder_.path() / "val/blue/23.jpg";
  std::vector<std::uint8_t> cut = jpegOf(wavyPicture(40, 50, 3, 20));
  cut.resize(cut.size() / 2);
  for (const std::vector<std::uint8_t>& bytes : {std::vector<std::uint8_t>{}, {1, 2, 3}, cut}) {
    writePicture(broken, bytes);
    for (const int ranks : {1, 2, 5}) {
      MemoryStore store;
      EXPECT_THAT(errorOf([&] { trainRanks(store, this->plan(ranks, 12)); }), HasSubstr(broken.string()));
      EXPECT_THAT(store.metrics, IsEmpty()) << bytes.size() << " bytes, " << ranks << " ranks";
    }
  }
}

TEST_F(ImageFolderRun, ALookThatFindsNoTimeForAllSaysSo) {
  const RunPlan plan = this->plan(1, 1);
  const auto samples = [&](const PartContent& content) {
    return makeSource(content, plan.experiment.dataset, DataPart::evaluation, 1);
  };
  const PartContent content = loadPart(plan.experiment.dataset, DataPart::evaluation, 1).value();
  for (const double seconds : {0.0, 60.0}) {
    MemoryStore store;
    spawnRanks(3, [&](Communicator& world) {
      MemoryLink link(store, {}, world.rank());
      checkEvaluationSamples(*samples(content), BrokenImages::fail, link, world, seconds);
    });
    if (seconds > 0) {
      EXPECT_THAT(store.eventTexts, IsEmpty());
    } else {
      EXPECT_THAT(store.eventTexts, ElementsAre(HasSubstr("rank 0 had time to look at 1 of its 7 images")));
    }
  }
}

TEST_F(ImageFolderRun, TheStagesToComeSayWhetherABrokenPictureToEvaluateOnEndsTheRun) {
  const auto broken = folder_.path() / "val/green/20.jpg";
  writePicture(broken, {});
  RunPlan plan = this->plan(1, 4);
  plan.stages = stagesOf(plan);
  plan.stages[0].experiment.dataset.onBroken = BrokenImages::skip;
  MemoryStore store;
  trainRanks(store, plan);
  EXPECT_THAT(store.eventTexts, Contains(HasSubstr(broken.string()))) << "its only stage skips it";
  plan.stages[0].experiment.dataset.onBroken = BrokenImages::fail;
  plan.experiment.dataset.onBroken = BrokenImages::skip;
  MemoryStore failed;
  EXPECT_THAT(errorOf([&] { trainRanks(failed, plan); }), HasSubstr(broken.string()));
  EXPECT_THAT(failed.metrics, IsEmpty());
}

TEST_F(ImageFolderRun, BrokenPicturesEndTheRunOrAreSkippedAndTold) {
  const auto broken = folder_.path() / "train/green/3.jpg";
  writePicture(broken, {1, 2, 3});
  RunPlan plan = this->plan(2, 12);
  MemoryStore failed;
  EXPECT_THAT(errorOf([&] { trainRanks(failed, plan); }), HasSubstr(broken.string()));
  writePicture(folder_.path() / "val/blue/20.jpg", {});
  plan.experiment.dataset.onBroken = BrokenImages::skip;
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
              HasSubstr("has 61 images, but the run was planned with 60"));
}

TEST_F(ImageFolderRun, OtherClassesThanPlannedAreRefusedWhateverIsAllowed) {
  RunPlan plan = this->plan(2, 3);
  plan.classNames = {"blue", "green", "red"};
  plan.allowDifferentBits = true;
  MemoryStore same;
  trainRanks(same, plan);
  for (const char* part : {"train", "val"}) {
    std::filesystem::rename(folder_.path() / part / "blue", folder_.path() / part / "yellow");
  }
  MemoryStore store;
  EXPECT_THAT(errorOf([&] { trainRanks(store, plan); }),
              AllOf(HasSubstr("lacks the class blue"), HasSubstr("3 classes (blue, green, red)")));
}

TEST_F(ImageFolderRun, PicturesOfOtherNamesAreRefusedUnlessOtherBitsAreAllowed) {
  RunPlan plan = this->plan(2, 3);
  const auto list = listImages({.name = "image_folder", .path = folder_.path().string()}, DataPart::training, 0);
  ASSERT_TRUE(list);
  plan.pictureNamesHash = hashOfNames(*list);
  MemoryStore same;
  trainRanks(same, plan);
  EXPECT_THAT(same.warnings, Not(Contains(HasSubstr("other names"))));
  std::filesystem::rename(folder_.path() / "train/red/0.jpg", folder_.path() / "train/red/renamed.jpg");
  MemoryStore store;
  EXPECT_THAT(errorOf([&] { trainRanks(store, plan); }),
              AllOf(HasSubstr("images of other names"), HasSubstr("--allow-different-bits")));
  plan.allowDifferentBits = true;
  trainRanks(store, plan);
  EXPECT_THAT(store.warnings, Contains(HasSubstr("other names")));
}

}  // namespace
}  // namespace slipstream
