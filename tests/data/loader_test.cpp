// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/loader.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/data/idx_files.h"
#include "tests/support/error_of.h"
#include "tests/support/jpeg_images.h"
#include "tests/support/ordinary_user.h"
#include "tests/support/png_images.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// Two classes of 12 and 12 images to train with, 5 and 5 to evaluate on.
class ImageFolderFixture : public ::testing::Test {
 protected:
  ImageFolderFixture() {
    writeImageFolder(folder_.path(), {"cat", "dog"}, 12, 5);
    spec_.name = "image_folder";
    spec_.path = folder_.path().string();
    spec_.batchSize = 4;
    spec_.trainSamples = spec_.evaluationSamples = 0;
    spec_.imageSize = 16;
    spec_.classes = 2;
  }

  PartContent load(DataPart part = DataPart::training) const { return loadPart(spec_, part, 9).value(); }
  std::filesystem::path picture(const std::string& name) const { return folder_.path() / "train" / name; }

  TemporaryFolder folder_;
  DatasetSpec spec_;
};

struct Seen {
  CacheLineBytes pictures;
  std::vector<std::int32_t> labels;
  bool operator==(const Seen&) const = default;
};

/// What one rank of several sees at the steps given.
std::vector<Seen> seen(const PartContent& content, const DatasetSpec& spec, const std::vector<std::int64_t>& steps,
                       int rank = 0, int ranks = 1) {
  const auto source = makeSource(content, spec, DataPart::training, 9);
  Sampler sampler(spec, source->count(), 9, rank, ranks);
  Loader loader(
      *source, [&](std::int64_t step) { return sampler.selectionOf(step); }, loaderOptions(spec, spec.batchSize, 18));
  std::vector<Seen> all;
  for (const std::int64_t step : steps) {
    const Batch& batch = loader.batchOf(step);
    all.push_back({batch.pictures, batch.labels});
  }
  return all;
}

std::vector<std::int64_t> stepsFrom(std::int64_t first, std::int64_t end) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = first; step < end; ++step) steps.push_back(step);
  return steps;
}

TEST_F(ImageFolderFixture, BatchesAreTheSameForAnyNumberOfThreadsAndAnyNumberAhead) {
  const PartContent content = load();
  const auto expected = seen(content, spec_, stepsFrom(0, 18));
  for (const int threads : {1, 2, 4}) {
    for (const std::int64_t ahead : {0, 1, 5, 40}) {
      spec_.decodeThreads = threads;
      spec_.prefetchBatches = ahead;
      EXPECT_EQ(seen(content, spec_, stepsFrom(0, 18)), expected) << threads << " threads, " << ahead << " ahead";
    }
  }
}

TEST_F(ImageFolderFixture, AResumedLoaderGoesOnWithTheSameBits) {
  const PartContent content = load();
  spec_.decodeThreads = 2;
  spec_.prefetchBatches = 3;
  const auto whole = seen(content, spec_, stepsFrom(0, 18));
  for (const std::int64_t from : {1, 6, 11}) {
    const auto rest = seen(content, spec_, stepsFrom(from, 18));
    EXPECT_TRUE(std::equal(rest.begin(), rest.end(), whole.begin() + from)) << from;
  }
}

TEST_F(ImageFolderFixture, StepsMayBeAskedForInAnyOrderAndBeyondTheEnd) {
  const PartContent content = load();
  spec_.decodeThreads = 2;
  spec_.prefetchBatches = 2;
  const auto whole = seen(content, spec_, stepsFrom(0, 24));
  const std::vector<std::int64_t> steps{5, 6, 2, 2, 17, 18, 23, 0, 1};
  const auto some = seen(content, spec_, steps);
  for (std::size_t i = 0; i < steps.size(); ++i)
    EXPECT_EQ(some[i], whole[static_cast<std::size_t>(steps[i])]) << steps[i];
}

TEST_F(ImageFolderFixture, EpochsSeeOtherViewsOfTheSamePictures) {
  spec_.shuffle = false;
  const PartContent content = load();
  const auto all = seen(content, spec_, stepsFrom(0, 12));
  EXPECT_EQ(all[0].labels, all[6].labels);
  EXPECT_NE(all[0].pictures, all[6].pictures);
  spec_.augment = false;
  const auto plain = seen(content, spec_, stepsFrom(0, 12));
  EXPECT_EQ(plain[0], plain[6]);
}

