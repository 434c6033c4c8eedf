// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cifar10.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/data/sample_source.h"
#include "engine/probe/dataset_files.h"
#include "tests/data/idx_files.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;

/// Records of which the pixel (y, x) has red `first + record`, green y and blue x.
Bytes records(int count, std::uint8_t first) {
  Bytes bytes;
  for (int record = 0; record < count; ++record) {
    bytes.push_back(static_cast<std::uint8_t>((first + record) % 10));
    for (int channel = 0; channel < 3; ++channel) {
      for (int y = 0; y < 32; ++y) {
        for (int x = 0; x < 32; ++x) {
          bytes.push_back(static_cast<std::uint8_t>(channel == 0 ? first + record : channel == 1 ? y : x));
        }
      }
    }
  }
  return bytes;
}

class Cifar10 : public ::testing::Test {
 protected:
  Cifar10() {
    writeBytes(folder_.path() / "data_batch_2.bin", records(4, 104));
    writeCompressed(folder_.path() / "data_batch_1.bin.gz", records(4, 100));
    writeBytes(folder_.path() / "test_batch.bin", records(3, 50));
    spec_.name = "cifar10";
    spec_.path = folder_.path().string();
    spec_.trainSamples = spec_.evaluationSamples = 0;
  }
  std::string problem(DataPart part = DataPart::training) const {
    const auto images = loadCifar10(spec_, part);
    return images ? "none" : toText(images.error());
  }

  TemporaryFolder folder_;
  DatasetSpec spec_;
};

TEST_F(Cifar10, BatchesAreReadByNumberAndPlanesBecomePixels) {
  const auto images = loadCifar10(spec_, DataPart::training);
  ASSERT_TRUE(images) << toText(images.error());
  EXPECT_EQ(images->count(), 8);
  EXPECT_EQ(images->shape, (SampleShape{32, 32, 3}));
  for (int record = 0; record < 8; ++record) {
    EXPECT_EQ(images->labels[static_cast<std::size_t>(record)], record % 10);
    const std::uint8_t* pixel = images->pixels.data() + record * 3072 + 3 * (32 * 5 + 7);
    EXPECT_EQ(pixel[0], 100 + record);
    EXPECT_EQ(pixel[1], 5);
    EXPECT_EQ(pixel[2], 7);
  }
  EXPECT_EQ(loadCifar10(spec_, DataPart::evaluation)->count(), 3);
  spec_.trainSamples = 5;
  EXPECT_EQ(loadCifar10(spec_, DataPart::training)->count(), 5);
}

TEST_F(Cifar10, DamagedFilesAreNamed) {
  const auto file = folder_.path() / "data_batch_2.bin";
  std::filesystem::resize_file(file, 3 * 3073 + 100);
  EXPECT_THAT(problem(), HasSubstr("data_batch_2.bin: ends inside a record of 3073 bytes (found record 3)"));
  Bytes bytes = records(2, 0);
  bytes[3073] = 10;
  writeBytes(file, bytes);
  EXPECT_THAT(problem(), HasSubstr("has a label out of range 0 to 9 in record 1 (found 10)"));
  writeBytes(file, {});
  EXPECT_THAT(problem(), HasSubstr("holds no records"));
  std::filesystem::remove(file);
  std::filesystem::resize_file(folder_.path() / "data_batch_1.bin.gz", 60);
  EXPECT_THAT(problem(), HasSubstr("data_batch_1.bin.gz"));
  std::filesystem::remove(folder_.path() / "data_batch_1.bin.gz");
  EXPECT_THAT(problem(), HasSubstr("has no file data_batch_*.bin"));
}

TEST_F(Cifar10, TrainingPicturesArePaddedByFourCroppedAndFlipped) {
  const PartContent content = loadPart(spec_, DataPart::training, 1).value();
  const auto source = makeSource(content, spec_, DataPart::training, 1);
  const auto reader = source->reader();
  std::vector<std::uint8_t> picture(3072);
  int flips = 0;
  std::set<std::pair<int, int>> corners;
  for (std::int64_t epoch = 0; epoch < 400; ++epoch) {
    ASSERT_TRUE(reader->read(2, {epoch, 0}, picture));
    // The middle is always inside: its green and blue tell where the window stands.
    const int green = picture[3 * (32 * 16 + 16) + 1];
    const int here = picture[3 * (32 * 16 + 16) + 2];
    const int right = picture[3 * (32 * 16 + 17) + 2];
    const bool flipped = right < here;
    flips += flipped ? 1 : 0;
    const int top = green - 16;
    const int left = flipped ? here - 15 : here - 16;
    corners.emplace(top, left);
    for (int y = 0; y < 32; ++y) {
      for (int x = 0; x < 32; ++x) {
        const int row = y + top;
        const int column = left + (flipped ? 31 - x : x);
        const bool inside = row >= 0 && row < 32 && column >= 0 && column < 32;
        const std::uint8_t* pixel = picture.data() + 3 * (32 * y + x);
        ASSERT_EQ(pixel[0], inside ? 102 : 0);
        ASSERT_EQ(pixel[2], inside ? column : 0);
      }
    }
  }
  EXPECT_NEAR(flips, 200, 45);
  EXPECT_GT(corners.size(), 75U) << "of 81 corners";
  EXPECT_EQ(corners.begin()->first, -4);
  EXPECT_EQ(corners.rbegin()->first, 4);
}

TEST_F(Cifar10, EvaluationAndPlainTrainingSeeThePictureItself) {
  spec_.augment = false;
  for (const DataPart part : {DataPart::training, DataPart::evaluation}) {
    const PartContent content = loadPart(spec_, part, 1).value();
    const auto source = makeSource(content, spec_, part, 1);
    std::vector<std::uint8_t> picture(3072);
    ASSERT_TRUE(source->reader()->read(0, {3, 0}, picture));
    EXPECT_EQ(picture[3 * (32 * 4 + 9) + 1], 4);
    EXPECT_EQ(picture[3 * (32 * 4 + 9) + 2], 9);
  }
}

TEST_F(Cifar10, TwoThousandDamagedFilesAreRecordsOrASentence) {
  Random random(3, RandomStream::test);
  const auto file = folder_.path() / "data_batch_9.bin";
  const Bytes whole = records(3, 7);
  int read = 0;
  for (int time = 0; time < 2000; ++time) {
    Bytes bytes = whole;
    for (std::uint64_t change = 0; change < 1 + random.below(3); ++change) {
      const std::size_t at = random.below(3) == 0 ? 3073 * random.below(3) : random.below(bytes.size());
      bytes[at] = static_cast<std::uint8_t>(random.below(256));
    }
    if (random.below(3) == 0) bytes.resize(random.below(bytes.size()));
    writeBytes(file, bytes);
    const auto counted = readCifar(file, [](std::uint8_t label, std::span<const std::uint8_t> planes) {
      EXPECT_LT(label, 10);
      EXPECT_EQ(planes.size(), 3072U);
    });
    if (counted) ++read;
  }
  EXPECT_GT(read, 200);
  EXPECT_LT(read, 1900);
}

}  // namespace
}  // namespace slipstream
