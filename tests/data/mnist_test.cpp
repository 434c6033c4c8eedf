// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "engine/data/dataset.h"
#include "tests/data/idx_files.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;
using test::Bytes;
using testing::HasSubstr;

DatasetSpec mnistIn(const fs::path& folder) {
  DatasetSpec spec;
  spec.path = folder.string();
  return spec;
}

/// A folder with sound training files, to be broken.
class Mnist : public testing::Test {
 protected:
  Mnist() {
    test::writeBytes(images(), test::pictureFile(30));
    test::writeBytes(labels(), test::labelFile(30));
  }
  fs::path images() const { return folder_.path() / "train-images-idx3-ubyte"; }
  fs::path labels() const { return folder_.path() / "train-labels-idx1-ubyte"; }
  Result<Images> load() const { return loadImages(mnistIn(folder_.path()), DataPart::training, 1); }

  /// Loads and expects one failure that names `where` and says `problem`.
  void expectFailure(const fs::path& where, const std::string& problem) const {
    const auto result = load();
    ASSERT_FALSE(result);
    ASSERT_EQ(result.error().size(), 1U) << toText(result.error());
    EXPECT_EQ(result.error()[0].where, where.string());
    EXPECT_THAT(result.error()[0].problem, HasSubstr(problem));
    EXPECT_FALSE(result.error()[0].remedy.empty());
  }

  test::TemporaryFolder folder_;
};

TEST_F(Mnist, ReadsPicturesAndLabels) {
  const auto loaded = load();
  ASSERT_TRUE(loaded) << toText(loaded.error());
  EXPECT_EQ(loaded->count(), 30);
  EXPECT_EQ(loaded->classes, 10);
  EXPECT_EQ(loaded->shape, (SampleShape{28, 28, 1}));
  EXPECT_EQ(loaded->labels[13], 3);
  EXPECT_EQ(loaded->pixels[28 * 28 + 5], (28 * 28 + 5) % 251);
}

