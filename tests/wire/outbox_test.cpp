// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/outbox.h"

#include <gtest/gtest.h>

namespace slipstream {
namespace {

wire::Data dataIn(const std::string& bytes) {
  return std::get<wire::Data>(*decodeMessage(bytes));
}

TEST(Outbox, RowsOfEqualNamesArePackedTogether) {
  Outbox outbox;
  for (int step = 0; step < 5; ++step) outbox.add(step, step * 10, {"loss"}, {1.0 * step});
  outbox.add(5, 50, {"accuracy"}, {0.5});
  outbox.pack();
  const auto messages = outbox.takeUnsent();
  ASSERT_EQ(messages.size(), 2U);
  const auto first = std::get<MetricBlock>(dataIn(messages[0]).content);
  EXPECT_EQ(first.steps, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(first.wallNanoseconds[4], 40);
  EXPECT_EQ(dataIn(messages[1]).sequence, 2U);
}

TEST(Outbox, KeepsUntilAcknowledgedAndSendsAgain) {
  Outbox outbox;
  for (int step = 0; step < 4; ++step) {
    outbox.add(step, 0, {"loss"}, {0});
    outbox.pack();
  }
  EXPECT_EQ(outbox.takeUnsent().size(), 4U);
  EXPECT_TRUE(outbox.takeUnsent().empty());
  outbox.acknowledge(1);
  outbox.rewind(1);
  const auto again = outbox.takeUnsent();
  ASSERT_EQ(again.size(), 3U);
  EXPECT_EQ(dataIn(again[0]).sequence, 2U);
  outbox.rewind(4);
  EXPECT_EQ(outbox.takeUnsent().size(), 1U);
  outbox.acknowledge(4);
  EXPECT_TRUE(outbox.isEmpty());
  EXPECT_EQ(outbox.acknowledgedSequence(), 4U);
}

TEST(Outbox, AnAcknowledgementOfWhatWasNeverSentIsHarmless) {
  Outbox outbox;
  outbox.add(0, 0, {"loss"}, {0});
  outbox.pack();
  outbox.acknowledge(100);
  EXPECT_TRUE(outbox.isEmpty());
  outbox.add(1, 0, {"loss"}, {0});
  outbox.pack();
  const auto messages = outbox.takeUnsent();
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(dataIn(messages[0]).sequence, 2U);
}

TEST(Outbox, IsFullAtItsBound) {
  Outbox outbox;
  const std::vector<std::string> names(1000, "a");
  const std::vector<double> values(1000, 1.0);
  std::int64_t step = 0;
  while (!outbox.isFull() && step < 20000) {
    outbox.add(step++, 0, names, values);
    if (outbox.isDue()) outbox.pack();
  }
  EXPECT_TRUE(outbox.isFull());
  EXPECT_GT(step * 8000, 40'000'000);
  outbox.acknowledge(outbox.lastSequence());
  EXPECT_FALSE(outbox.isFull());
}

}  // namespace
}  // namespace slipstream
