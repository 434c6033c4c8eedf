// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/checkpoint_sender.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/base/hash.h"
#include "tests/wire/posted_messages.h"

namespace slipstream {
namespace {

std::vector<std::byte> filled(std::size_t size, int value) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

/// The hub's side: wants every tensor, and says that the checkpoint is over when all of them have come.
class EagerHub {
 public:
  /// The bytes by tensor, as they arrived. The tensors' own memory is overwritten as soon as start() has returned.
  std::map<std::string, std::string> ship(std::int64_t step, std::vector<std::vector<std::byte>> tensors) {
    arrived_.clear();
    names_.clear();
    CheckpointSender::Job job{{step, true, "", static_cast<std::uint32_t>(tensors.size()), 0}, {}};
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      TensorRecord record;
      record.name = "t" + std::to_string(i);
      record.bytes = std::ssize(tensors[i]);
      job.tensors.push_back({record, tensors[i]});
    }
    sender.start(std::move(job));
    for (auto& tensor : tensors) std::fill(tensor.begin(), tensor.end(), std::byte{0xEE});
    answer(step);
    sender.waitUntilIdle();
    std::map<std::string, std::string> byName;
    for (const auto& [name, hash] : names_) byName[name] = arrived_[hash];
    return byName;
  }

  CheckpointSender sender{[this](const Message& message) { posted_.take(message); }};

 private:
  void answer(std::int64_t step) {
    std::size_t missing = 0;
    std::int64_t taken = 0;
    for (bool ended = false; !ended || missing > 0;) {
      const Message message = posted_.next();
      if (const auto* offer = std::get_if<wire::CheckpointTensor>(&message)) {
        names_[offer->tensor.name] = offer->tensor.hash;
        ++missing;
        sender.handle(wire::TensorRequest{step, offer->tensor.hash});
      }
      if (const auto* part = std::get_if<wire::TensorPart>(&message)) {
        arrived_[part->hash] += part->bytes;
        if (part->last) --missing;
        sender.handle(wire::TransferAck{step, ++taken});
      }
      if (std::holds_alternative<wire::CheckpointEnd>(message)) ended = true;
    }
    sender.handle(wire::CheckpointDone{step});
  }

  test::PostedMessages posted_;
  std::map<std::string, std::string> names_;    ///< tensor -> hash
  std::map<std::string, std::string> arrived_;  ///< hash -> bytes
};

void expectShipped(EagerHub& hub, std::int64_t step, const std::vector<std::vector<std::byte>>& tensors) {
  const auto arrived = hub.ship(step, tensors);
  ASSERT_EQ(arrived.size(), tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string& bytes = arrived.at("t" + std::to_string(i));
    ASSERT_EQ(bytes.size(), tensors[i].size());
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), tensors[i].begin(),
                           [](char one, std::byte other) { return static_cast<std::byte>(one) == other; }));
  }
}

TEST(CheckpointSender, ShipsACopyInTheMemoryOfTheLargestCheckpoint) {
  EagerHub hub;
  EXPECT_EQ(hub.sender.heldBytes(), 0U);
  expectShipped(hub, 1, {filled(3'000'000, 1), filled(100, 2)});
  EXPECT_EQ(hub.sender.heldBytes(), 3'000'100U);
  expectShipped(hub, 2, {filled(50, 3), filled(2'000'000, 4), filled(7, 5)});
  EXPECT_EQ(hub.sender.heldBytes(), 3'000'100U);
  expectShipped(hub, 3, {filled(4'000'000, 6)});
  EXPECT_EQ(hub.sender.heldBytes(), 4'000'000U);
  expectShipped(hub, 4, {});
  EXPECT_EQ(hub.sender.heldBytes(), 4'000'000U);
}

TEST(CheckpointSender, NothingIsShippedOnceItIsClosed) {
  EagerHub hub;
  hub.sender.close();
  const auto bytes = filled(10, 1);
  hub.sender.start({{1, true, "", 1, 0}, {{TensorRecord{}, bytes}}});
  hub.sender.waitUntilIdle();
}

}  // namespace
}  // namespace slipstream