TEST_F(Mnist, ReadsCompressedFilesBothSpellingsAndSubfolders) {
  const auto plain = load();
  ASSERT_TRUE(plain);
  const std::vector<std::pair<std::string, std::string>> names{
      {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"},
      {"train-images.idx3-ubyte", "train-labels.idx1-ubyte"},
      {"train/train-images.idx3-ubyte.gz", "train/train-labels-idx1-ubyte"}};
  for (const auto& [imageName, labelName] : names) {
    test::TemporaryFolder other;
    const auto write = [&](const std::string& name, const Bytes& bytes) {
      name.ends_with(".gz") ? test::writeCompressed(other.path() / name, bytes)
                            : test::writeBytes(other.path() / name, bytes);
    };
    write(imageName, test::pictureFile(30));
    write(labelName, test::labelFile(30));
    const auto loaded = loadImages(mnistIn(other.path()), DataPart::training, 1);
    ASSERT_TRUE(loaded) << toText(loaded.error());
    EXPECT_EQ(loaded->pixels, plain->pixels);
    EXPECT_EQ(loaded->labels, plain->labels);
  }
}

TEST_F(Mnist, KeepsTheFirstSamplesOnly) {
  auto spec = mnistIn(folder_.path());
  spec.trainSamples = 12;
  EXPECT_EQ(loadImages(spec, DataPart::training, 1)->count(), 12);
  spec.trainSamples = 0;
  EXPECT_EQ(loadImages(spec, DataPart::training, 1)->count(), 30);
}

TEST(MnistFolder, MissingDataNamesAllThreePlaces) {
  for (const std::string folder : {"", "/nowhere/at/all"}) {
    const auto loaded = loadImages(mnistIn(folder), DataPart::training, 1);
    ASSERT_FALSE(loaded);
    for (const char* place : {"--set dataset.path=", "dataset.path in the experiment file", "DATA_PATH"}) {
      EXPECT_THAT(toText(loaded.error()), HasSubstr(place));
    }
    EXPECT_EQ(loaded.error()[0].value, folder);
  }
}

TEST(MnistFolder, EveryMissingFileIsNamed) {
  test::TemporaryFolder empty;
  const auto loaded = loadImages(mnistIn(empty.path()), DataPart::evaluation, 1);
  ASSERT_FALSE(loaded);
  ASSERT_EQ(loaded.error().size(), 2U);
  EXPECT_THAT(loaded.error()[0].problem, HasSubstr("t10k-images-idx3-ubyte"));
  EXPECT_THAT(loaded.error()[1].problem, HasSubstr("t10k-labels-idx1-ubyte"));
}

TEST_F(Mnist, TruncatedAnywhereFails) {
  const auto whole = test::pictureFile(30);
  for (const std::size_t kept : {std::size_t{0}, std::size_t{3}, std::size_t{10}, std::size_t{16}, whole.size() - 1}) {
    test::writeBytes(images(), {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(kept)});
    expectFailure(images(), "ends too early");
  }
}

TEST_F(Mnist, TruncatedOrDamagedCompressionFails) {
  const fs::path compressed = folder_.path() / "train-images-idx3-ubyte.gz";
  fs::remove(images());
  test::writeCompressed(compressed, test::pictureFile(30));
  std::ifstream file(compressed, std::ios::binary);
  Bytes bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  test::writeBytes(compressed, {bytes.begin(), bytes.end() - 12});
  expectFailure(compressed, "ends too early");
  bytes[bytes.size() - 6] ^= 0xFF;  // the checksum
  test::writeBytes(compressed, bytes);
  expectFailure(compressed, "is damaged");
}

TEST_F(Mnist, WrongMagicFails) {
  test::writeBytes(images(), test::labelFile(30));
  expectFailure(images(), "wrong magic number");
}

TEST_F(Mnist, TrailingBytesFail) {
  auto bytes = test::labelFile(30);
  bytes.push_back(0);
  test::writeBytes(labels(), bytes);
  expectFailure(labels(), "goes on after the last item");
}

TEST_F(Mnist, CountsThatDifferFail) {
  test::writeBytes(labels(), test::labelFile(29));
  expectFailure(labels(), "another number of labels");
}

TEST_F(Mnist, LabelOutOfRangeFails) {
  auto bytes = test::labelFile(30);
  bytes[8 + 17] = 10;
  test::writeBytes(labels(), bytes);
  expectFailure(labels(), "out of range 0 to 9 at position 17");
}

TEST_F(Mnist, OtherSizesAndEmptyFilesFail) {
  test::writeBytes(images(), test::idxBytes({30, 2, 2}, Bytes(120)));
  expectFailure(images(), "another size than 28 x 28");
  test::writeBytes(images(), test::idxBytes({0, 28, 28}, {}));
  expectFailure(images(), "holds no items");
}

TEST_F(Mnist, AHeaderThatLiesAboutItsSizeFailsWithoutTakingTheMemory) {
  test::writeBytes(images(), test::idxBytes({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, Bytes(100)));
  expectFailure(images(), "claims to hold more than such a file may");
  test::writeBytes(images(), test::idxBytes({1'000'000, 28, 28}, Bytes(100)));
  expectFailure(images(), "ends too early");
}

/// Ends the process with 0 where the files are refused although no more than `bytes` of memory can be had.
[[noreturn]] void exitWhereRefusedWithin(rlim_t bytes, const fs::path& folder) {
  std::ifstream status("/proc/self/status");
  rlim_t held = 0;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmData:")) held = std::stoull(line.substr(7)) << 10;
  }
  const rlimit limit{held + bytes, held + bytes};
  if (held == 0 || ::setrlimit(RLIMIT_DATA, &limit) != 0) std::_Exit(3);
  const auto spec = mnistIn(folder);
  const bool refused = !loadImages(spec, DataPart::training, 1);
  std::_Exit(refused ? 0 : 1);
}

TEST_F(Mnist, HugeSizesThatSmallFilesClaimTakeLittleMemory) {
  constexpr std::uint32_t claimed = 5'300'000;  // just below the 4 GiB that a file may hold
  constexpr rlim_t most = 320 << 20;
  // As large as it must be for the claim to be possible in a compressed file; noise, so that it is compressed to that.
  Bytes noise(5 << 20);
  std::mt19937 random(1);
  std::generate(noise.begin(), noise.end(), [&] { return static_cast<std::uint8_t>(random()); });
  const Bytes liar = test::idxBytes({claimed, 28, 28}, noise);
  test::writeBytes(images(), liar);
  EXPECT_EXIT(exitWhereRefusedWithin(most, folder_.path()), testing::ExitedWithCode(0), "");
  fs::remove(images());
  test::writeCompressed(folder_.path() / "train-images-idx3-ubyte.gz", liar);
  EXPECT_EXIT(exitWhereRefusedWithin(most, folder_.path()), testing::ExitedWithCode(0), "");
}

TEST_F(Mnist, AFolderInPlaceOfAFileFails) {
  fs::remove(images());
  fs::create_directory(images());
  expectFailure(images(), "is a folder");
}

TEST_F(Mnist, APipeInPlaceOfAFileIsNotWaitedFor) {
  fs::remove(images());
  ASSERT_EQ(::mkfifo(images().c_str(), 0600), 0);
  expectFailure(images(), "is no regular file");
}

TEST_F(Mnist, AFileCountsBeforeWhatIsThereInThePlaceOfAnother) {
  fs::rename(images(), folder_.path() / "train-images.idx3-ubyte");
  fs::create_directory(images());
  EXPECT_TRUE(load());
}

TEST_F(Mnist, BothFilesAreReportedAtOnce) {
  test::writeBytes(images(), {1, 2, 3, 4});
  test::writeBytes(labels(), {1, 2, 3, 4});
  const auto loaded = load();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().size(), 2U);
}

/// The real files where they lie beside the project, else files of the same size that this test writes.
TEST(MnistFull, SixtyThousandAndTenThousand) {
  fs::path folder = fs::path(SLIPSTREAM_SOURCE) / "../shared/data/mnist";
  test::TemporaryFolder written;
  if (!fs::exists(folder)) {
    folder = written.path();
    test::writeBytes(folder / "train-images-idx3-ubyte", test::pictureFile(60000));
    test::writeBytes(folder / "train-labels-idx1-ubyte", test::labelFile(60000));
    test::writeBytes(folder / "t10k-images-idx3-ubyte", test::pictureFile(10000));
    test::writeBytes(folder / "t10k-labels-idx1-ubyte", test::labelFile(10000));
  }
  const auto training = loadImages(mnistIn(folder), DataPart::training, 1);
  ASSERT_TRUE(training) << toText(training.error());
  EXPECT_EQ(training->count(), 60000);
  const auto evaluation = loadImages(mnistIn(folder), DataPart::evaluation, 1);
  ASSERT_TRUE(evaluation) << toText(evaluation.error());
  EXPECT_EQ(evaluation->count(), 10000);
  for (int label = 0; label < 10; ++label) {
    EXPECT_GT(std::count(training->labels.begin(), training->labels.end(), label), 5000);
  }
}

}  // namespace
}  // namespace slipstream
