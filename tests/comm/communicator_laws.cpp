// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/comm/communicator_laws.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "engine/comm/short_messages.h"
#include "engine/comm/waiting.h"
#include "engine/device/cpu_device.h"

namespace slipstream::test {
namespace {

struct LawBench {
  Communicator& communicator;
  Device& device;
};

constexpr std::size_t lengths[] = {0, 1, 5, 1000, 100003};

/// Values in memory of the bench's device.
template <class T>
class Held {
 public:
  Held(LawBench& bench, const std::vector<T>& values)
      : device_(bench.device), buffer_(device_.allocate(values.size() * sizeof(T), MemoryCategory::data)) {
    device_.copyIn(buffer_->bytes(), std::as_bytes(std::span(values)));
  }
  std::span<T> values() { return buffer_->as<T>(); }
  std::span<std::byte> bytes() { return buffer_->bytes(); }
  std::vector<T> read() {
    std::vector<T> values(buffer_->as<T>().size());
    device_.copyOut(std::as_writable_bytes(std::span(values)), buffer_->bytes());
    return values;
  }

 private:
  Device& device_;
  std::unique_ptr<Buffer> buffer_;
};

float valueOf(int rank, std::size_t index) {
  return static_cast<float>((static_cast<std::size_t>(rank) * 31 + index * 7) % 13) - 5.0F;
}

std::vector<float> valuesOf(int rank, std::size_t length) {
  std::vector<float> values(length);
  for (std::size_t i = 0; i < length; ++i) values[i] = valueOf(rank, i);
  return values;
}

/// Small integers: exact in any order.
std::vector<float> sumOf(int ranks, std::size_t length) {
  std::vector<float> sum(length);
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::size_t i = 0; i < length; ++i) sum[i] += valueOf(rank, i);
  }
  return sum;
}

void checkReductions(LawBench& bench) {
  Communicator& communicator = bench.communicator;
  for (const std::size_t length : lengths) {
    Held values(bench, valuesOf(communicator.rank(), length));
    communicator.allReduceSum(values.values());
    EXPECT_EQ(values.read(), sumOf(communicator.size(), length));
  }
  Held<double> numbers(bench, {1.0, static_cast<double>(communicator.rank())});
  communicator.allReduceSum(numbers.values());
  const double ranks = communicator.size();
  EXPECT_EQ(numbers.read(), (std::vector{ranks, ranks * (ranks - 1) / 2}));
  Held<double> largest(bench, {static_cast<double>(communicator.rank()), -1.0 - communicator.rank()});
  communicator.allReduceMax(largest.values());
  EXPECT_EQ(largest.read(), (std::vector{ranks - 1, -1.0}));
}

/// Votes and losses are the host's wherever the vectors lie; they may come between.
void checkReductionsOfTheHost(LawBench& bench) {
  Held values(bench, valuesOf(bench.communicator.rank(), 5000));
  const auto sum = bench.communicator.startAllReduceSum(values.values());
  std::vector<double> vote{static_cast<double>(bench.communicator.rank())};
  bench.communicator.allReduceMax(vote);
  EXPECT_EQ(vote[0], bench.communicator.size() - 1);
  std::vector<float> small(3, 1.0F);
  bench.communicator.startAllReduceSum(small)->wait();
  EXPECT_EQ(small[2], static_cast<float>(bench.communicator.size()));
  sum->wait();
  EXPECT_EQ(values.read(), sumOf(bench.communicator.size(), 5000));
}

void checkStartedSums(LawBench& bench) {
  Communicator& communicator = bench.communicator;
  Held first(bench, valuesOf(communicator.rank(), 1000));
  Held second(bench, valuesOf(communicator.rank() + 1, 5));
  auto firstRequest = communicator.startAllReduceSum(first.values());
  auto secondRequest = communicator.startAllReduceSum(second.values());
  while (!secondRequest->done()) communicator.poll();
  firstRequest->wait();
  EXPECT_TRUE(firstRequest->done());
  EXPECT_EQ(first.read(), sumOf(communicator.size(), 1000));
  auto expected = sumOf(communicator.size() + 1, 5);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= valueOf(0, i);
  EXPECT_EQ(second.read(), expected);
}