TEST_F(ImageFolderFixture, EverySampleComesOnceAnEpochOverThreeRanks) {
  const PartContent content = load();
  const auto source = makeSource(content, spec_, DataPart::training, 9);
  std::multiset<std::uint32_t> samples;
  for (int rank = 0; rank < 3; ++rank) {
    Sampler sampler(spec_, source->count(), 9, rank, 3);
    for (std::int64_t step = 0; step < sampler.stepsPerEpoch(); ++step) {
      for (const auto sample : sampler.selectionOf(step).samples) samples.insert(sample);
    }
  }
  EXPECT_THAT(samples, SizeIs(24));
  EXPECT_EQ(std::set<std::uint32_t>(samples.begin(), samples.end()).size(), 24U);
}

TEST_F(ImageFolderFixture, ALimitTakesPicturesOfEveryClass) {
  spec_.trainSamples = 6;
  const auto list = std::get<ImageList>(load());
  ASSERT_THAT(list.files, SizeIs(6));
  EXPECT_EQ(list.files.front().label, 0);
  EXPECT_EQ(list.files.back().label, 1);
  EXPECT_EQ(std::ranges::count(list.files, 1, &ImageList::File::label), 3);
}

TEST_F(ImageFolderFixture, ABrokenPictureEndsTheBatchWithItsPath) {
  writeBytes(picture("cat/3.jpg"), {1, 2, 3});
  const PartContent content = load();
  for (const int threads : {0, 2}) {
    spec_.prefetchBatches = spec_.decodeThreads = threads;
    const std::string error = errorOf([&] { seen(content, spec_, stepsFrom(0, 6)); });
    EXPECT_THAT(error, HasSubstr(picture("cat/3.jpg").string()));
    EXPECT_THAT(error, HasSubstr("dataset.on_broken"));
  }
}

TEST_F(ImageFolderFixture, ASkippedPictureIsReplacedByTheNextAndTold) {
  spec_.shuffle = false;
  spec_.onBroken = BrokenImages::skip;
  writeBytes(picture("cat/1.jpg"), {1, 2, 3});
  const PartContent content = load();
  for (const int threads : {0, 2}) {
    spec_.prefetchBatches = spec_.decodeThreads = threads;
    const auto source = makeSource(content, spec_, DataPart::training, 9);
    Sampler sampler(spec_, source->count(), 9, 0, 1);
    Loader loader(
        *source, [&](std::int64_t step) { return sampler.selectionOf(step); }, loaderOptions(spec_, 4, 6));
    const Batch batch = loader.batchOf(0);
    EXPECT_EQ(batch.count, 4);
    ASSERT_THAT(loader.skipped(), SizeIs(1));
    EXPECT_THAT(loader.skipped().front(), HasSubstr("cat/1.jpg"));
    const std::size_t elements = 16 * 16 * 3;
    // Sorted by name: 0.jpg, 1.jpg, 10.jpg, 11.jpg.
    EXPECT_TRUE(std::equal(batch.pictures.begin() + elements, batch.pictures.begin() + 2 * elements,
                           batch.pictures.begin() + 2 * elements))
        << "10.jpg stands in for 1.jpg, with its own draws";
    loader.batchOf(1);
    EXPECT_THAT(loader.skipped(), SizeIs(0));
  }
}

/// What an evaluation sees of broken images: nothing, and every other one once.
TEST_F(ImageFolderFixture, ASkippedPictureWithoutStandInLeavesTheBatch) {
  spec_.onBroken = BrokenImages::skip;
  for (const char* name : {"cat/12.jpg", "cat/14.jpg", "dog/16.jpg"}) {
    writeBytes(folder_.path() / "val" / name, {1, 2, 3});
  }
  const PartContent content = load(DataPart::evaluation);
  const auto source = makeSource(content, spec_, DataPart::evaluation, 9);
  const auto reader = source->reader();
  std::vector<std::uint8_t> expected(16 * 16 * 3);
  for (const int threads : {0, 2}) {
    spec_.prefetchBatches = spec_.decodeThreads = threads;
    LoaderOptions options = loaderOptions(spec_, 4, 3);
    options.standIns = false;
    const auto select = [](std::int64_t step) {
      Selection selection;
      for (std::int64_t i = 4 * step; i < std::min<std::int64_t>(10, 4 * step + 4); ++i) {
        selection.samples.push_back(static_cast<std::uint32_t>(i));
      }
      return selection;
    };
    Loader loader(*source, select, options);
    const std::vector<std::vector<std::uint32_t>> readable{{1, 3}, {4, 5, 6, 7}, {8}};
    const std::vector<std::size_t> unreadable{2, 0, 1};
    for (std::size_t step = 0; step < readable.size(); ++step) {
      const Batch& batch = loader.batchOf(static_cast<std::int64_t>(step));
      ASSERT_EQ(batch.count, std::ssize(readable[step])) << step;
      ASSERT_EQ(std::ssize(batch.pictures), batch.count * std::ssize(expected));
      EXPECT_THAT(loader.skipped(), SizeIs(unreadable[step]));
      for (std::size_t i = 0; i < readable[step].size(); ++i) {
        EXPECT_EQ(reader->read(readable[step][i], {}, expected).value(), batch.labels[i]);
        const auto found = batch.pictures.begin() + static_cast<std::ptrdiff_t>(i * expected.size());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found)) << step << " " << i;
      }
    }
    EXPECT_EQ(loader.batchOf(0).count, 2) << "again";
  }
}

