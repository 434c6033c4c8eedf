// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/jpeg_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "tests/support/jpeg_images.h"
#include "tests/support/mutator.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;
using File = std::vector<std::uint8_t>;

PixelBox wholeOf(ImageSize size, int eighths) {
  return {0, 0, (size.height * eighths + 7) / 8, (size.width * eighths + 7) / 8};
}

/// The decoder's whole image, or why there is none.
Decoded<ImagePart> decodeWhole(JpegDecoder& decoder, const File& file, int eighths = 8) {
  const auto size = decoder.open(file);
  if (!size) return tl::unexpected(size.error());
  ImagePart part;
  const auto decoded = decoder.decode(eighths, wholeOf(*size, eighths), part);
  if (!decoded) return tl::unexpected(decoded.error());
  return part;
}

std::string problemOf(const File& file) {
  JpegDecoder decoder;
  const auto part = decodeWhole(decoder, file);
  return part ? "none" : part.error();
}

TEST(JpegDecoder, ABoxHoldsTheValuesOfTheWholePicture) {
  JpegDecoder decoder;
  Random random(1, RandomStream::test);
  for (const JpegStyle& style : {JpegStyle{95, 2, 2, false}, JpegStyle{95, 2, 1, false}, JpegStyle{95, 1, 1, false},
                                 JpegStyle{95, 2, 2, true}, JpegStyle{95, 1, 2, false}}) {
    for (const std::int64_t channels : {1, 3}) {
      const File file = jpegOf(wavyPicture(93, 131, channels, 3), style);
      for (const int eighths : {1, 2, 4, 8}) {
        const Picture whole = decodePlainly(file, eighths);
        for (int time = 0; time < 40; ++time) {
          const auto top = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole.height)));
          const auto left = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole.width)));
          const auto height =
              1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole.height - top)));
          const auto width =
              1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole.width - left)));
          ASSERT_TRUE(decoder.open(file));
          ImagePart part;
          const auto decoded = decoder.decode(eighths, {top, left, top + height, left + width}, part);
          ASSERT_TRUE(decoded) << decoded.error();
          for (std::int64_t y = top; y < top + height; ++y) {
            const std::uint8_t* expected = whole.values.data() + 3 * (y * whole.width + left);
            const std::uint8_t* found = part.row(y) + 3 * (left - part.box.left);
            ASSERT_TRUE(std::equal(found, found + 3 * width, expected))
                << "row " << y << " of " << top << " " << left << " " << height << " " << width << ", eighths "
                << eighths << ", chroma " << style.chromaAcross << "x" << style.chromaDown;
          }
        }
      }
    }
  }
}

TEST(JpegDecoder, GreyBecomesThreeEqualChannels) {
  JpegDecoder decoder;
  const Picture grey = wavyPicture(20, 30, 1, 5);
  const auto part = decodeWhole(decoder, jpegOf(grey));
  ASSERT_TRUE(part) << part.error();
  for (std::size_t i = 0; i < grey.values.size(); ++i) {
    EXPECT_NEAR(part->values[3 * i], grey.values[i], 6);
    EXPECT_EQ(part->values[3 * i], part->values[3 * i + 1]);
    EXPECT_EQ(part->values[3 * i], part->values[3 * i + 2]);
  }
}

TEST(JpegDecoder, CmykIsMixedOnBlackPaperAsAdobeWritesIt) {
  JpegDecoder decoder;
  // Inverted: 255 is no ink. 200/255 of red light passes, half of the green, all of the blue; then a little black.
  const auto part = decodeWhole(decoder, jpegOf(plainPicture(16, 16, {200, 128, 255, 204}), {100, 1, 1, false}));
  ASSERT_TRUE(part) << part.error();
  EXPECT_NEAR(part->values[0], 200 * 204 / 255, 2);
  EXPECT_NEAR(part->values[1], 128 * 204 / 255, 2);
  EXPECT_NEAR(part->values[2], 204, 2);
}

TEST(JpegDecoder, APictureThatIsCutOffAnywhereIsNone) {
  JpegDecoder decoder;
  for (const bool progressive : {false, true}) {
    const File file = jpegOf(wavyPicture(40, 40, 3, 2), {60, 2, 2, progressive});
    for (std::size_t length = 0; length + 1 < file.size(); ++length) {
      const File cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
      const auto size = decoder.open(cut);
      if (!size) continue;
      ImagePart part;
      EXPECT_FALSE(decoder.decode(8, {0, 0, 1, 1}, part))
          << length << " of " << file.size() << ": the first row alone was asked for";
    }
  }
}

TEST(JpegDecoder, BytesBehindTheEndDoNoHarm) {
  JpegDecoder decoder;
  for (const std::size_t extra : {std::size_t{3}, std::size_t{1000}}) {
    File file = jpegOf(wavyPicture(20, 20, 3, 2));
    const auto whole = decodeWhole(decoder, file)->values;
    file.resize(file.size() + extra);
    const auto part = decodeWhole(decoder, file);
    ASSERT_TRUE(part) << part.error();
    EXPECT_EQ(part->values, whole);
  }
}