void checkEqualBits(LawBench& bench) {
  std::vector<float> values(10007);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 1.0F / (static_cast<float>(i) + 1.7F * static_cast<float>(bench.communicator.rank() + 1));
  }
  Held once(bench, values);
  Held again(bench, values);
  bench.communicator.allReduceSum(once.values());
  bench.communicator.allReduceSum(again.values());
  const auto sums = once.read();
  EXPECT_EQ(sums, again.read());
  Held reference(bench, sums);
  bench.communicator.broadcast(reference.bytes(), 0);
  EXPECT_EQ(std::memcmp(sums.data(), reference.read().data(), sums.size() * sizeof(float)), 0);
}

void checkBroadcastAndGather(LawBench& bench) {
  Communicator& communicator = bench.communicator;
  for (int root = 0; root < communicator.size(); ++root) {
    Held<int> word(bench, {communicator.rank(), 7});
    communicator.broadcast(word.bytes(), root);
    EXPECT_EQ(word.read(), (std::vector{root, 7}));
  }
  Held<int> mine(bench, {communicator.rank(), 2 * communicator.rank()});
  Held all(bench, std::vector<int>(2 * static_cast<std::size_t>(communicator.size())));
  communicator.allGather(mine.bytes(), all.bytes());
  const auto gathered = all.read();
  for (int rank = 0; rank < communicator.size(); ++rank) {
    EXPECT_EQ(gathered[static_cast<std::size_t>(2 * rank)], rank);
    EXPECT_EQ(gathered[static_cast<std::size_t>(2 * rank + 1)], 2 * rank);
  }
}

/// Rank r sends r * size + p + 1 bytes to rank p, or none where r + p divides by 3.
std::size_t messageBytes(int from, int to, int size) {
  return (from + to) % 3 == 0 ? 0 : static_cast<std::size_t>(from * size + to + 1);
}

void checkAllToAll(LawBench& bench) {
  Communicator& communicator = bench.communicator;
  const int size = communicator.size();
  std::vector<std::size_t> outOffsets{0};
  std::vector<std::size_t> inOffsets{0};
  for (int peer = 0; peer < size; ++peer) {
    outOffsets.push_back(outOffsets.back() + messageBytes(communicator.rank(), peer, size));
    inOffsets.push_back(inOffsets.back() + messageBytes(peer, communicator.rank(), size));
  }
  Held out(bench, std::vector<std::byte>(outOffsets.back(), static_cast<std::byte>(communicator.rank())));
  Held in(bench, std::vector<std::byte>(inOffsets.back(), std::byte{255}));
  communicator.allToAll(out.bytes(), outOffsets, in.bytes(), inOffsets);
  const auto received = in.read();
  for (int peer = 0; peer < size; ++peer) {
    const auto p = static_cast<std::size_t>(peer);
    for (std::size_t i = inOffsets[p]; i < inOffsets[p + 1]; ++i) EXPECT_EQ(received[i], static_cast<std::byte>(peer));
  }
}

