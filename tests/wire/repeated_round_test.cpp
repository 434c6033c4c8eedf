// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that sends a checkpoint again while answers to its first sending are still on their way.
#include <chrono>
#include <optional>

#include "engine/base/hash.h"
#include "engine/wire/checkpoint_sender.h"
#include "engine/wire/socket.h"
#include "engine/wire/tensor_parts.h"
#include "tests/support/small_plan.h"
#include "tests/wire/link_fixture.h"
#include "tests/wire/posted_messages.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using namespace std::chrono_literals;

constexpr std::int64_t step = 5;

/// One rank of a hub, message by message.
class RawWorker {
 public:
  RawWorker(Hub& hub, const StoreWithRun& run)
      : hub_(hub), runId_(run.runId()), socket_(WireSocket::connect(run.endpoint())) {}

  void send(const Message& message) { socket_.send("", encode(message)); }
  void sayHello() { send(wire::Hello{runId_, 1, 0, 1, 0}); }

  /// The next message of this kind; others are passed over.
  template <class Kind>
  Kind next() {
    const auto until = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < until) {
      hub_.serve(1ms);
      for (const auto& received : socket_.receive(1ms)) messages_.push_back(*decodeMessage(received.bytes));
      while (!messages_.empty()) {
        const Message message = std::move(messages_.front());
        messages_.pop_front();
        if (const auto* wanted = std::get_if<Kind>(&message)) return *wanted;
      }
    }
    throw std::runtime_error("the hub does not answer");
  }

 private:
  Hub& hub_;
  const std::string runId_;
  WireSocket socket_;
  std::deque<Message> messages_;
};

TEST(RepeatedRound, TheHubAsksAgainForWhatHadNotComeWhole) {
  StoreWithRun run;
  Listener listener;
  Hub hub({{run.endpoint(), {}}, run.runId(), 1, 1, toJsonText(smallPlan(1, 321)), std::nullopt, 5}, run.store(),
          run.checkpoints(), listener);
  const std::vector<std::byte> bytes(2'500'000, std::byte{7});
  const TensorRecord tensor{"w", "F32", {625'000}, -1, sha256(bytes), std::ssize(bytes)};
  RawWorker worker(hub, run);
  worker.sayHello();
  worker.next<wire::Task>();
  worker.send(wire::CheckpointTensor{step, tensor, false, 1});
  EXPECT_EQ(worker.next<wire::TensorRequest>().round, 1U);
  worker.send(tensorPart(tensor.hash, bytes, 0));
  EXPECT_EQ(worker.next<wire::TransferAck>().round, 1U);

  worker.sayHello();
  worker.send(wire::CheckpointTensor{step, tensor, false, 2});
  EXPECT_EQ(worker.next<wire::TensorRequest>().round, 2U);
  for (std::int64_t part = 0; part < partCount(bytes.size()); ++part) {
    worker.send(tensorPart(tensor.hash, bytes, part));
    const auto ack = worker.next<wire::TransferAck>();
    EXPECT_EQ(ack.round, 2U);
    EXPECT_EQ(ack.parts, part + 1);
  }
  worker.send(wire::CheckpointEnd{step, true, "{}", 1, 0, false});
  EXPECT_EQ(worker.next<wire::CheckpointDone>().step, step);
  EXPECT_EQ(run.checkpoints().read(tensor.hash), bytes);
  EXPECT_TRUE(listener.events.empty()) << listener.events.front().text;
  ASSERT_EQ(listener.checkpoints.size(), 1U);
}

TEST(RepeatedRound, TheSenderTakesNoAnswerToAnEarlierOne) {
  PostedMessages posted;
  CheckpointSender sender([&](const Message& message) { posted.take(message); });
  const std::vector<std::byte> bytes(10 * checkpointPartBytes, std::byte{7});
  TensorRecord record;
  record.bytes = std::ssize(bytes);
  sender.start({{step, true, "", 1, 0}, {{record, bytes}}});
  const std::string hash = std::get<wire::CheckpointTensor>(posted.next()).tensor.hash;
  EXPECT_TRUE(std::holds_alternative<wire::CheckpointEnd>(posted.next()));

  sender.restart();
  EXPECT_EQ(std::get<wire::CheckpointTensor>(posted.next()).round, 1U);
  EXPECT_TRUE(std::holds_alternative<wire::CheckpointEnd>(posted.next()));
  sender.handle(wire::TensorRequest{step, hash, false, 0});
  sender.handle(wire::TensorRequest{step, hash, false, 1});
  constexpr int inFlight = 8;
  for (std::int64_t part = 0; part < inFlight; ++part) EXPECT_EQ(std::get<wire::TensorPart>(posted.next()).index, part);
  sender.handle(wire::TransferAck{step, inFlight, false, 0});
  std::this_thread::sleep_for(50ms);  // enough to post another part, if that acknowledgement counted
  sender.restart();
  EXPECT_EQ(std::get<wire::CheckpointTensor>(posted.next()).round, 2U);
  sender.handle(wire::CheckpointDone{step});
  sender.waitUntilIdle();
}

}  // namespace
}  // namespace slipstream
