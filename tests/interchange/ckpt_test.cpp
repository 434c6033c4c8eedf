// SPDX-License-Identifier: GPL-3.0-or-later
// MindSpore's .ckpt: bytes worked out by hand from protobuf's encoding, and what must be refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/hash.h"
#include "engine/interchange/ckpt_reader.h"
#include "engine/interchange/ckpt_writer.h"
#include "tests/interchange/written_file.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// A message of bytes: key, length (below 128), content.
std::string field(int number, const std::string& content) {
  return static_cast<char>(number << 3 | 2) + std::string(1, static_cast<char>(content.size())) + content;
}

std::string value(const std::string& tag, const std::string& tensor) {
  return field(1, field(1, tag) + field(2, tensor));
}

std::string tensor(const std::string& dims, const std::string& type, const std::string& content) {
  return dims + field(2, type) + field(3, content);
}

const std::string two = "\x08\x02";
const std::string noDims;
const std::string floats("\0\0\x80\x3f\0\0\0\xc0", 8);  // 1, -2

std::string bytesOf(const std::filesystem::path& path) {
  return readFile(path).value();
}

class Ckpt : public testing::Test {
 protected:
  /// Written by our writer: one tensor of the bytes.
  std::string written(const TensorEntry& entry, std::string_view bytes, bool crc = false,
                      std::int64_t chunk = ckptChunkBytes) {
    auto writer = CkptWriter::create(files.path("written.ckpt"), crc);
    EXPECT_TRUE(writer->add(entry, std::as_bytes(std::span(bytes.data(), bytes.size())), chunk));
    EXPECT_TRUE(writer->commit());
    return bytesOf(files.path("written.ckpt"));
  }

  test::WrittenFiles files;
};

TEST_F(Ckpt, IsWrittenByteForByteAsProtobufWould) {
  EXPECT_EQ(written({"w", ElementType::float32, {2}}, floats), value("w", tensor(two, "Float32", floats)));
  EXPECT_EQ(written({"s", ElementType::int8, {}}, "\x07"), value("s", tensor(noDims, "Int8", "\x07")));
  const std::string dims300("\x08\xac\x02", 3);  // 300 takes two bytes
  const std::string many(300, 'x');
  EXPECT_THAT(written({"u", ElementType::uint8, {300}}, many), HasSubstr(dims300));
}

TEST_F(Ckpt, HoldsWhatWasWritten) {
  const auto file =
      files.open("a.ckpt", value("w", tensor(two, "Float32", floats)) + value("k", tensor(two, "Int8", "ab")));
  EXPECT_EQ(file->contents().format, FileFormat::ckpt);
  EXPECT_THAT(file->tensors(),
              ElementsAre(TensorEntry{"w", ElementType::float32, {2}}, TensorEntry{"k", ElementType::int8, {2}}));
  EXPECT_THAT(test::valuesOf<float>(*file, 0), ElementsAre(1, -2));
  EXPECT_THAT(test::valuesOf<char>(*file, 1), ElementsAre('a', 'b'));
  EXPECT_EQ(file->checkCrc(), CrcVerdict::absent);
  EXPECT_EQ(file->channels(), ChannelPlace::first);
}

TEST_F(Ckpt, AScalarHasNoDimensionsOrTheDimensionZero) {
  const std::string zero("\x08\0", 2);
  const std::string one = floats.substr(0, 4);
  const auto file =
      files.open("a.ckpt", value("new", tensor(noDims, "Float32", one)) + value("old", tensor(zero, "Float32", one)) +
                               value("none", tensor(zero, "Float32", "")));
  EXPECT_TRUE(file->tensors()[0].shape.empty());
  EXPECT_TRUE(file->tensors()[1].shape.empty());
  EXPECT_THAT(file->tensors()[2].shape, ElementsAre(0));
}

TEST_F(Ckpt, ChunksOfOneNameAreOneTensor) {
  const std::string chunked = written({"w", ElementType::float32, {2}}, floats, false, 4);
  EXPECT_EQ(chunked, value("w", tensor(two, "Float32", floats.substr(0, 4))) +
                         value("w", tensor(two, "Float32", floats.substr(4))));
  const auto file = files.open("a.ckpt", chunked);
  ASSERT_EQ(file->tensors().size(), 1U);
  EXPECT_EQ(file->contents().tensors[0].pieces.size(), 2U);
  EXPECT_THAT(test::valuesOf<float>(*file, 0), ElementsAre(1, -2));
  // A chunk need not end where a value ends.
  const auto uneven = files.open("b.ckpt", written({"w", ElementType::float32, {2}}, floats, false, 3));
  EXPECT_EQ(uneven->contents().tensors[0].pieces.size(), 3U);
  EXPECT_THAT(test::valuesOf<float>(*uneven, 0), ElementsAre(1, -2));
}

