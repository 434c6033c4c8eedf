// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "engine/data/loader.h"

namespace slipstream {
namespace {

Images draw(std::int64_t count, DataPart part = DataPart::training, std::uint64_t seed = 1) {
  DatasetSpec spec;
  spec.name = "digits";
  spec.trainSamples = count;
  spec.evaluationSamples = count;
  return loadImages(spec, part, seed).value();
}

TEST(Digits, SameSeedSamePictures) {
  const auto once = draw(50);
  const auto again = draw(50);
  EXPECT_EQ(once.pixels, again.pixels);
  EXPECT_EQ(once.labels, again.labels);
  EXPECT_NE(once.pixels, draw(50, DataPart::training, 2).pixels);
}

TEST(Digits, APictureDoesNotDependOnHowManyThereAre) {
  const auto few = draw(20);
  const auto many = draw(80);
  EXPECT_TRUE(std::equal(few.pixels.begin(), few.pixels.end(), many.pixels.begin()));
}

TEST(Digits, EveryClassAboutEquallyOften) {
  const auto images = draw(10000);
  EXPECT_EQ(images.shape, (SampleShape{28, 28, 1}));
  EXPECT_EQ(images.classes, 10);
  for (int label = 0; label < 10; ++label) {
    EXPECT_NEAR(static_cast<double>(std::count(images.labels.begin(), images.labels.end(), label)), 1000, 150) << label;
  }
}

TEST(Digits, NoPictureTwiceAndNoneInBothParts) {
  std::set<std::vector<std::uint8_t>> seen;
  for (const auto& images : {draw(500), draw(500, DataPart::evaluation)}) {
    for (auto at = images.pixels.begin(); at != images.pixels.end(); at += 28 * 28) seen.insert({at, at + 28 * 28});
  }
  EXPECT_EQ(seen.size(), 1000U);
}

TEST(Digits, PicturesHaveInkOnAMostlyDarkGround) {
  const auto images = draw(300);
  for (auto at = images.pixels.begin(); at != images.pixels.end(); at += 28 * 28) {
    EXPECT_GT(*std::max_element(at, at + 28 * 28), 100);
    EXPECT_GT(std::count_if(at, at + 28 * 28, [](std::uint8_t pixel) { return pixel < 90; }), 28 * 28 / 2);
  }
}

TEST(Digits, AskingForNoneFails) {
  DatasetSpec spec;
  spec.name = "digits";
  spec.trainSamples = 0;
  const auto loaded = loadImages(spec, DataPart::training, 1);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error()[0].where, "dataset.train_samples");
  spec.name = "letters";
  EXPECT_EQ(loadImages(spec, DataPart::training, 1).error()[0].where, "dataset.name");
}

TEST(Batch, HoldsThePicturesInTheOrderAskedFor) {
  Images images{{1, 2, 1}, 10, {0, 255, 51, 102}, {3, 4}};
  const PartContent content(images);
  const auto source = makeSource(content, DatasetSpec{}, DataPart::training, 1);
  const auto select = [](std::int64_t) { return Selection{{1, 0}, {}}; };
  Loader loader(*source, select, loaderOptions(DatasetSpec{}, 2, 1));
  const Batch& batch = loader.batchOf(0);
  EXPECT_EQ(batch.count, 2);
  EXPECT_EQ(batch.labels, (std::vector<std::int32_t>{4, 3}));
  EXPECT_EQ(batch.pictures, (CacheLineBytes{51, 102, 0, 255}));
}

}  // namespace
}  // namespace slipstream
