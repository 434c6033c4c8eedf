// SPDX-License-Identifier: GPL-3.0-or-later
// Safetensors: what is written comes back, and every bound is held.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/interchange/safetensors_file.h"
#include "tests/interchange/written_file.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string fileOf(const std::string& header, std::size_t dataBytes, std::uint64_t length) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(dataBytes, '\x01');
}

std::string fileOf(const std::string& header, std::size_t dataBytes) {
  return fileOf(header, dataBytes, header.size());
}

std::string entry(const std::string& name, const std::string& type, const std::string& shape, int begin, int end) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

class Safetensors : public testing::Test {
 protected:
  std::string refusal(const std::string& header, std::size_t dataBytes) const {
    return files.refusal("a.safetensors", fileOf(header, dataBytes));
  }

  test::WrittenFiles files;
};

TEST_F(Safetensors, HoldWhatWasWritten) {
  const std::vector<TensorEntry> tensors{{"b", ElementType::float32, {2, 1}}, {"a", ElementType::int8, {}}};
  const auto path = files.path("a.safetensors");
  ASSERT_TRUE(writeSafetensors(path, tensors, {{"step", "3"}}, [](std::size_t i) -> Result<std::vector<std::byte>> {
    return std::vector<std::byte>(i == 0 ? 8 : 1, std::byte{static_cast<unsigned char>(i + 1)});
  }));
  const auto file = std::move(*TensorFile::open(path));
  EXPECT_EQ(file->contents().format, FileFormat::safetensors);
  EXPECT_EQ(file->tensors(), tensors);
  EXPECT_EQ(file->contents().metadata.at("step"), "3");
  EXPECT_THAT(test::valuesOf<char>(*file, 1), ElementsAre(2));
  EXPECT_EQ(test::valuesOf<char>(*file, 0), std::vector<char>(8, 1));
  EXPECT_EQ(file->checkCrc(), CrcVerdict::absent);
}

TEST_F(Safetensors, AreKnownByTheirFirstBytes) {
  const std::string bytes = fileOf("{" + entry("w", "F32", "[2]", 0, 8) + "}  ", 8);
  EXPECT_EQ(files.open("a.ckpt", bytes)->contents().format, FileFormat::safetensors);
  EXPECT_EQ(files.open("a", bytes)->tensors().size(), 1U);
  EXPECT_EQ(files.open("a", fileOf("{}", 0))->tensors().size(), 0U);
}

TEST_F(Safetensors, SayWhereChannelsStand) {
  const auto placeOf = [&](const std::string& word) {
    return files.open("a.safetensors", fileOf("{\"__metadata__\":{\"convolution_weights\":\"" + word + "\"}}", 0))
        ->channels();
  };
  EXPECT_EQ(placeOf("OHWI"), ChannelPlace::last);
  EXPECT_EQ(placeOf("OIHW"), ChannelPlace::first);
  EXPECT_EQ(placeOf("?"), std::nullopt);
}

TEST_F(Safetensors, MayStandInAnyOrderButWithoutGapsAndWithoutSharing) {
  EXPECT_EQ(refusal("{" + entry("a", "F32", "[1]", 4, 8) + "," + entry("b", "F32", "[1]", 0, 4) + "}", 8), "");
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[1]", 0, 4) + "," + entry("b", "F32", "[1]", 2, 6) + "}", 6),
              AllOf(HasSubstr("found b"), HasSubstr("shares bytes")));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[1]", 0, 4) + "," + entry("b", "F32", "[1]", 8, 12) + "}", 12),
              AllOf(HasSubstr("found b"), HasSubstr("belong to no tensor")));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[1]", 0, 4) + "}", 7), AllOf(HasSubstr("3 bytes"), HasSubstr("behind")));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[2]", 0, 8) + "}", 7),
              AllOf(HasSubstr("found a"), HasSubstr("cut short")));
  EXPECT_EQ(refusal("{" + entry("a", "F32", "[0,5]", 0, 0) + "," + entry("b", "F32", "[1]", 0, 4) + "}", 4), "");
}

TEST_F(Safetensors, ShapeAndBytesAgree) {
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[3]", 0, 8) + "}", 8), HasSubstr("8 bytes, which are not Float32 3"));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[4294967296,4294967296]", 0, 8) + "}", 8), HasSubstr("which are not"));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[]", 0, 8) + "}", 8), HasSubstr("which are not Float32 scalar"));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[1]", 4, 0) + "}", 4), HasSubstr("ends at byte 0 before"));
}

TEST_F(Safetensors, WhatTheHeaderMustNotSayIsNamed) {
  const std::string sound = entry("a", "F32", "[1]", 0, 4);
  EXPECT_THAT(refusal("{" + sound + "," + sound + "}", 4), AllOf(HasSubstr("found a"), HasSubstr("two tensors")));
  EXPECT_THAT(refusal("{" + entry("a", "F31", "[1]", 0, 4) + "}", 4), AllOf(HasSubstr("F31"), HasSubstr("BF16")));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[-1]", 0, 4) + "}", 4), HasSubstr("negative"));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[1.5]", 0, 4) + "}", 4), HasSubstr("no whole one"));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[18446744073709551615]", 0, 4) + "}", 4), HasSubstr("63 bits"));
  EXPECT_THAT(refusal("{" + entry("a", "F32", "[99999999999999999999999]", 0, 4) + "}", 4), HasSubstr("no whole one"));
  EXPECT_THAT(refusal("{\"a\":{\"dtype\":\"F32\"}}", 0), HasSubstr("no shape"));
  EXPECT_THAT(refusal("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0), HasSubstr("two types"));
  EXPECT_THAT(refusal("{\"a\":{\"shape\":[],\"shape\":[]}}", 0), HasSubstr("shape twice"));
  EXPECT_THAT(refusal("{\"a\":[1]}", 0), HasSubstr("list where none belongs"));
  EXPECT_THAT(refusal("{\"a\":null}", 0), HasSubstr("null"));
  EXPECT_THAT(refusal("{\"a\":{\"dtype\":{}}}", 0), HasSubstr("object where none belongs"));
  EXPECT_THAT(refusal("{\"__metadata__\":{\"k\":1}}", 0), HasSubstr("number where none belongs"));
  EXPECT_THAT(refusal("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0), HasSubstr("k twice"));
  EXPECT_THAT(refusal("{\"\xff\":{}}", 0), HasSubstr("no JSON"));
  EXPECT_THAT(refusal("{" + sound + "} x", 4), HasSubstr("no JSON"));
  EXPECT_THAT(refusal("[]", 0), HasSubstr("list where none belongs"));
  EXPECT_THAT(refusal("{\"a\":" + std::string(100'000, '['), 0), HasSubstr("list where none belongs"));
  std::string ones = "[1";
  for (int i = 0; i < 32; ++i) ones += ",1";
  EXPECT_THAT(refusal("{" + entry("a", "U8", ones + "]", 0, 1) + "}", 1), HasSubstr("32 dimensions"));
}

TEST_F(Safetensors, AHeaderLongerThanTheFileTakesNoMemory) {
  EXPECT_THAT(files.refusal("a.safetensors", fileOf("{}", 0, std::uint64_t{1} << 62)), HasSubstr("cut short"));
  EXPECT_THAT(files.refusal("a.safetensors", fileOf("{}", 0, 3)), HasSubstr("cut short"));
  EXPECT_THAT(files.refusal("a.safetensors", "short"), HasSubstr("shorter than 8 bytes"));
  EXPECT_THAT(files.refusal("a.safetensors", ""), HasSubstr("shorter than 8 bytes"));
}

}  // namespace
}  // namespace slipstream
