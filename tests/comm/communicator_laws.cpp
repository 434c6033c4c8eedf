#include "tests/comm/communicator_laws.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "engine/comm/waiting.h"

namespace slipstream::test {
namespace {

constexpr std::size_t lengths[] = {0, 1, 5, 1000, 100003};

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

void checkReductions(Communicator& communicator) {
  for (const std::size_t length : lengths) {
    auto values = valuesOf(communicator.rank(), length);
    communicator.allReduceSum(values);
    EXPECT_EQ(values, sumOf(communicator.size(), length));
  }
  std::vector<double> numbers{1.0, static_cast<double>(communicator.rank())};
  communicator.allReduceSum(numbers);
  const double ranks = communicator.size();
  EXPECT_EQ(numbers, (std::vector{ranks, ranks * (ranks - 1) / 2}));
  std::vector<double> largest{static_cast<double>(communicator.rank()), -1.0 - communicator.rank()};
  communicator.allReduceMax(largest);
  EXPECT_EQ(largest, (std::vector{ranks - 1, -1.0}));
}

void checkStartedSums(Communicator& communicator) {
  auto first = valuesOf(communicator.rank(), 1000);
  auto second = valuesOf(communicator.rank() + 1, 5);
  auto firstRequest = communicator.startAllReduceSum(first);
  auto secondRequest = communicator.startAllReduceSum(second);
  while (!secondRequest->done()) communicator.poll();
  firstRequest->wait();
  EXPECT_TRUE(firstRequest->done());
  EXPECT_EQ(first, sumOf(communicator.size(), 1000));
  auto expected = sumOf(communicator.size() + 1, 5);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= valueOf(0, i);
  EXPECT_EQ(second, expected);
}

void checkEqualBits(Communicator& communicator) {
  std::vector<float> values(10007);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 1.0F / (static_cast<float>(i) + 1.7F * static_cast<float>(communicator.rank() + 1));
  }
  auto again = values;
  communicator.allReduceSum(values);
  communicator.allReduceSum(again);
  EXPECT_EQ(values, again);
  auto reference = values;
  communicator.broadcast(std::as_writable_bytes(std::span(reference)), 0);
  EXPECT_EQ(std::memcmp(values.data(), reference.data(), values.size() * sizeof(float)), 0);
}

void checkBroadcastAndGather(Communicator& communicator) {
  for (int root = 0; root < communicator.size(); ++root) {
    std::vector<int> word{communicator.rank(), 7};
    communicator.broadcast(std::as_writable_bytes(std::span(word)), root);
    EXPECT_EQ(word, (std::vector{root, 7}));
  }
  const std::vector<int> mine{communicator.rank(), 2 * communicator.rank()};
  std::vector<int> all(2 * static_cast<std::size_t>(communicator.size()));
  communicator.allGather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  for (int rank = 0; rank < communicator.size(); ++rank) {
    EXPECT_EQ(all[static_cast<std::size_t>(2 * rank)], rank);
    EXPECT_EQ(all[static_cast<std::size_t>(2 * rank + 1)], 2 * rank);
  }
}

/// Rank r sends r * size + p + 1 bytes to rank p, or none where r + p divides by 3.
std::size_t letterBytes(int from, int to, int size) {
  return (from + to) % 3 == 0 ? 0 : static_cast<std::size_t>(from * size + to + 1);
}

void checkAllToAll(Communicator& communicator) {
  const int size = communicator.size();
  std::vector<std::size_t> outOffsets{0};
  std::vector<std::size_t> inOffsets{0};
  for (int peer = 0; peer < size; ++peer) {
    outOffsets.push_back(outOffsets.back() + letterBytes(communicator.rank(), peer, size));
    inOffsets.push_back(inOffsets.back() + letterBytes(peer, communicator.rank(), size));
  }
  const std::vector<std::byte> out(outOffsets.back(), static_cast<std::byte>(communicator.rank()));
  std::vector<std::byte> in(inOffsets.back(), std::byte{255});
  communicator.allToAll(out, outOffsets, in, inOffsets);
  for (int peer = 0; peer < size; ++peer) {
    const auto p = static_cast<std::size_t>(peer);
    for (std::size_t i = inOffsets[p]; i < inOffsets[p + 1]; ++i) EXPECT_EQ(in[i], static_cast<std::byte>(peer));
  }
}

/// Three exchanges on their way at once, other operations between their start and their end, ended out of order.
void checkStartedExchanges(Communicator& communicator) {
  const int size = communicator.size();
  const auto ranks = static_cast<std::size_t>(size);
  constexpr std::size_t rounds = 3;
  std::vector<std::vector<std::vector<std::byte>>> outs(rounds, std::vector<std::vector<std::byte>>(ranks));
  auto ins = outs;
  std::vector<std::unique_ptr<Request>> requests;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::span<const std::byte>> out;
    std::vector<std::span<std::byte>> in;
    for (int peer = 0; peer < size; ++peer) {
      const auto p = static_cast<std::size_t>(peer);
      const auto mark = static_cast<std::byte>(communicator.rank() + 10 * static_cast<int>(round));
      outs[round][p].assign(40'000 * round + letterBytes(communicator.rank(), peer, size), mark);
      ins[round][p].assign(40'000 * round + letterBytes(peer, communicator.rank(), size), std::byte{255});
      out.emplace_back(outs[round][p]);
      in.emplace_back(ins[round][p]);
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
      const auto& got = ins[round][peer];
      EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(got, mark)), got.size());
    }
  }
}

