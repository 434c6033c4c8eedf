// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that reach into each other's memory, on a device that does its work later, in order, on a thread of its own, as
// a GPU's stream does: an operation that counts on an order that nobody made reads what is not there yet.
#include "engine/comm/peer_communicator.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/device/memory_pool.h"
#include "engine/device/peer_access.h"
#include "tests/comm/communicator_laws.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

/// Work in order, on a thread.
class WorkLine {
 public:
  WorkLine() : thread_([this] { run(); }) {}
  ~WorkLine() {
    give([this] { stopped_ = true; });
    thread_.join();
  }
  WorkLine(const WorkLine&) = delete;
  WorkLine& operator=(const WorkLine&) = delete;

  void give(std::function<void()> work) {
    const std::scoped_lock lock(mutex_);
    line_.push_back(std::move(work));
    changed_.notify_all();
  }

 private:
  void run() {
    while (!stopped_) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !line_.empty(); });
      const auto work = std::move(line_.front());
      line_.pop_front();
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::microseconds(20));  // later than whoever gave it
      work();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> line_;
  bool stopped_ = false;
  std::thread thread_;
};

/// How often a rank set each mark, and how often its work reached it.
struct Marks {
  std::array<std::atomic<int>, PeerAccess::markCount> set{};
  std::array<std::atomic<int>, PeerAccess::markCount> reached{};
};

class LatePeerAccess final : public PeerAccess {
 public:
  explicit LatePeerAccess(MemoryPool& pool) : pool_(pool) {}

  std::vector<std::byte> introduction() override {
    const Marks* mine = marks_.get();
    const auto bytes = std::as_bytes(std::span(&mine, 1));
    return {bytes.begin(), bytes.end()};
  }
  bool meet(std::span<const std::vector<std::byte>> introductions) override {
    for (const auto& bytes : introductions) std::memcpy(&peers_.emplace_back(), bytes.data(), sizeof(Marks*));
    return true;
  }
  PeerAddress addressOf(int, const std::byte* own) override {
    const std::byte* block = pool_.keepBlock(own).data();
    PeerAddress address;
    std::memcpy(address.block.data(), &block, sizeof(block));
    address.offset = static_cast<std::uint64_t>(own - block);
    return address;
  }
  const std::byte* reach(int, const PeerAddress& address) override {
    const std::byte* block = nullptr;
    std::memcpy(&block, address.block.data(), sizeof(block));
    return block + address.offset;
  }
  void follow(const DevicePoint*) override {}
  void mark(int number) override {
    const auto n = static_cast<std::size_t>(number);
    ++marks_->set[n];
    line_.give([marks = marks_.get(), n] { ++marks->reached[n]; });
  }
  /// Of the mark as it was set last, as a GPU's event.
  void waitFor(int peer, int number) override {
    const auto n = static_cast<std::size_t>(number);
    Marks* marks = peers_[static_cast<std::size_t>(peer)];
    line_.give([marks, n, set = marks->set[n].load()] {
      while (marks->reached[n] < set) std::this_thread::yield();
    });
  }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    line_.give([=] { std::memcpy(to, from, bytes); });
  }
  void sum(std::span<const float* const> parts, float* result, std::size_t elements) override {
    combine(parts, result, elements, [](float a, float b) { return a + b; });
  }
  void sum(std::span<const double* const> parts, double* result, std::size_t elements) override {
    combine(parts, result, elements, [](double a, double b) { return a + b; });
  }
  void maximum(std::span<const double* const> parts, double* result, std::size_t elements) override {
    combine(parts, result, elements, [](double a, double b) { return a > b ? a : b; });
  }
  bool reached(int number) override {
    const auto n = static_cast<std::size_t>(number);
    return marks_->reached[n] == marks_->set[n];
  }
  /// The device's own work is the host's.
  void holdBack(int number) override {
    while (!reached(number)) std::this_thread::yield();
  }

 private:
  template <class T, class Combine>
  void combine(std::span<const T* const> parts, T* result, std::size_t elements, Combine both) {
    line_.give([parts = std::vector<const T*>(parts.begin(), parts.end()), result, elements, both] {
      for (std::size_t i = 0; i < elements; ++i) {
        T value = parts[0][i];
        for (std::size_t part = 1; part < parts.size(); ++part) value = both(value, parts[part][i]);
        result[i] = value;
      }
    });
  }

  MemoryPool& pool_;
  std::unique_ptr<Marks> marks_ = std::make_unique<Marks>();
  std::vector<Marks*> peers_;
  WorkLine line_;  ///< ends first
};

class PlainMemory final : public RawMemory {
 public:
  std::byte* take(std::size_t bytes) override { return new (std::align_val_t{64}) std::byte[bytes]; }
  void giveBack(std::byte* memory) override { operator delete[](memory, std::align_val_t{64}); }
  void clear(std::span<std::byte> memory) override { std::memset(memory.data(), 0, memory.size()); }
  Capacity capacity() override { return {}; }
};