TEST_F(ImageFolderFixture, AFolderOfBrokenPicturesIsAnError) {
  for (const char* name : {"cat", "dog"}) {
    for (int i = 0; i < 12; ++i) writeBytes(picture(std::string(name) + "/" + std::to_string(i) + ".jpg"), {1});
  }
  spec_.onBroken = BrokenImages::skip;
  const PartContent content = load();
  EXPECT_THAT(errorOf([&] { seen(content, spec_, {0}); }),
              AllOf(HasSubstr("none of the 24 samples can be read"), HasSubstr("replace or remove it"),
                    Not(HasSubstr("dataset.on_broken"))));
}

TEST_F(ImageFolderFixture, WhatIsAdvisedOfABrokenPictureIsNotWhatIsSetAlready) {
  writeBytes(picture("cat/0.jpg"), {1});
  const PartContent content = load();
  CacheLineBytes input(16 * 16 * 3);
  for (const BrokenImages onBroken : {BrokenImages::fail, BrokenImages::skip}) {
    spec_.onBroken = onBroken;
    const auto source = makeSource(content, spec_, DataPart::training, 9);
    const auto read = source->reader()->read(0, {}, input);
    ASSERT_FALSE(read);
    const bool advised = read.error().front().remedy.find("on_broken") != std::string::npos;
    EXPECT_EQ(advised, onBroken == BrokenImages::fail);
  }
}

/// The names of a file's troubles: only a file that can be read is no whole image.
TEST_F(ImageFolderFixture, WhatKeepsAPictureFromBeingReadIsTold) {
  const PartContent content = load();
  const auto source = makeSource(content, spec_, DataPart::training, 9);
  const auto reader = source->reader();
  CacheLineBytes input(16 * 16 * 3);
  const auto problem = [&] {
    const auto read = reader->read(0, {}, input);
    return read ? "none" : read.error().front().problem;
  };
  const auto file = picture("cat/0.jpg");
  EXPECT_EQ(problem(), "none");
  writeBytes(file, {0xFF, 0xD8});
  EXPECT_THAT(problem(), HasSubstr("is no whole JPEG image: "));
  std::filesystem::permissions(file, std::filesystem::perms::none);
  {
    const OrdinaryUser user(folder_.path());
    EXPECT_EQ(problem(), "cannot be read: Permission denied");
  }
  std::filesystem::remove(file);
  EXPECT_EQ(problem(), "cannot be read: No such file or directory");
}

/// A look finds what is empty, cut or something else; where it finds fault, so does who reads.
TEST_F(ImageFolderFixture, ALookTellsBrokenFilesApartWithoutReadingThem) {
  const PartContent content = load();
  const auto source = makeSource(content, spec_, DataPart::training, 9);
  const auto reader = source->reader();
  const auto looksSound = [&](const std::vector<std::uint8_t>& bytes) {
    writeBytes(picture("cat/0.jpg"), bytes);
    return reader->inspect(0).has_value();
  };
  const Picture waves = wavyPicture(300, 400, 3, 1);
  for (const auto& whole : {jpegOf(waves, {.quality = 100}), pngOf(waves)}) {
    ASSERT_GT(whole.size(), 32U * 1024) << "longer than what a look reads";
    EXPECT_TRUE(looksSound(whole));
    std::vector<std::uint8_t> longer = whole;
    longer.push_back(0);
    EXPECT_TRUE(looksSound(longer)) << "bytes behind the end harm nobody";
    EXPECT_FALSE(looksSound({whole.begin(), whole.begin() + std::ssize(whole) / 2}));
  }
  EXPECT_FALSE(looksSound({}));
  EXPECT_FALSE(looksSound({0xFF, 0xD8, 0xFF, 0xD9}));
  EXPECT_FALSE(looksSound(std::vector<std::uint8_t>(100, 'x')));
  std::filesystem::remove(picture("cat/0.jpg"));
  EXPECT_FALSE(reader->inspect(0).has_value());
}