/// Three exchanges on their way at once, other operations between their start and their end, ended out of order.
void checkStartedExchanges(LawBench& bench) {
  Communicator& communicator = bench.communicator;
  const int size = communicator.size();
  const auto ranks = static_cast<std::size_t>(size);
  constexpr std::size_t rounds = 3;
  using Parts = std::vector<std::vector<Held<std::byte>>>;
  Parts outs(rounds);
  Parts ins(rounds);
  std::vector<std::unique_ptr<Request>> requests;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::span<const std::byte>> out;
    std::vector<std::span<std::byte>> in;
    for (int peer = 0; peer < size; ++peer) {
      const auto mark = static_cast<std::byte>(communicator.rank() + 10 * static_cast<int>(round));
      const std::size_t sent = 40'000 * round + messageBytes(communicator.rank(), peer, size);
      const std::size_t received = 40'000 * round + messageBytes(peer, communicator.rank(), size);
      outs[round].emplace_back(bench, std::vector<std::byte>(sent, mark));
      ins[round].emplace_back(bench, std::vector<std::byte>(received, std::byte{255}));
      out.emplace_back(outs[round].back().bytes());
      in.emplace_back(ins[round].back().bytes());
    }
    requests.push_back(communicator.startExchange(out, in));
    std::vector<double> between{1};
    communicator.allReduceSum(between);
    EXPECT_EQ(between[0], size);
  }
  while (!requests.back()->done()) communicator.poll();
  for (auto& request : requests) request->wait();
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t peer = 0; peer < ranks; ++peer) {
      const auto mark = static_cast<std::byte>(peer + 10 * round);
      const auto got = ins[round][peer].read();
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(got, mark)), got.size());
    }
  }
}

/// A part that its receiver has no room for is the sender's own only.
void checkStartedExchangeKeepsOwnPart(LawBench& bench) {
  const auto ranks = static_cast<std::size_t>(bench.communicator.size());
  const auto me = static_cast<std::size_t>(bench.communicator.rank());
  Held values(bench, std::vector<std::byte>(ranks, static_cast<std::byte>(me)));
  Held received(bench, std::vector<std::byte>(ranks, std::byte{255}));
  std::vector<std::span<const std::byte>> out;
  std::vector<std::span<std::byte>> in;
  for (std::size_t peer = 0; peer < ranks; ++peer) {
    out.push_back(values.bytes().subspan(peer, 1));
    in.push_back(received.bytes().subspan(peer, peer == me ? 0 : 1));
  }
  bench.communicator.startExchange(out, in)->wait();
  const auto got = received.read();
  for (std::size_t peer = 0; peer < ranks; ++peer) {
    EXPECT_EQ(got[peer], peer == me ? std::byte{255} : static_cast<std::byte>(peer));
  }
}

/// Parts of no, one and several messages, which arrive whole.
void checkShortMessages(LawBench& bench) {
  const auto ranks = static_cast<std::size_t>(bench.communicator.size());
  const auto me = static_cast<std::size_t>(bench.communicator.rank());
  const auto bytesTo = [](std::size_t rank) { return rank == 1 ? 0 : 2 * shortMessageBytes + 100 * rank; };
  std::vector<Held<std::byte>> outs;
  std::vector<Held<std::byte>> ins;
  for (std::size_t peer = 0; peer < ranks; ++peer) {
    outs.emplace_back(bench, std::vector<std::byte>(peer == me ? 0 : bytesTo(peer), static_cast<std::byte>(me)));
    ins.emplace_back(bench, std::vector<std::byte>(peer == me ? 0 : bytesTo(me), std::byte{255}));
  }
  std::vector<std::span<const std::byte>> out;
  std::vector<std::span<std::byte>> in;
  for (auto& one : outs) out.emplace_back(one.bytes());
  for (auto& one : ins) in.emplace_back(one.bytes());
  exchangeShort(bench.communicator, out, in, bytesTo(ranks + 1));
  for (const auto& request : startShort(bench.communicator, out, in, bytesTo(ranks + 1))) request->wait();
  for (std::size_t peer = 0; peer < ranks; ++peer) {
    const auto got = ins[peer].read();
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(got, static_cast<std::byte>(peer))), got.size());
  }
}

