// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/png_decoder.h"

#include <cmath>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/base/random.h"
#include "engine/data/image_decoder.h"
#include "tests/support/mutator.h"
#include "tests/support/png_images.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;
using PngFile = std::vector<std::uint8_t>;
using Values = std::vector<std::uint8_t>;

PixelBox boxOfAll(ImageSize size, int eighths) {
  return {0, 0, (size.height * eighths + 7) / 8, (size.width * eighths + 7) / 8};
}

/// The values of a box without what lies around it.
Values valuesIn(const ImagePart& part, PixelBox box) {
  Values values;
  for (std::int64_t y = box.top; y < box.bottom; ++y) {
    const std::uint8_t* row = part.row(y) + 3 * (box.left - part.box.left);
    values.insert(values.end(), row, row + 3 * (box.right - box.left));
  }
  return values;
}

template <class Decoder>
Decoded<Values> decodeBox(Decoder& decoder, int eighths, PixelBox box) {
  ImagePart part;
  if (const auto decoded = decoder.decode(eighths, box, part); !decoded) return tl::unexpected(decoded.error());
  return valuesIn(part, box);
}

/// The decoder's whole image, or why there is none.
Decoded<Values> decodeAll(const PngFile& file, int eighths = 8) {
  PngDecoder decoder;
  const auto size = decoder.open(file);
  if (!size) return tl::unexpected(size.error());
  return decodeBox(decoder, eighths, boxOfAll(*size, eighths));
}

std::string problemIn(const PngFile& file) {
  const auto values = decodeAll(file);
  return values ? "none" : values.error();
}

Values rgbOf(const Picture& picture) {
  if (picture.channels == 3) return picture.values;
  Values values;
  for (std::size_t i = 0; i < picture.values.size(); i += static_cast<std::size_t>(picture.channels)) {
    // Grey is the first of one or two channels; colours are the first three of four.
    for (std::size_t channel = 0; channel < 3; ++channel) {
      values.push_back(picture.values[picture.channels < 3 ? i : i + channel]);
    }
  }
  return values;
}

TEST(PngDecoder, GreyAndColoursWithAndWithoutTransparencyBecomeRgb) {
  for (const bool interlaced : {false, true}) {
    for (const std::int64_t channels : {1, 2, 3, 4}) {
      Picture picture = wavyPicture(13, 21, channels, 3);
      const PngStyle style{.interlaced = interlaced, .alpha = channels % 2 == 0};
      // Fully transparent pixels keep their colours.
      if (style.alpha) picture.values[static_cast<std::size_t>(channels) - 1] = 0;
      const auto values = decodeAll(pngOf(picture, style));
      ASSERT_TRUE(values) << values.error();
      EXPECT_EQ(*values, rgbOf(picture)) << channels << " channels";
    }
  }
}

TEST(PngDecoder, PalettesBecomeTheirColours) {
  const std::vector<std::array<std::uint8_t, 3>> palette{{1, 2, 3}, {255, 0, 128}, {9, 8, 7}};
  Picture indices{2, 5, 1, {0, 1, 2, 1, 0, 2, 2, 1, 0, 0}};
  Values expected;
  for (const std::uint8_t index : indices.values)
    expected.insert(expected.end(), palette[index].begin(), palette[index].end());
  for (const int bits : {2, 4, 8}) {
    for (const bool transparent : {false, true}) {
      for (const bool interlaced : {false, true}) {
        const auto values = decodeAll(pngOf(
            indices, {.bits = bits, .interlaced = interlaced, .palette = palette, .transparentEntry = transparent}));
        ASSERT_TRUE(values) << values.error();
        EXPECT_EQ(*values, expected) << bits << " bits";
      }
    }
  }
}

/// An index beyond the palette has no colour: libpng gives black.
TEST(PngDecoder, AnIndexBeyondThePaletteIsBlack) {
  const auto values = decodeAll(pngOf({1, 2, 1, {0, 3}}, {.bits = 2, .palette = {{1, 2, 3}, {4, 5, 6}}}));
  ASSERT_TRUE(values) << values.error();
  EXPECT_EQ(*values, (Values{1, 2, 3, 0, 0, 0}));
}