TEST_F(Ckpt, WhatItsChunksDoNotMakeIsRefused) {
  const std::string whole = value("w", tensor(two, "Float32", floats));
  const std::string half = value("w", tensor(two, "Float32", floats.substr(4)));
  EXPECT_THAT(files.refusal("a.ckpt", half), AllOf(HasSubstr("w"), HasSubstr("4 bytes, which are not Float32 2")));
  EXPECT_THAT(files.refusal("a.ckpt", whole + half), HasSubstr("has 12 bytes"));
  EXPECT_THAT(files.refusal("a.ckpt", half + value("x", tensor(two, "Int8", "ab")) + half), HasSubstr("4 bytes"));
  EXPECT_THAT(files.refusal("a.ckpt", whole + value("x", tensor(two, "Int8", "ab")) + whole),
              AllOf(HasSubstr("two tensors"), HasSubstr("w")));
  EXPECT_THAT(files.refusal("a.ckpt", whole + value("w", tensor(two, "Int32", floats))), HasSubstr("different type"));
}

TEST_F(Ckpt, FieldsNobodyKnowsAndPackedDimensionsAreRead) {
  const std::string known = tensor(field(1, std::string("\x01\x02", 2)), "Float32", floats);
  const std::string unknown = field(9, "later") + std::string("\x50\x05", 2) + std::string("\x5d\1\2\3\4", 5) +
                              std::string("\x61\1\2\3\4\5\6\7\x08", 9);
  const auto file = files.open("a.ckpt", field(1, unknown + field(1, "w") + field(2, unknown + known)));
  EXPECT_THAT(file->tensors(), ElementsAre(TensorEntry{"w", ElementType::float32, {1, 2}}));
}

TEST_F(Ckpt, EndsWithAChecksumOnRequest) {
  std::string bytes = written({"w", ElementType::float32, {2}}, floats, true);
  ASSERT_EQ(bytes.size(), value("w", tensor(two, "Float32", floats)).size() + 17);
  EXPECT_EQ(bytes.substr(bytes.size() - 17, 13), std::string("crc_num\0\0\0\0\0\0", 13));
  const auto sound = files.open("a.ckpt", bytes);
  EXPECT_EQ(sound->checkCrc(), CrcVerdict::holds);
  EXPECT_EQ(sound->tensors().size(), 1U);
  bytes[bytes.size() - 20] = static_cast<char>(bytes[bytes.size() - 20] ^ 1);
  EXPECT_EQ(files.open("a.ckpt", bytes)->checkCrc(), CrcVerdict::broken);
  bytes[bytes.size() - 10] = '\x01';
  EXPECT_THAT(files.refusal("a.ckpt", bytes), HasSubstr("more than 32 bits"));
}

/// CRC-32 of "123456789" is CBF43926 everywhere; here of a file that is known as a whole.
TEST_F(Ckpt, AChecksumInATensorIsNoTrailer) {
  const std::string word = "crc_num" + std::string(10, '\0');
  const auto file = files.open("a.ckpt", value("w", tensor("\x08\x11", "Int8", word)));
  EXPECT_EQ(file->checkCrc(), CrcVerdict::absent);
  EXPECT_EQ(file->contents().tensors[0].bytes, 17);
}

TEST_F(Ckpt, EveryTypeComesBack) {
  for (const std::string& name : ckptTypeNames()) {
    const ElementType type = *typeOfCkpt(name);
    const auto size = static_cast<std::size_t>(slipstream::bytesOf(type));
    const std::string bytes(size == 0 ? 8 : 3 * size, '\x01');
    const TensorEntry entry{"t", type, {size == 0 ? 0 : 3}};
    const auto file = files.open("a.ckpt", written(entry, bytes));
    EXPECT_THAT(file->tensors(), ElementsAre(entry)) << name;
    EXPECT_EQ(test::valuesOf<char>(*file, 0), std::vector<char>(bytes.begin(), bytes.end())) << name;
  }
  auto writer = CkptWriter::create(files.path("f8.ckpt"), false);
  EXPECT_THAT(toText(writer->add({"t", ElementType::float8e4m3, {0}}, {}).error()), HasSubstr("cannot hold"));
}