/// A device of the host's memory that its peers reach into, unless they may not.
class ReachedDevice final : public Device {
 public:
  explicit ReachedDevice(MemoryMeter& meter, bool reachable = true)
      : meter_(meter), reachable_(reachable), pool_(std::make_unique<PlainMemory>(), meter, "reached") {}
  const DeviceKind& kind() const override { return cpuKind(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) override {
    return pool_.allocate(bytes, category);
  }
  void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) override {
    std::ranges::copy(hostBytes, deviceBytes.begin());
  }
  void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) override {
    std::ranges::copy(deviceBytes, hostBytes.begin());
  }
  void copyWithin(std::span<std::byte> to, std::span<const std::byte> from) override {
    std::ranges::copy(from, to.begin());
  }
  void synchronize() override {}
  MemoryMeter& memory() override { return meter_; }
  bool holds(const void* address) const override { return pool_.holds(address); }
  std::unique_ptr<PeerAccess> peerAccess() override {
    if (!reachable_) return nullptr;
    return std::make_unique<LatePeerAccess>(pool_);
  }

 private:
  MemoryMeter& meter_;
  bool reachable_;
  MemoryPool pool_;
};

class PeerRanks : public testing::TestWithParam<int> {};

TEST_P(PeerRanks, KeepTheLaws) {
  test::spawnRanks(GetParam(), [](Communicator& world) {
    MemoryMeter meter;
    ReachedDevice device(meter);
    const auto peers = reachPeers(world, device);
    ASSERT_NE(peers, nullptr);
    test::checkCommunicatorLaws(*peers, device);
    {
      const auto part = peers->split(world.rank() / 2, world.rank());
      test::checkCommunicatorLaws(*part, device);
      world.barrier();  // nobody's marks and memory go while others may still look at them
    }
    world.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(Counts, PeerRanks, testing::Values(1, 2, 3, 4, 8));

/// In rank order, as the host adds.
TEST(PeerCommunicator, SumsLikeTheHost) {
  test::spawnRanks(3, [](Communicator& world) {
    MemoryMeter meter;
    ReachedDevice device(meter);
    const auto peers = reachPeers(world, device);
    const auto start = static_cast<float>(world.rank());
    for (const std::size_t length : std::vector<std::size_t>{1, 15, 16, 17, 47, 48, 1001}) {
      std::vector<float> values(length);
      for (std::size_t i = 0; i < length; ++i) values[i] = 0.1F * static_cast<float>(i + 7) / 3 + start;
      const auto held = device.allocate(length * sizeof(float), MemoryCategory::data);
      device.copyIn(held->bytes(), std::as_bytes(std::span(values)));
      peers->startAllReduceSum(held->as<float>())->wait();
      world.allReduceSum(values);
      EXPECT_EQ(std::vector<float>(held->as<float>().begin(), held->as<float>().end()), values) << length;
    }
    world.barrier();
  });
}

TEST(PeerCommunicator, ManyAtOnceGoOneAfterTheOther) {
  test::spawnRanks(4, [](Communicator& world) {
    MemoryMeter meter;
    ReachedDevice device(meter);
    const auto peers = reachPeers(world, device);
    const auto held = device.allocate(30 * 100 * sizeof(float), MemoryCategory::data);
    std::vector<std::unique_ptr<Request>> requests;
    for (std::size_t i = 0; i < 30; ++i) {
      const auto part = held->as<float>().subspan(i * 100, 100);
      std::ranges::fill(part, static_cast<float>(i));
      requests.push_back(peers->startAllReduceSum(part));
      for (int ask = 0; ask < 3 * world.rank(); ++ask) peers->poll();
    }
    while (!requests.empty()) requests.pop_back();  // the last one first; each waits
    for (std::size_t i = 0; i < held->as<float>().size(); ++i) {
      ASSERT_EQ(held->as<float>()[i], 4.0F * static_cast<float>(i / 100));
    }
    world.barrier();
  });
}

TEST(PeerCommunicator, IsNoneWhereOneRankCannotBeReached) {
  test::spawnRanks(3, [](Communicator& world) {
    MemoryMeter meter;
    ReachedDevice device(meter, world.rank() != 1);
    EXPECT_EQ(reachPeers(world, device), nullptr);
  });
}

TEST(PeerCommunicator, AMistakeInSizesIsToldAsTheCause) {
  const auto run = [] {
    test::spawnRanks(3, [](Communicator& world) {
      MemoryMeter meter;
      ReachedDevice device(meter);
      const auto peers = reachPeers(world, device);
      const auto held = device.allocate(world.rank() == 1 ? 400 : 800, MemoryCategory::data);
      peers->allReduceSum(held->as<float>());
    });
  };
  EXPECT_THAT(run, testing::ThrowsMessage<Error>("allReduce: sizes do not match"));
}

/// One side would be read or written by what cannot reach it.
TEST(PeerCommunicator, RefusesMemoryOfBothSidesInOneOperation) {
  test::spawnRanks(2, [](Communicator& world) {
    MemoryMeter meter;
    ReachedDevice device(meter);
    const auto peers = reachPeers(world, device);
    const auto held = device.allocate(8, MemoryCategory::data);
    std::array<std::byte, 8> host{};
    const std::vector<std::size_t> halves{0, 4, 8};
    const auto says = [](const std::string& name) {
      return testing::ThrowsMessage<Error>(name + ": memory of a device and of the host in one operation");
    };
    EXPECT_THAT([&] { peers->allGather(held->bytes().first(4), host); }, says("allGather"));
    EXPECT_THAT([&] { peers->allGather(std::span(host).first(4), held->bytes()); }, says("allGather"));
    EXPECT_THAT([&] { peers->allToAll(host, halves, held->bytes(), halves); }, says("allToAll"));
    const std::vector<std::span<const std::byte>> out(2, held->bytes().first(4));
    const std::vector<std::span<std::byte>> in(2, std::span(host).first(4));
    EXPECT_THAT([&] { peers->startExchange(out, in); }, says("startExchange"));
    world.barrier();
  });
}

}  // namespace
}  // namespace slipstream
