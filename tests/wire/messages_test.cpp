// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/messages.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/byte_codec.h"
#include "engine/base/random.h"

namespace slipstream {
namespace {

/// One of every kind, with every field away from its default.
std::vector<Message> oneOfEach() {
  const MetricBlock block{{"loss", "accuracy"}, {4, 5}, {40, 50}, {0.5, 1e300, -0.0, INFINITY}};
  const TensorRecord tensor{"conv.weight", "F32", {6, 1, 5, 5}, 3, "ab12", 600};
  return {wire::Hello{"run", 2, 7, 4711, 99},
          wire::Heartbeat{12, "step", 34, 56, 78},
          wire::Data{1, block},
          wire::Data{2, wire::EventNote{7, EventLevel::warning, "code", "text"}},
          wire::Data{3, wire::MemoryUse{{{"weights", 12}, {"data", 34}}}},
          wire::CheckpointTensor{10, tensor, true, 2},
          wire::CheckpointEnd{10, false, "{}", 3, 44},
          wire::TensorPart{"ab12", 1, 0xdeadbeef, true, std::string("\0\1\2", 3)},
          wire::Fetch{"ab12"},
          wire::Finished{true, 100},
          wire::Failed{"because"},
          wire::Task{"{plan}", CheckpointManifest{10, 1, true, "{}", {tensor, tensor}}},
          wire::CheckpointQuery{10, true},
          wire::CheckpointReply{10, true, CheckpointManifest{10, 1, false, "{}", {tensor}, true}},
          wire::Task{"{plan}", std::nullopt},
          wire::Refused{"no"},
          wire::Reidentify{},
          wire::HubStatus{StopKind::afterCheckpoint, 5, 6},
          wire::TensorRequest{10, "ab12", true, 2},
          wire::TransferAck{10, 3, true, 2},
          wire::CheckpointDone{10},
          wire::FinalAck{}};
}

TEST(Messages, EveryKindIsThere) {
  std::vector<bool> seen(std::variant_size_v<Message>);
  for (const Message& message : oneOfEach()) seen[message.index()] = true;
  for (std::size_t kind = 0; kind < seen.size(); ++kind) EXPECT_TRUE(seen[kind]) << "kind " << kind;
}

TEST(Messages, ReadWhatWasWritten) {
  for (const Message& message : oneOfEach()) {
    const std::string bytes = encode(message);
    const auto decoded = decodeMessage(bytes);
    ASSERT_TRUE(decoded) << "kind " << message.index();
    EXPECT_EQ(decoded->index(), message.index());
    EXPECT_EQ(encode(*decoded), bytes) << "kind " << message.index();
  }
}

TEST(Messages, CarryValues) {
  const auto decoded = decodeMessage(encode(oneOfEach()[2]));
  ASSERT_TRUE(decoded);
  const auto& data = std::get<wire::Data>(*decoded);
  EXPECT_EQ(data.sequence, 1U);
  const auto& block = std::get<MetricBlock>(data.content);
  EXPECT_EQ(block.names, (std::vector<std::string>{"loss", "accuracy"}));
  EXPECT_EQ(block.steps, (std::vector<std::int64_t>{4, 5}));
  EXPECT_TRUE(std::signbit(block.values[2]));
  EXPECT_TRUE(std::isinf(block.values[3]));
}

TEST(Messages, NaNSurvives) {
  const MetricBlock block{{"loss"}, {1}, {1}, {std::numeric_limits<double>::quiet_NaN()}};
  const auto decoded = decodeMessage(encode(wire::Data{1, block}));
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(std::isnan(std::get<MetricBlock>(std::get<wire::Data>(*decoded).content).values[0]));
}

TEST(Messages, EveryTruncationIsRefused) {
  for (const Message& message : oneOfEach()) {
    const std::string bytes = encode(message);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_FALSE(decodeMessage(std::string_view(bytes).substr(0, length))) << "kind " << message.index();
    }
    EXPECT_FALSE(decodeMessage(bytes + "x")) << "kind " << message.index();
  }
}

TEST(Messages, OtherVersionsAndKindsAreRefused) {
  std::string bytes = encode(wire::FinalAck{});
  bytes[2] = 99;
  EXPECT_FALSE(decodeMessage(bytes));
  bytes = encode(wire::FinalAck{});
  bytes[3] = static_cast<char>(std::variant_size_v<Message>);
  EXPECT_FALSE(decodeMessage(bytes));
}

TEST(Messages, EnumerationsAreBounded) {
  std::string bytes = encode(wire::HubStatus{StopKind::now, 0, 0});
  ASSERT_TRUE(decodeMessage(bytes));
  bytes[4] = 4;
  EXPECT_FALSE(decodeMessage(bytes));
}

TEST(Messages, DamageNeverReadsOutside) {
  Random random(1, RandomStream::test);
  int survivors = 0;
  for (const Message& message : oneOfEach()) {
    for (int round = 0; round < 200; ++round) {
      std::string bytes = encode(message);
      bytes[random.below(bytes.size())] = static_cast<char>(random.bits());
      survivors += decodeMessage(bytes).has_value() ? 1 : 0;
    }
  }
  EXPECT_GT(survivors, 0);
}

TEST(FrameReader, HugeLengthsAreRefusedAtOnce) {
  FrameWriter writer;
  writer(std::uint32_t{0xffffffff});
  const std::string bytes = writer.take();
  FrameReader reader(bytes);
  std::vector<std::string> list;
  reader(list);
  EXPECT_FALSE(reader.good());
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace slipstream