void checkGatherInPlace(LawBench& bench) {
  std::vector<std::size_t> offsets{0};
  for (int rank = 0; rank < bench.communicator.size(); ++rank) {
    offsets.push_back(offsets.back() + static_cast<std::size_t>(rank * 300));
  }
  const auto me = static_cast<std::size_t>(bench.communicator.rank());
  std::vector<std::byte> values(offsets.back(), std::byte{255});
  std::fill(values.begin() + static_cast<std::ptrdiff_t>(offsets[me]),
            values.begin() + static_cast<std::ptrdiff_t>(offsets[me + 1]), static_cast<std::byte>(me));
  Held all(bench, values);
  bench.communicator.allGatherInPlace(all.bytes(), offsets);
  const auto gathered = all.read();
  for (std::size_t rank = 0; rank + 1 < offsets.size(); ++rank) {
    for (std::size_t i = offsets[rank]; i < offsets[rank + 1]; ++i) {
      EXPECT_EQ(gathered[i], static_cast<std::byte>(rank));
    }
  }
}

void checkSendReceive(LawBench& bench) {
  Communicator& communicator = bench.communicator;
  const int size = communicator.size();
  const int next = (communicator.rank() + 1) % size;
  const int previous = (communicator.rank() + size - 1) % size;
  for (int round = 0; round < 3; ++round) {
    Held out(bench, std::vector<int>(1000, communicator.rank() + round));
    Held in(bench, std::vector<int>(1000));
    communicator.sendReceive(out.bytes(), next, in.bytes(), previous);
    EXPECT_EQ(in.read(), std::vector<int>(1000, previous + round));
  }
}

void checkSplit(Communicator& communicator) {
  const int colour = communicator.rank() % 2;
  const auto part = communicator.split(colour, -communicator.rank());
  EXPECT_EQ(part->size(), (communicator.size() + 1 - colour) / 2);
  std::vector<double> members{1.0, static_cast<double>(communicator.rank())};
  part->allReduceSum(members);
  double expected = 0;
  for (int rank = colour; rank < communicator.size(); rank += 2) expected += rank;
  EXPECT_EQ(members[1], expected);
  std::vector<double> highest{static_cast<double>(communicator.rank())};
  part->broadcast(std::as_writable_bytes(std::span(highest)), 0);
  EXPECT_EQ(highest[0], communicator.size() - 1 - (communicator.size() - 1 - colour) % 2);
}

/// Every rank writes a word into every other's part and waits for those that the others write.
void checkSharedMemory(Communicator& communicator) {
  const auto size = static_cast<std::size_t>(communicator.size());
  const auto buffer = communicator.allocateShared(size * sizeof(std::uint64_t));
  ASSERT_NE(buffer, nullptr);
  const auto words = [&](int rank) { return reinterpret_cast<std::uint64_t*>(buffer->part(rank).data()); };
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(words(communicator.rank())) % 64, 0U);
  for (int peer = 0; peer < communicator.size(); ++peer) {
    std::atomic_ref(words(peer)[communicator.rank()]).store(static_cast<std::uint64_t>(communicator.rank()) + 1);
  }
  for (std::size_t peer = 0; peer < size; ++peer) {
    waitUntil(communicator, [&] { return std::atomic_ref(words(communicator.rank())[peer]).load() == peer + 1; });
  }
}

}  // namespace

void checkCommunicatorLaws(Communicator& communicator) {
  MemoryMeter meter;
  const auto host = openCpuDevice(meter);
  checkCommunicatorLaws(communicator, *host);
  checkSharedMemory(communicator);
}

void checkCommunicatorLaws(Communicator& communicator, Device& device) {
  LawBench bench{communicator, device};
  communicator.barrier();
  checkReductions(bench);
  checkReductionsOfTheHost(bench);
  checkStartedSums(bench);
  checkEqualBits(bench);
  checkBroadcastAndGather(bench);
  checkAllToAll(bench);
  checkStartedExchanges(bench);
  checkStartedExchangeKeepsOwnPart(bench);
  checkShortMessages(bench);
  checkGatherInPlace(bench);
  checkSendReceive(bench);
  checkSplit(communicator);
}

}  // namespace slipstream::test
