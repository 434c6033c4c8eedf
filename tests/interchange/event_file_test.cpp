// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/event_file.h"

#include <cmath>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/interchange/tf_record.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

/// A file that TensorBoard 2.21 wrote: `loss` as simple values, `val/accuracy` as a tensor of float with the plug-in
/// named and one of double without, tensors of half and of int64, a histogram, and hyperparameters.
constexpr std::string_view tensorBoardsOwn =
    "4800000000000000fe92489d09a8b1a7c2d9c1da411a0d627261696e2e4576656e743a32522e0a2c74656e736f72626f6172642e73756d6d"
    "6172792e7772697465722e6576656e745f66696c655f7772697465720a83eea41800000000000000a37f4b220900001040fc54d9412a0d0a"
    "0b0a046c6f73731500002040d1999a4c1a00000000000000129bd82d0900002040fc54d94110012a0d0a0b0a046c6f7373150000c07fda46"
    "f77b1a00000000000000129bd82d0900003040fc54d94110022a0d0a0b0a046c6f737315cdcccc3dc37d85a836000000000000004f578cef"
    "0900004040fc54d94110022a290a270a0c76616c2f6163637572616379420a080112002a040000403f4a0b0a090a077363616c6172737977"
    "5e622d000000000000003c418afb0900008040fc54d94110032a200a1e0a0c76616c2f6163637572616379420e0802120032080000000000"
    "00ec3f02665eed1d00000000000000602fdf23090000c040fc54d94110042a100a0e0a0468616c66420608136a028078de99911f26000000"
    "00000000734fe300090000c040fc54d94110042a190a170a0577686f6c65420e0809520af9ffffffffffffffff010fff337d480000000000"
    "0000fe92489d0900000041fc54d94110052a3b0a390a0777656967687473421e080112081202080212020802221000000000000000000000"
    "0000000000004a0e0a0c0a0a686973746f6772616d735ff6ee2a860000000000000070011d5c0900000040fc54d9412a7b0a790a1c5f6870"
    "6172616d735f2f73657373696f6e5f73746172745f696e666f42060801120212004a510a4f0a0768706172616d7312441a420a0f0a026c72"
    "120911000000000000e03f0a0e0a086e65737465726f76120220010a130a096f7074696d697a657212061a046164616d2201672900000040"
    "fc54d941d58c9d72";

std::string fromHexadecimal(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

class EventFile : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& bytes) const {
    const auto file = folder.path() / "events.out.tfevents.1.test";
    std::ofstream(file, std::ios::binary) << bytes;  // hundreds of them: none has to outlive the test
    return file;
  }
  ScalarEvents read(const std::string& bytes) const {
    ScalarEvents events;
    const Status added = addEventFile(write(bytes), DamagedRecord::isFailure, events);
    EXPECT_TRUE(added) << toText(added.error());
    return events;
  }
  std::string problem(const std::string& bytes) const {
    ScalarEvents events;
    const Status added = addEventFile(write(bytes), DamagedRecord::isFailure, events);
    return added ? "" : toText(added.error());
  }

  test::TemporaryFolder folder;
};

std::vector<double> valuesOf(const std::vector<ScalarPoint>& points) {
  std::vector<double> values;
  for (const ScalarPoint& point : points) values.push_back(point.value);
  return values;
}

TEST_F(EventFile, OfTensorBoardItselfIsReadWhole) {
  const ScalarEvents events = read(fromHexadecimal(tensorBoardsOwn));
  ASSERT_THAT(events.points, testing::SizeIs(4));
  const auto& loss = events.points.at("loss");
  ASSERT_EQ(loss.size(), 3U);
  EXPECT_EQ(loss[0].step, 0);
  EXPECT_EQ(loss[0].wallSeconds, 1700000000.25);
  EXPECT_EQ(loss[0].value, 2.5);
  EXPECT_TRUE(std::isnan(loss[1].value));
  EXPECT_EQ(loss[2].step, 2);
  EXPECT_EQ(loss[2].value, static_cast<double>(0.1F));
  EXPECT_THAT(valuesOf(events.points.at("val/accuracy")), ElementsAre(0.75, 0.875));
  EXPECT_THAT(valuesOf(events.points.at("half")), ElementsAre(1.0));
  EXPECT_THAT(valuesOf(events.points.at("whole")), ElementsAre(-7.0));
  EXPECT_THAT(events.settings,
              UnorderedElementsAre(Pair("lr", "0.5"), Pair("optimizer", "adam"), Pair("nesterov", "true")));
  EXPECT_THAT(events.passedOver, ElementsAre(Pair("histograms", 1)));
}