/// A part that its receiver has no room for is the sender's own only.
void checkStartedExchangeKeepsOwnPart(Communicator& communicator) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  const auto me = static_cast<std::size_t>(communicator.rank());
  std::vector<std::byte> values(ranks, static_cast<std::byte>(me));
  std::vector<std::byte> received(ranks, std::byte{255});
  std::vector<std::span<const std::byte>> out;
  std::vector<std::span<std::byte>> in;
  for (std::size_t peer = 0; peer < ranks; ++peer) {
    out.push_back(std::span(values).subspan(peer, 1));
    in.push_back(std::span(received).subspan(peer, peer == me ? 0 : 1));
  }
  communicator.startExchange(out, in)->wait();
  for (std::size_t peer = 0; peer < ranks; ++peer) {
    EXPECT_EQ(received[peer], peer == me ? std::byte{255} : static_cast<std::byte>(peer));
  }
}

void checkGatherInPlace(Communicator& communicator) {
  std::vector<std::size_t> offsets{0};
  for (int rank = 0; rank < communicator.size(); ++rank) {
    offsets.push_back(offsets.back() + static_cast<std::size_t>(rank * 3));
  }
  const auto me = static_cast<std::size_t>(communicator.rank());
  std::vector<std::byte> all(offsets.back(), std::byte{255});
  std::fill(all.begin() + static_cast<std::ptrdiff_t>(offsets[me]),
            all.begin() + static_cast<std::ptrdiff_t>(offsets[me + 1]), static_cast<std::byte>(me));
  communicator.allGatherInPlace(all, offsets);
  for (std::size_t rank = 0; rank + 1 < offsets.size(); ++rank) {
    for (std::size_t i = offsets[rank]; i < offsets[rank + 1]; ++i) EXPECT_EQ(all[i], static_cast<std::byte>(rank));
  }
}

void checkSendReceive(Communicator& communicator) {
  const int size = communicator.size();
  const int next = (communicator.rank() + 1) % size;
  const int previous = (communicator.rank() + size - 1) % size;
  for (int round = 0; round < 3; ++round) {
    const std::vector<int> out(1000, communicator.rank() + round);
    std::vector<int> in(1000);
    communicator.sendReceive(std::as_bytes(std::span(out)), next, std::as_writable_bytes(std::span(in)), previous);
    EXPECT_EQ(in, std::vector<int>(1000, previous + round));
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
  communicator.barrier();
  checkReductions(communicator);
  checkStartedSums(communicator);
  checkEqualBits(communicator);
  checkBroadcastAndGather(communicator);
  checkAllToAll(communicator);
  checkStartedExchanges(communicator);
  checkStartedExchangeKeepsOwnPart(communicator);
  checkGatherInPlace(communicator);
  checkSendReceive(communicator);
  checkSplit(communicator);
  checkSharedMemory(communicator);
}

}  // namespace slipstream::test
