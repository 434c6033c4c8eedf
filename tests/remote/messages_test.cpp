// SPDX-License-Identifier: GPL-3.0-or-later
#include <random>

#include <gtest/gtest.h>

#include "engine/remote/replica_messages.h"
#include "tests/remote/two_stores.h"

namespace slipstream {
namespace {

using namespace replica;
using test::Pair;

RunChange wholeChange() {
  RunChange change;
  change.run = "0123abcd";
  change.from = "a";
  change.to = "b";
  change.anew = true;
  change.complete = false;
  change.record.emplace();
  change.record->id = "0123abcd";
  change.record->state = RunState::lost;
  change.record->seed = ~std::uint64_t{0};
  change.record->supervisor = {1, 2, "boot", "host"};
  change.stopRequest = StopKind::now;
  change.label = RunLabel{"t", "n", {"a", "b"}, true, false};
  change.attempts = {{1, 2, 3}, {4, 5, 6}};
  change.memory = {{3, {{"weights", 4}}}};
  change.checkpoints = {{5, 1, false, 2, 3, 4}};
  change.events = {{0, 7, 1, -1, EventLevel::warning, "code", "text"}};
  change.chunks = {{"loss", 1, 2, 3, 4, "data"}};
  change.folded = {{1, 2, 3, 4}};
  change.waiting = {{1, 2, 3, 4, "payload"}};
  return change;
}

TEST(ReplicaMessages, ComeBackAsTheyWere) {
  const std::string bytes = encode(wholeChange());
  const auto back = decode(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(encode(*back), bytes);
  const auto& change = std::get<RunChange>(*back);
  EXPECT_EQ(change.record->state, RunState::lost);
  EXPECT_EQ(change.record->supervisor, (ProcessIdentity{1, 2, "boot", "host"}));
  EXPECT_EQ(change.label->tags.size(), 2U);
  EXPECT_EQ(change.events.front().level, EventLevel::warning);
  EXPECT_EQ(change.waiting.front().payload, "payload");
  EXPECT_EQ(change.memory->at(3).at("weights"), 4);
}

TEST(ReplicaMessages, TruncatedOnesAreRefused) {
  const std::string bytes = encode(wholeChange());
  for (std::size_t length = 0; length < bytes.size(); ++length) EXPECT_FALSE(decode(bytes.substr(0, length))) << length;
  EXPECT_FALSE(decode(bytes + "x"));
}

TEST(ReplicaMessages, DamagedOnesDoNoHarm) {
  const std::string bytes = encode(wholeChange());
  std::mt19937 random(3);
  for (int time = 0; time < 20'000; ++time) {
    std::string damaged = bytes;
    for (int place = 0; place < 3; ++place) damaged[random() % damaged.size()] = static_cast<char>(random());
    (void)decode(damaged);  // whatever it says
  }
  EXPECT_FALSE(decode(std::string(100, '\xFF')));
}

TEST(FrameChannel, KeepsFramesApart) {
  Pair pair;
  FrameChannel here(pair[0], pair[0]);
  FrameChannel there(pair[1], pair[1]);
  here.send("one");
  here.send("");
  here.send("three");
  using std::chrono::milliseconds;
  EXPECT_EQ(there.receive(milliseconds{1000}), "one");
  EXPECT_EQ(there.receive(milliseconds{1000}), "");
  EXPECT_EQ(there.receive(milliseconds{1000}), "three");
  EXPECT_FALSE(there.receive(milliseconds{0}));
  pair.close(0);
  EXPECT_THROW(there.receive(milliseconds{1000}), ChannelEnded);
}

void expectRefused(const std::string& bytes) {
  Pair pair;
  FrameChannel channel(pair[1], pair[1]);
  const std::string all = "slipstream frames 1\n" + bytes;
  ASSERT_EQ(::write(pair[0], all.data(), all.size()), std::ssize(all));
  EXPECT_THROW(channel.receive(std::chrono::milliseconds{1000}), Error);
}

TEST(FrameChannel, RefusesWhatIsNoFrame) {
  expectRefused(std::string("\xFF\xFF\xFF\xFF", 4) + "abcd");                  // too long
  expectRefused(std::string("\x04\x00\x00\x00\x00\x00\x00\x00", 8) + "abcd");  // its checksum does not hold
}

TEST(FrameChannel, RandomBytesDoNoHarm) {
  std::mt19937 random(5);
  for (int time = 0; time < 300; ++time) {
    Pair pair;
    FrameChannel channel(pair[1], pair[1]);
    std::string bytes = "slipstream frames 1\n";
    for (int count = 0; count < 200; ++count) bytes += static_cast<char>(random());
    ASSERT_EQ(::write(pair[0], bytes.data(), bytes.size()), std::ssize(bytes));
    pair.close(0);
    EXPECT_THROW(while (channel.receive(std::chrono::milliseconds{100})){}, Error);
  }
}

}  // namespace
}  // namespace slipstream