TEST(PngDecoder, GreyOfFewBitsFillsTheByte) {
  // The lowest and highest values become 0 and 255, those between lie evenly.
  EXPECT_EQ(decodeAll(pngOf({1, 2, 1, {0, 1}}, {.bits = 1})).value(), (Values{0, 0, 0, 255, 255, 255}));
  EXPECT_EQ(decodeAll(pngOf({1, 2, 1, {1, 2}}, {.bits = 2})).value(), (Values{85, 85, 85, 170, 170, 170}));
  EXPECT_EQ(decodeAll(pngOf({1, 2, 1, {1, 15}}, {.bits = 4})).value(), (Values{17, 17, 17, 255, 255, 255}));
}

TEST(PngDecoder, SixteenBitsAreRoundedToEight) {
  // value * 255 / 65535: 0x0080 is 0.498, 0x0081 is 0.502, 0xFF7E is 254.498, 0xFF7F is 254.502.
  const Values samples{0x00, 0x80, 0x00, 0x81, 0xFF, 0x7E, 0xFF, 0x7F, 0xFF, 0xFF, 0x12, 0x34};
  for (const bool interlaced : {false, true}) {
    const auto values = decodeAll(pngOf({1, 2, 3, samples}, {.bits = 16, .interlaced = interlaced}));
    ASSERT_TRUE(values) << values.error();
    EXPECT_EQ(*values, (Values{0, 1, 254, 255, 255, 18}));
  }
  const auto grey = decodeAll(pngOf({1, 2, 2, {0xFF, 0x7F, 0, 0, 0, 0x80, 0, 0}}, {.bits = 16, .alpha = true}));
  ASSERT_TRUE(grey) << grey.error();
  EXPECT_EQ(*grey, (Values{255, 255, 255, 0, 0, 0}));
}

/// The mean of the pixels of each square, of those that there are at the edges.
Values meansOf(const Picture& picture, std::int64_t side, PixelBox box) {
  Values values;
  for (std::int64_t y = box.top; y < box.bottom; ++y) {
    for (std::int64_t x = box.left; x < box.right; ++x) {
      for (std::int64_t channel = 0; channel < 3; ++channel) {
        double sum = 0;
        int count = 0;
        for (std::int64_t row = y * side; row < std::min((y + 1) * side, picture.height); ++row) {
          for (std::int64_t column = x * side; column < std::min((x + 1) * side, picture.width); ++column, ++count) {
            sum += picture.values[static_cast<std::size_t>((row * picture.width + column) * 3 + channel)];
          }
        }
        values.push_back(static_cast<std::uint8_t>(std::floor(sum / count + 0.5)));
      }
    }
  }
  return values;
}

TEST(PngDecoder, ABoxHoldsTheMeansOfTheSquaresItIsScaledBy) {
  PngDecoder decoder;
  Random random(1, RandomStream::test);
  for (const bool interlaced : {false, true}) {
    const Picture picture = wavyPicture(93, 131, 3, 3);
    const PngFile file = pngOf(picture, {.interlaced = interlaced});
    for (const int eighths : {1, 2, 4, 8}) {
      for (int time = 0; time < 40; ++time) {
        const PixelBox whole = boxOfAll({93, 131}, eighths);
        PixelBox box;
        box.top = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole.bottom)));
        box.left = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole.right)));
        box.bottom =
            box.top + 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole.bottom - box.top)));
        box.right =
            box.left + 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(whole.right - box.left)));
        ASSERT_EQ(decoder.open(file).value(), (ImageSize{93, 131}));
        const auto values = decodeBox(decoder, eighths, box);
        ASSERT_TRUE(values) << values.error();
        ASSERT_EQ(*values, meansOf(picture, 8 / eighths, box))
            << eighths << " eighths of " << box.top << " " << box.left << " " << box.bottom << " " << box.right;
      }
    }
  }
}

TEST(PngDecoder, AnImageThatIsCutOffAnywhereIsNone) {
  PngDecoder decoder;
  for (const bool interlaced : {false, true}) {
    const PngFile file = pngOf(wavyPicture(40, 40, 3, 2), {.interlaced = interlaced});
    for (std::size_t length = 0; length < file.size(); ++length) {
      const PngFile cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
      if (!decoder.open(cut)) continue;
      EXPECT_FALSE(decodeBox(decoder, 8, {0, 0, 1, 1}))
          << length << " of " << file.size() << ": the first row alone was asked for";
    }
  }
}

TEST(PngDecoder, BytesBehindTheEndDoNoHarm) {
  const PngFile file = pngOf(wavyPicture(20, 20, 3, 2));
  for (const std::size_t extra : {std::size_t{3}, std::size_t{1000}}) {
    PngFile longer = file;
    longer.resize(file.size() + extra);
    EXPECT_EQ(decodeAll(longer).value(), decodeAll(file).value());
  }
}