TEST_F(EventFile, EveryByteOfItCounts) {
  const std::string whole = fromHexadecimal(tensorBoardsOwn);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_THAT(problem(damaged), HasSubstr("byte ")) << "at byte " << i;
  }
}

TEST_F(EventFile, DamageIsNamedWithItsPlaceAndMayEndTheFile) {
  const std::string whole = fromHexadecimal(tensorBoardsOwn);
  constexpr std::size_t secondPoint = 128;  // 88 bytes of the version, 40 of the first point
  std::string damaged = whole;
  damaged[secondPoint + 14] = static_cast<char>(damaged[secondPoint + 14] ^ 1);
  EXPECT_THAT(problem(damaged),
              testing::AllOf(HasSubstr(": byte 128"), HasSubstr("the checksum of the record is wrong")));
  EXPECT_THAT(problem(whole.substr(0, secondPoint + 20)),
              testing::AllOf(HasSubstr(": byte 128"), HasSubstr("is cut off after 8")));
  EXPECT_THAT(problem(whole.substr(0, secondPoint + 3)), HasSubstr("cut off after 3 bytes"));
  ScalarEvents events;
  ASSERT_TRUE(addEventFile(write(damaged), DamagedRecord::endsTheFile, events));
  EXPECT_THAT(valuesOf(events.points.at("loss")), ElementsAre(2.5));
  ASSERT_EQ(events.cut.size(), 1U);
  EXPECT_THAT(events.cut.front(), HasSubstr("byte 128"));
}

TEST_F(EventFile, OtherFilesAreRefused) {
  EXPECT_THAT(problem("step,loss\n1,2\n3,4\n"), HasSubstr("byte 0"));
  EXPECT_EQ(problem(""), "") << "an empty one has no events yet";
  std::string file;
  addRecord(file, "\xFF\xFF no message");
  EXPECT_THAT(problem(file), HasSubstr("is no TensorBoard event file"));
}

TEST_F(EventFile, RecordsAreAsTheFormatSays) {
  // The masked sum of the eight bytes of the length 24, as TensorBoard wrote it.
  std::string file;
  addRecord(file, std::string(24, '\0'));
  EXPECT_EQ(file.size(), 24U + 16U);
  EXPECT_EQ(file.substr(0, 12), fromHexadecimal("1800000000000000a37f4b22"));
}

TEST_F(EventFile, WhatIsWrittenIsReadAgain) {
  const auto file = folder.path() / "logs" / "events.out.tfevents.7";
  ASSERT_TRUE(makeFolder(file.parent_path()));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::map<std::string, std::string> settings{{"lr", "0.05"}, {"name", "so und so"}, {"flag", "false"}};
  {
    auto writer = EventFileWriter::create(file, 1700000000);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->begin(settings, "group", 1700000000));
    for (int step = 0; step < 40000; ++step) ASSERT_TRUE(writer->add("loss", {step, 1.7e9 + step, 1.0 / (step + 1)}));
    ASSERT_TRUE(writer->add("a/b", {1LL << 40, 1.7e9, -infinity}));
    ASSERT_TRUE(writer->end(true, 1700000099));
    EXPECT_FALSE(std::filesystem::exists(file)) << "before it is committed";
    ASSERT_TRUE(writer->commit());
  }
  ScalarEvents events;
  ASSERT_TRUE(addEventFile(file, DamagedRecord::isFailure, events));
  EXPECT_EQ(events.settings, settings);
  const auto& loss = events.points.at("loss");
  ASSERT_EQ(loss.size(), 40000U);
  for (int step = 0; step < 40000; ++step) {
    const ScalarPoint& point = loss[static_cast<std::size_t>(step)];
    ASSERT_EQ(point.step, step);
    ASSERT_EQ(point.wallSeconds, 1.7e9 + step);
    ASSERT_EQ(point.value, static_cast<double>(static_cast<float>(1.0 / (step + 1))));
  }
  EXPECT_EQ(events.points.at("a/b").front().step, 1LL << 40);
  EXPECT_EQ(events.points.at("a/b").front().value, -infinity);
}

TEST_F(EventFile, ARunThatStartedAnewForgetsWhatItDoesAgain) {
  const auto event = [](std::string_view digits) {
    std::string file;
    addRecord(file, fromHexadecimal(digits));
    return file;
  };
  // Steps 1 and 2 of the golden file's loss, then SessionLog{status: START} at step 2.
  const std::string points = fromHexadecimal(tensorBoardsOwn).substr(128, 2 * 42);
  const std::string restart = event("090000c040fc54d94110023a020801");
  const ScalarEvents events = read(points + restart);
  ASSERT_EQ(events.points.at("loss").size(), 1U);
  EXPECT_EQ(events.points.at("loss").front().step, 1);
}

}  // namespace
}  // namespace slipstream