TEST(JpegDecoder, SaysWhatIsWrong) {
  EXPECT_THAT(problemOf({}), HasSubstr("Empty input"));
  EXPECT_THAT(problemOf(File(100, 'x')), HasSubstr("Not a JPEG file"));
  EXPECT_THAT(problemOf({0xFF, 0xD8, 0xFF, 0xD9}), HasSubstr("no image"));
}

/// Where the frame header stands: FF C0 or FF C2, two bytes of length, one of precision, then height and width.
std::size_t frameOf(const File& file) {
  for (std::size_t i = 2; i + 9 < file.size(); ++i) {
    if (file[i] == 0xFF && (file[i + 1] == 0xC0 || file[i + 1] == 0xC2)) return i;
  }
  return 0;
}

TEST(JpegDecoder, AHeaderThatPromisesMoreThanCanBeIsRefusedBeforeMemoryIsTaken) {
  for (const bool progressive : {false, true}) {
    File file = jpegOf(wavyPicture(40, 40, 3, 2), {60, 2, 2, progressive});
    const std::size_t frame = frameOf(file);
    ASSERT_GT(frame, 0U);
    const auto problemAt = [&](std::uint8_t high) {
      for (const std::size_t i : {5U, 7U}) file[frame + i] = high;
      for (const std::size_t i : {6U, 8U}) file[frame + i] = 0xFF;
      return problemOf(file);
    };
    EXPECT_THAT(problemAt(0xFF), HasSubstr("Maximum supported image dimension"));
    EXPECT_THAT(problemAt(0x7F), HasSubstr("32767 x 32767 pixels, which is more than 100000000"));
    EXPECT_THAT(problemAt(0x20), HasSubstr("8447 x 8447 pixels, which"));
    EXPECT_THAT(problemAt(0x20), HasSubstr("bytes cannot hold"));
  }
}

/// Bytes changed, taken out, doubled or swapped for another file's.
File mutated(const std::vector<File>& files, Random& random) {
  File file = files[random.below(files.size())];
  const auto changes = 1 + random.below(6);
  for (std::uint64_t change = 0; change < changes && !file.empty(); ++change) {
    const auto at = static_cast<std::ptrdiff_t>(random.below(file.size()));
    switch (random.below(6)) {
      case 0:
        file[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random.below(256));
        break;
      case 1:
        file[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1U << random.below(8));
        break;
      case 2:
        file.resize(static_cast<std::size_t>(at));
        break;
      case 3:
        file.erase(file.begin() + at, file.begin() + at + std::min<std::ptrdiff_t>(20, std::ssize(file) - at));
        break;
      case 4: {
        const File piece(file.begin() + at, file.end());
        file.insert(file.begin() + at, piece.begin(), piece.begin() + std::min<std::ptrdiff_t>(20, std::ssize(piece)));
        break;
      }
      default: {
        const File& other = files[random.below(files.size())];
        for (std::ptrdiff_t i = at; i < std::min({at + 30, std::ssize(file), std::ssize(other)}); ++i) {
          file[static_cast<std::size_t>(i)] = other[static_cast<std::size_t>(i)];
        }
      }
    }
  }
  return file;
}

/// Ten thousand, or SLIPSTREAM_FUZZ_INPUTS of SLIPSTREAM_FUZZ_SEED.
TEST(JpegDecoder, DamagedFilesAreAPictureOrASentence) {
  std::vector<File> files;
  for (const std::int64_t channels : {1, 3, 4}) {
    files.push_back(jpegOf(wavyPicture(24, 33, channels, 1), {50, 2, 2, false}));
    files.push_back(jpegOf(wavyPicture(17, 40, channels, 2), {50, 1, 1, true}));
    files.push_back(jpegOf(wavyPicture(50, 9, channels, 3), {50, 2, 1, true}));
  }
  JpegDecoder decoder;
  Random random(fuzzSeed(), RandomStream::test);
  int pictures = 0;
  int sentences = 0;
  for (std::int64_t time = 0; time < fuzzInputs(10'000); ++time) {
    const File file = mutated(files, random);
    const auto size = decoder.open(file);
    ImagePart part;
    bool decoded = false;
    if (size) {
      const int eighths = 1 << random.below(4);
      PixelBox box = wholeOf(*size, eighths);
      box.top = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(box.bottom)));
      box.left = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(box.right)));
      const auto result = decoder.decode(eighths, box, part);
      decoded = result.has_value();
      EXPECT_TRUE(decoded || !result.error().empty());
    } else {
      EXPECT_FALSE(size.error().empty());
    }
    decoded ? ++pictures : ++sentences;
  }
  EXPECT_GT(pictures, fuzzInputs(10'000) / 20);
  EXPECT_GT(sentences, fuzzInputs(10'000) / 20);
  EXPECT_TRUE(decodeWhole(decoder, files.front())) << "afterwards it still decodes";
}

}  // namespace
}  // namespace slipstream