TEST(PngDecoder, AChangedByteOfTheImageIsSeen) {
  const PngFile file = pngOf(wavyPicture(20, 20, 3, 2));
  for (std::size_t at = 8; at < file.size(); ++at) {
    PngFile changed = file;
    changed[at] ^= 1U;
    EXPECT_FALSE(decodeAll(changed)) << "byte " << at << ": checksums cover every chunk";
  }
}

/// The header's width and height, with a checksum that fits.
PngFile withSize(PngFile file, std::uint32_t width, std::uint32_t height) {
  std::size_t at = 16;
  for (const std::uint32_t number : {width, height}) {
    for (const int shift : {24, 16, 8, 0}) file[at++] = static_cast<std::uint8_t>(number >> shift);
  }
  repairChecksums(file);
  return file;
}

TEST(PngDecoder, AHeaderThatPromisesMoreThanCanBeIsRefusedBeforeMemoryIsTaken) {
  for (const bool interlaced : {false, true}) {
    const PngFile file = pngOf(wavyPicture(40, 40, 3, 2), {.interlaced = interlaced});
    EXPECT_THAT(problemIn(withSize(file, 0x7FFFFFFF, 0x7FFFFFFF)), HasSubstr("IHDR"));
    EXPECT_THAT(problemIn(withSize(file, 0xFFFFFFFF, 1)), HasSubstr("out of range"));
    EXPECT_THAT(problemIn(withSize(file, 0, 40)), HasSubstr("IHDR"));
    EXPECT_THAT(problemIn(withSize(file, 1'000'000, 101)),
                HasSubstr("1000000 x 101 pixels, which is more than 100000000"));
    EXPECT_THAT(problemIn(withSize(file, 8447, 8447)), HasSubstr("8447 x 8447 pixels, which"));
    EXPECT_THAT(problemIn(withSize(file, 8447, 8447)), HasSubstr("bytes cannot hold"));
    EXPECT_NE(problemIn(withSize(file, 40, 41)), "none");
  }
  // What deflate makes smallest is not refused.
  const Picture blank = plainPicture(1500, 2000, {0, 0, 0});
  const PngFile file = pngOf(blank, {.level = 9});
  ASSERT_LT(file.size() * 900, blank.values.size());
  EXPECT_EQ(decodeAll(file).value(), blank.values);
}

TEST(PngDecoder, SaysWhatIsWrong) {
  EXPECT_EQ(problemIn({}), "it does not begin as a PNG file does");
  EXPECT_EQ(problemIn(PngFile(100, 'x')), "it does not begin as a PNG file does");
  const PngFile file = pngOf(wavyPicture(4, 4, 3, 2));
  EXPECT_EQ(problemIn({file.begin(), file.begin() + 8}), "it ends too early");
  PngDecoder decoder;
  ImagePart part;
  EXPECT_EQ(decoder.decode(8, {0, 0, 1, 1}, part).error(), "it is not open");
}

/// The rows of a file as they are before they are compressed, and what lies around them: files of these rows are sound
/// to zlib, whatever was changed in them.
struct UnpackedPng {
  std::string before, rows, after;

