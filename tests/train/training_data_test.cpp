// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a run of thread ranks.
#include "engine/train/training_data.h"

#include <gtest/gtest.h>

#include "engine/comm/thread_communicator.h"

namespace slipstream {
namespace {

/// Whoever draws an image, it is the same: also where images are fewer than ranks, or cannot be dealt out evenly.
TEST(TrainingData, DigitsThatRanksDrewTogetherAreThoseThatOneDrew) {
  Experiment experiment;
  experiment.seed = 7;
  experiment.dataset.name = "digits";
  experiment.dataset.trainSamples = 11;
  experiment.dataset.evaluationSamples = 2;
  const TrainingData alone = loadTrainingData(experiment).value();
  const auto expectSame = [](const PartContent& found, const PartContent& expected) {
    const auto &images = std::get<Images>(found), &wanted = std::get<Images>(expected);
    EXPECT_EQ(images.pixels, wanted.pixels);
    EXPECT_EQ(images.labels, wanted.labels);
    EXPECT_EQ(images.shape, wanted.shape);
    EXPECT_EQ(images.classes, wanted.classes);
  };
  for (const int ranks : {1, 2, 3, 5}) {
    runThreadRanks(ranks, [&](Communicator& communicator) {
      const TrainingData shared = shareTrainingData(experiment, communicator);
      expectSame(shared.training, alone.training);
      expectSame(shared.evaluation, alone.evaluation);
    });
  }
}

}  // namespace
}  // namespace slipstream