TEST_F(Ckpt, CutShortAnywhereItIsRefusedOrEndsBetweenTensors) {
  const std::string first = value("w", tensor(two, "Float32", floats));
  const std::string bytes = first + value("x", tensor(two, "Int8", "ab"));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string refusal = files.refusal("a.ckpt", bytes.substr(0, length));
    EXPECT_EQ(refusal.empty(), length == first.size()) << length;
    if (length != first.size()) {
      EXPECT_THAT(refusal, HasSubstr("a.ckpt")) << length;
    }
  }
}

TEST_F(Ckpt, HostileOnesAreNamed) {
  const auto refusal = [&](const std::string& bytes) { return files.refusal("a.ckpt", bytes); };
  EXPECT_THAT(refusal("{\"json\": 1}"), HasSubstr("holds no value"));
  EXPECT_THAT(refusal("PK\x03\x04 and more"), AllOf(HasSubstr("PyTorch"), HasSubstr("safetensors")));
  EXPECT_THAT(refusal("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f rest"), HasSubstr("cut short"));
  EXPECT_THAT(refusal("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f rest"), HasSubstr("more than 64 bits"));
  EXPECT_THAT(refusal(value("\xff\xfe", tensor(two, "Float32", floats))), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal(value("", tensor(two, "Float32", floats))), HasSubstr("no name"));
  EXPECT_THAT(refusal(field(1, field(1, "w"))), HasSubstr("no tensor"));
  EXPECT_THAT(refusal(value("w", tensor(two, "Float31", floats))), AllOf(HasSubstr("Float31"), HasSubstr("BFloat16")));
  EXPECT_THAT(refusal(field(1, field(1, "w") + field(3, "m"))), HasSubstr("map parameter"));
  const std::string minusOne = "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  EXPECT_THAT(refusal(value("w", tensor(minusOne, "Float32", floats))), HasSubstr("which are not"));
  const std::string huge = "\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
  EXPECT_THAT(refusal(value("w", tensor(huge + huge, "Float32", floats))), HasSubstr("which are not"));
  std::string dims;
  for (int i = 0; i < 33; ++i) dims += "\x08\x01";
  EXPECT_THAT(refusal(field(1, field(1, "w") + field(2, dims))), HasSubstr("more than 32 dimensions"));
  EXPECT_THAT(refusal(value("w", tensor("", "str", "abc"))), HasSubstr("3 bytes"));
}

/// The first four bytes of what MindSpore makes of a checkpoint with enc_key, by enc_mode; then a length follows.
TEST_F(Ckpt, EncryptedOnesAreToldAsSuch) {
  for (const char* mode : {"\xD8", "\xD9", "\xDA"}) {
    const std::string bytes = mode + std::string("\x5E\x3A\x7F\x40\0\0\0\x10\0\0\0", 11) + std::string(60, 'x');
    EXPECT_THAT(files.refusal("a.ckpt", bytes),
                AllOf(HasSubstr("a.ckpt"), HasSubstr("is encrypted, which is not supported"),
                      HasSubstr("decrypt it first"), HasSubstr("without enc_key")));
  }
}

TEST_F(Ckpt, ItsHashIsThatOfAllItsBytes) {
  const std::string many(3'000'000, 'x');  // read in several pieces
  const std::string bytes = written({"u", ElementType::uint8, {3'000'000}}, many, true);
  EXPECT_EQ(*files.open("a.ckpt", bytes)->sha256(), sha256(bytes));
}

TEST_F(Ckpt, WhatIsNoFileIsRefusedAtOnce) {
  EXPECT_THAT(toText(TensorFile::open(files.path("none")).error()), HasSubstr("cannot be read"));
  EXPECT_THAT(toText(TensorFile::open(files.path("").parent_path()).error()), HasSubstr("no regular file"));
  EXPECT_THAT(toText(TensorFile::open("/dev/zero").error()), HasSubstr("no regular file"));
  auto file = files.open("a.ckpt", value("w", tensor(two, "Float32", floats)));
  files.write("a.ckpt", "other");
  EXPECT_THAT(toText(file->read(0).error()), HasSubstr("has been changed"));
}

TEST_F(Ckpt, NothingIsLeftOfAFileThatWasNotFinished) {
  {
    auto writer = CkptWriter::create(files.path("half.ckpt"), false);
    ASSERT_TRUE(writer->add({"w", ElementType::float32, {2}}, std::as_bytes(std::span(floats.data(), floats.size()))));
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(files.path("")), {}), 0);
}

}  // namespace
}  // namespace slipstream