  explicit UnpackedPng(const PngFile& file) {
    const std::string bytes(file.begin(), file.end());
    const std::size_t begin = bytes.find("IDAT") - 4;
    const std::size_t end = bytes.find("IEND") - 4;
    before = bytes.substr(0, begin);
    after = bytes.substr(end);
    rows.resize(100'000);
    uLongf size = rows.size();
    const int unpacked = uncompress(reinterpret_cast<Bytef*>(rows.data()), &size, file.data() + begin + 8,
                                    static_cast<uLong>(end - begin - 12));
    EXPECT_EQ(unpacked, Z_OK);
    rows.resize(size);
  }

  PngFile with(const std::string& changed) const {
    std::string packed(compressBound(changed.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(changed.data()),
             changed.size());
    std::string bytes = before;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(size >> shift);
    bytes += "IDAT" + packed.substr(0, size) + "crc." + after;
    PngFile file(bytes.begin(), bytes.end());
    repairChecksums(file);
    return file;
  }
};

std::vector<PngFile> filesOfEveryKind() {
  std::vector<PngFile> files;
  for (const bool interlaced : {false, true}) {
    for (const std::int64_t channels : {1, 2, 3, 4}) {
      files.push_back(pngOf(wavyPicture(9, 13, channels, 1), {.interlaced = interlaced, .alpha = channels % 2 == 0}));
    }
    files.push_back(pngOf(
        {2, 5, 1, {0, 1, 2, 1, 0, 2, 2, 1, 0, 0}},
        {.bits = 2, .interlaced = interlaced, .palette = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, .transparentEntry = true}));
    files.push_back(pngOf({1, 2, 3, Values(12, 77)}, {.bits = 16, .interlaced = interlaced}));
  }
  return files;
}

/// Changed files: as they are, with checksums of chunks that fit, and with changed rows that zlib finds sound.
class DamagedPngs {
 public:
  DamagedPngs() : random_(fuzzSeed(), RandomStream::test) {
    std::vector<std::string> whole;
    for (const PngFile& file : filesOfEveryKind()) {
      whole.emplace_back(file.begin(), file.end());
      unpacked_.emplace_back(file);
      rows_.emplace_back(std::vector{unpacked_.back().rows}, fuzzSeed());
    }
    files_.emplace(whole, fuzzSeed());
  }

  PngFile next() {
    const auto kind = random_.below(3);
    if (kind == 2) {
      const auto index = random_.below(rows_.size());
      return unpacked_[index].with(rows_[index].next());
    }
    const std::string bytes = files_->next();
    PngFile file(bytes.begin(), bytes.end());
    if (kind == 1) repairChecksums(file);
    return file;
  }

 private:
  Random random_;
  std::optional<Mutator> files_;
  std::vector<UnpackedPng> unpacked_;
  std::vector<Mutator> rows_;
};

/// Ten thousand, or SLIPSTREAM_FUZZ_INPUTS of SLIPSTREAM_FUZZ_SEED.
TEST(PngDecoder, DamagedFilesAreAnImageOrASentence) {
  DamagedPngs damaged;
  Random random(fuzzSeed(), RandomStream::test);
  PngDecoder decoder;
  int images = 0;
  int sentences = 0;
  ::testing::internal::CaptureStderr();
  for (std::int64_t time = 0; time < fuzzInputs(10'000); ++time) {
    const PngFile file = damaged.next();
    const auto size = decoder.open(file);
    if (!size) {
      EXPECT_FALSE(size.error().empty());
      ++sentences;
      continue;
    }
    const int eighths = 1 << random.below(4);
    PixelBox box = boxOfAll(*size, eighths);
    box.top = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(box.bottom)));
    box.left = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(box.right)));
    const auto values = decodeBox(decoder, eighths, box);
    EXPECT_TRUE(values || !values.error().empty());
    values ? ++images : ++sentences;
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_GT(images, fuzzInputs(10'000) / 20);
  EXPECT_GT(sentences, fuzzInputs(10'000) / 20);
  EXPECT_TRUE(decodeAll(pngOf(wavyPicture(9, 13, 3, 1)))) << "afterwards it still decodes";
}

TEST(ImageDecoder, TheFirstBytesSayWhichFormatItIs) {
  ImageDecoder decoder;
  const PngFile jpeg = jpegOf(plainPicture(16, 24, {200, 100, 50}), {100, 1, 1, false});
  const PngFile png = pngOf(plainPicture(16, 24, {200, 100, 50}));
  for (int time = 0; time < 2; ++time) {
    for (const auto& [file, name] : {std::pair{&jpeg, "JPEG"}, {&png, "PNG"}}) {
      ASSERT_EQ(decoder.open(*file).value(), (ImageSize{16, 24}));
      EXPECT_STREQ(decoder.formatName(), name);
      EXPECT_TRUE(decoder.endsProperly(*file));
      EXPECT_FALSE(decoder.endsProperly(std::span(*file).first(file->size() - 1)));
      for (const int eighths : {1, 2, 4, 8}) {
        ASSERT_TRUE(decoder.open(*file));
        const auto values = decodeBox(decoder, eighths, boxOfAll({16, 24}, eighths));
        ASSERT_TRUE(values) << values.error();
        ASSERT_EQ(std::ssize(*values), 16 * 24 * 3 * eighths * eighths / 64);
        for (std::size_t i = 0; i < values->size(); ++i)
          EXPECT_NEAR((*values)[i], (std::array{200, 100, 50}[i % 3]), 2);
      }
    }
  }
  EXPECT_EQ(decoder.open({}).error(), "it is empty");
  EXPECT_EQ(decoder.open(PngFile(100, 'x')).error(), "its first bytes are those of neither");
  EXPECT_STREQ(decoder.formatName(), "JPEG or PNG");
  EXPECT_FALSE(decoder.endsProperly(png));
}

}  // namespace
}  // namespace slipstream