TEST_F(ImageFolderFixture, APictureThatWentAwayIsTold) {
  const PartContent content = load();
  std::filesystem::remove(picture("dog/2.jpg"));
  EXPECT_THAT(errorOf([&] { seen(content, spec_, stepsFrom(0, 6)); }), HasSubstr("dog/2.jpg"));
}

TEST_F(ImageFolderFixture, ALoaderMayGoAwayInTheMiddleOfItsWork) {
  const PartContent content = load();
  spec_.decodeThreads = 3;
  spec_.prefetchBatches = 10;
  for (int time = 0; time < 20; ++time) EXPECT_THAT(seen(content, spec_, {0}), SizeIs(1));
}

TEST_F(ImageFolderFixture, EvaluationPicturesAreSeenInTheirMiddle) {
  const PartContent content = load(DataPart::evaluation);
  const auto source = makeSource(content, spec_, DataPart::evaluation, 9);
  EXPECT_EQ(source->count(), 10);
  EXPECT_EQ(source->shape(), (SampleShape{16, 16, 3}));
  std::vector<std::uint8_t> once(16 * 16 * 3);
  std::vector<std::uint8_t> again(once.size());
  const auto reader = source->reader();
  ASSERT_EQ(reader->read(9, {0, 0}, once).value(), 1);
  ASSERT_EQ(reader->read(9, {5, 0}, again).value(), 1);
  EXPECT_EQ(once, again);
}

/// A PNG file among JPEG files is the same image but for what JPEG loses, at every scale that a large one is read at.
TEST_F(ImageFolderFixture, PngFilesAreSeenAsTheJpegFilesOfTheSamePictures) {
  spec_.augment = false;
  spec_.shuffle = false;
  for (const std::int64_t size : {20, 40, 80, 160}) {
    const Picture waves = wavyPicture(size, size + 7, 3, 3);
    writePicture(picture("cat/0.jpg"), jpegOf(waves, {100, 1, 1, false}));
    std::filesystem::remove(picture("cat/1.jpg"));
    writePicture(picture("cat/00.png"), pngOf(waves, {.interlaced = size == 40}));
    const PartContent content = load();
    const auto all = seen(content, spec_, {0});
    const std::size_t elements = 16 * 16 * 3;
    for (std::size_t i = 0; i < elements; ++i) {
      ASSERT_NEAR(all[0].pictures[i], all[0].pictures[elements + i], 4) << size << ": value " << i;
    }
  }
  std::vector<std::uint8_t> cut = pngOf(wavyPicture(40, 40, 3, 3));
  cut.resize(cut.size() / 2);
  writePicture(picture("cat/0.jpg"), cut);
  const PartContent content = load();
  const auto source = makeSource(content, spec_, DataPart::training, 9);
  CacheLineBytes input(16 * 16 * 3);
  const auto read = source->reader()->read(0, {}, input);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().front().problem, HasSubstr("is no whole PNG image: "));
}

TEST_F(ImageFolderFixture, GreyAndFourColourPicturesAreSeenAsRgb) {
  writePicture(picture("cat/0.jpg"), jpegOf(wavyPicture(40, 40, 1, 3)));
  writePicture(picture("cat/1.jpg"), jpegOf(plainPicture(40, 40, {255, 0, 0, 255}), {100, 1, 1, false}));
  spec_.augment = false;
  spec_.shuffle = false;
  const auto all = seen(load(), spec_, {0});
  const std::size_t elements = 16 * 16 * 3;
  EXPECT_EQ(all[0].pictures[0], all[0].pictures[1]);
  EXPECT_NEAR(all[0].pictures[elements], 255, 2);
  EXPECT_NEAR(all[0].pictures[elements + 1], 0, 2);
}

}  // namespace
}  // namespace slipstream
