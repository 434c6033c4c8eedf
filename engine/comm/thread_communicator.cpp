// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/thread_communicator.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/error.h"

namespace slipstream {
namespace {

/// What a rank gets where another one is the cause.
class PeerFailed final : public Error {
 public:
  PeerFailed() : Error("another rank failed") {}
};

/// What all groups of one runThreadRanks share: a single lock, so that one failure wakes every wait. Every function
/// but fail() wants the lock held.
struct World {
  std::mutex mutex;
  std::condition_variable changed;
  bool broken = false;  ///< a rank is on its way out: nothing begins any more, and nobody looks at others' buffers
  std::exception_ptr failure;

  /// The cause wins over what it led to.
  void fail(std::exception_ptr cause, bool isCause) {
    const std::scoped_lock lock(mutex);
    if (!failure || (isCause && !hasCause_)) failure = std::move(cause);
    hasCause_ = hasCause_ || isCause;
    breakUp();
  }
  void breakUp() {
    broken = true;
    changed.notify_all();
  }
  void check() const {
    if (broken) throw PeerFailed();
  }
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, Condition&& met) {
    changed.wait(lock, [&] { return broken || met(); });
    check();
  }

 private:
  bool hasCause_ = false;
};

/// A started operation: the last rank to join it does it for all.
struct Started {
  std::vector<std::span<float>> sums;                         ///< of a sum, by rank
  std::vector<std::vector<std::span<const std::byte>>> outs;  ///< of an exchange, by rank
  std::vector<std::vector<std::span<std::byte>>> ins;
  int joined = 0;
  int left = 0;
  bool ended = false;
};
/// By their number in the order of starting.
using StartedOnes = std::map<std::uint64_t, Started>;

/// One group of ranks; everything here is guarded by world->mutex, but what `published` points to.
struct Group {
  Group(std::shared_ptr<World> sharedWorld, int ranks)
      : world(std::move(sharedWorld)), size(ranks), published(static_cast<std::size_t>(ranks)) {}

  std::shared_ptr<World> world;
  int size;
  int arrived = 0;
  std::uint64_t generation = 0;
  std::vector<const void*> published;
  int readers = 0;  ///< ranks that look at what others published
  StartedOnes sums;
  StartedOnes exchanges;
  std::map<std::pair<int, int>, std::deque<std::span<const std::byte>>> messages;  ///< (from, to) -> posted
  std::map<std::pair<int, int>, std::uint64_t> taken;                              ///< (from, to) -> how many
  std::map<int, std::shared_ptr<Group>> children;                                  ///< colour -> group, during a split

  void barrier() {
    std::unique_lock lock(world->mutex);
    meet(lock);
  }

  /// `lock` holds world->mutex.
  void meet(std::unique_lock<std::mutex>& lock) {
    world->check();
    const std::uint64_t mine = generation;
    if (++arrived == size) {
      arrived = 0;
      ++generation;
      world->changed.notify_all();
    }
    world->wait(lock, [&] { return generation != mine; });
  }

  /// Shows `mine` to the others, lets `use` read everybody's, and returns when all have read. Whatever ends it, no rank
  /// reads `mine` afterwards: a rank that fails waits for those that still read.
  template <class Use>
  void exchange(int rank, const void* mine, Use&& use) {
    std::unique_lock lock(world->mutex);
    try {
      published[static_cast<std::size_t>(rank)] = mine;
      meet(lock);
      visit(lock, use);
      meet(lock);
    } catch (...) {
      world->breakUp();
      world->changed.wait(lock, [&] { return readers == 0; });
      throw;
    }
  }

 private:
  template <class Use>
  void visit(std::unique_lock<std::mutex>& lock, Use&& use) {
    ++readers;
    lock.unlock();
    std::exception_ptr problem;
    try {
      use(published);
    } catch (...) {
      problem = std::current_exception();
    }
    lock.lock();
    if (--readers == 0) world->changed.notify_all();
    if (problem) std::rethrow_exception(problem);
  }
};

/// Sums of each element over `parts`, in their order, written to all of them.
void sumInOrder(const std::vector<std::span<float>>& parts) {
  for (std::size_t i = 0; i < parts[0].size(); ++i) {
    float sum = parts[0][i];
    for (std::size_t r = 1; r < parts.size(); ++r) sum += parts[r][i];
    for (const auto& part : parts) part[i] = sum;
  }
}

/// Every rank's out[r] to rank r's in. Throws Error where their sizes differ.
void copyBetween(const Started& exchange) {
  for (std::size_t from = 0; from < exchange.outs.size(); ++from) {
    for (std::size_t to = 0; to < exchange.ins.size(); ++to) {
      const auto out = exchange.outs[from][to];
      const auto in = exchange.ins[to][from];
      if (from == to && in.empty()) continue;
      if (out.size() != in.size()) throw Error("startExchange: sizes do not match");
      if (!in.empty()) std::memcpy(in.data(), out.data(), in.size());
    }
  }
}

class StartedRequest final : public Request {
 public:
  /// `started` is one of the group's own.
  StartedRequest(std::shared_ptr<Group> group, StartedOnes& started, std::uint64_t number)
      : group_(std::move(group)), started_(started), number_(number) {}
  /// Waits, but not while an exception unwinds this rank: then nobody may touch its values any more.
  ~StartedRequest() override {
    World& world = *group_->world;
    std::unique_lock lock(world.mutex);
    Started& operation = started_.at(number_);
    if (!operation.ended && std::uncaught_exceptions() > unwinding_) world.breakUp();
    world.changed.wait(lock, [&] { return world.broken || operation.ended; });
    if (++operation.left == group_->size) started_.erase(number_);
  }
  StartedRequest(const StartedRequest&) = delete;
  StartedRequest& operator=(const StartedRequest&) = delete;

  bool done() override {
    if (ended_) return true;
    const std::scoped_lock lock(group_->world->mutex);
    ended_ = started_.at(number_).ended;
    if (!ended_) group_->world->check();
    return ended_;
  }
  void wait() override {
    if (ended_) return;
    std::unique_lock lock(group_->world->mutex);
    group_->world->wait(lock, [&] { return started_.at(number_).ended; });
    ended_ = true;
  }

 private:
  std::shared_ptr<Group> group_;
  StartedOnes& started_;
  std::uint64_t number_;
  int unwinding_ = std::uncaught_exceptions();
  bool ended_ = false;
};

/// All ranks' parts in one allocation of the process.
struct SharedMemory {
  static constexpr std::align_val_t alignment{64};
  SharedMemory(std::size_t partBytes, int ranks)
      : stride((partBytes + 63) / 64 * 64), total(stride * static_cast<std::size_t>(ranks)) {
    data = static_cast<std::byte*>(::operator new(total, alignment));
    std::memset(data, 0, total);
  }
  ~SharedMemory() { ::operator delete(data, alignment); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::size_t stride;
  std::size_t total;
  std::byte* data;
};

class ThreadSharedBuffer final : public SharedBuffer {
 public:
  ThreadSharedBuffer(std::shared_ptr<SharedMemory> memory, std::size_t bytes)
      : memory_(std::move(memory)), bytes_(bytes) {}
  std::span<std::byte> part(int rank) override {
    return {memory_->data + memory_->stride * static_cast<std::size_t>(rank), bytes_};
  }

 private:
  std::shared_ptr<SharedMemory> memory_;
  std::size_t bytes_;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(std::shared_ptr<Group> group, int rank) : group_(std::move(group)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return group_->size; }

  void barrier() override {
    countOperation();
    group_->barrier();
  }

  void allReduceSum(std::span<float> values) override {
    reduce(values, [](float a, float b) { return a + b; });
  }
  void allReduceSum(std::span<double> values) override {
    reduce(values, [](double a, double b) { return a + b; });
  }
  void allReduceMax(std::span<double> values) override {
    reduce(values, [](double a, double b) { return a > b || a != a ? a : b; });
  }

  std::unique_ptr<Request> startAllReduceSum(std::span<float> values) override {
    countOperation();
    const std::scoped_lock lock(group_->world->mutex);
    group_->world->check();
    Started& sum = group_->sums[startedSums_];
    sum.sums.resize(static_cast<std::size_t>(size()));
    sum.sums[static_cast<std::size_t>(rank_)] = values;
    if (++sum.joined == size()) {
      sumInOrder(sum.sums);
      end(sum);
    }
    return std::make_unique<StartedRequest>(group_, group_->sums, startedSums_++);
  }

  std::unique_ptr<Request> startExchange(std::span<const std::span<const std::byte>> out,
                                         std::span<const std::span<std::byte>> in) override {
    countOperation();
    const std::scoped_lock lock(group_->world->mutex);
    group_->world->check();
    Started& exchange = group_->exchanges[startedExchanges_];
    exchange.outs.resize(static_cast<std::size_t>(size()));
    exchange.ins.resize(static_cast<std::size_t>(size()));
    exchange.outs[static_cast<std::size_t>(rank_)].assign(out.begin(), out.end());
    exchange.ins[static_cast<std::size_t>(rank_)].assign(in.begin(), in.end());
    if (++exchange.joined == size()) {
      copyBetween(exchange);
      end(exchange);
    }
    return std::make_unique<StartedRequest>(group_, group_->exchanges, startedExchanges_++);
  }

  void broadcast(std::span<std::byte> bytes, int root) override {
    exchange(bytes.data(), [&](const auto& peers) {
      if (rank_ == root || bytes.empty()) return;
      std::memcpy(bytes.data(), peers[static_cast<std::size_t>(root)], bytes.size());
    });
  }

  void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    if (all.size() != mine.size() * static_cast<std::size_t>(size())) throw Error("allGather: sizes do not match");
    exchange(mine.data(), [&](const auto& peers) {
      if (mine.empty()) return;
      for (std::size_t r = 0; r < peers.size(); ++r) {
        std::memmove(all.data() + r * mine.size(), peers[r], mine.size());
      }
    });
  }

  void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) override {
    exchange(all.data(), [&](const auto& peers) {
      for (std::size_t r = 0; r < peers.size(); ++r) {
        const std::size_t bytes = offsets[r + 1] - offsets[r];
        if (static_cast<int>(r) == rank_ || bytes == 0) continue;
        std::memcpy(all.data() + offsets[r], static_cast<const std::byte*>(peers[r]) + offsets[r], bytes);
      }
    });
  }

  void allToAll(std::span<const std::byte> out, std::span<const std::size_t> outOffsets, std::span<std::byte> in,
                std::span<const std::size_t> inOffsets) override {
    const std::pair<const std::byte*, const std::size_t*> mine{out.data(), outOffsets.data()};
    const auto me = static_cast<std::size_t>(rank_);
    exchange(&mine, [&](const auto& peers) {
      for (std::size_t r = 0; r < peers.size(); ++r) {
        const auto& [data, offsets] = *static_cast<const std::pair<const std::byte*, const std::size_t*>*>(peers[r]);
        const std::size_t bytes = inOffsets[r + 1] - inOffsets[r];
        const bool leftOut = r == me && bytes == 0;
        if (bytes != offsets[me + 1] - offsets[me] && !leftOut) throw Error("allToAll: sizes do not match");
        if (bytes > 0) std::memcpy(in.data() + inOffsets[r], data + offsets[me], bytes);
      }
    });
  }

  void sendReceive(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) override {
    countOperation();
    std::unique_lock lock(group_->world->mutex);
    group_->world->check();
    try {
      exchangeMessages(lock, out, to, in, from);
    } catch (...) {
      group_->world->breakUp();  // before the lock goes: nobody may read the message that this rank leaves behind
      throw;
    }
  }

  std::unique_ptr<Communicator> split(int colour, int key) override {
    const std::pair<int, int> mine{colour, key};
    std::vector<std::pair<int, int>> members;  // (key, rank) of my colour
    exchange(&mine, [&](const auto& peers) {
      for (std::size_t r = 0; r < peers.size(); ++r) {
        const auto& peer = *static_cast<const std::pair<int, int>*>(peers[r]);
        if (peer.first == colour) members.emplace_back(peer.second, static_cast<int>(r));
      }
    });
    std::sort(members.begin(), members.end());
    const auto place = std::find(members.begin(), members.end(), std::pair{key, rank_}) - members.begin();
    std::shared_ptr<Group> child;
    {
      const std::scoped_lock lock(group_->world->mutex);
      auto& slot = group_->children[colour];
      if (!slot) slot = std::make_shared<Group>(group_->world, static_cast<int>(members.size()));
      child = slot;
    }
    group_->barrier();
    if (rank_ == 0) group_->children.clear();
    group_->barrier();
    auto communicator = std::make_unique<ThreadCommunicator>(std::move(child), static_cast<int>(place));
    communicator->countWith(*this);
    return communicator;
  }

  std::unique_ptr<SharedBuffer> allocateShared(std::size_t bytes) override {
    std::shared_ptr<SharedMemory> memory;
    if (rank_ == 0) memory = std::make_shared<SharedMemory>(bytes, size());
    exchange(&memory, [&](const auto& peers) {
      if (rank_ != 0) memory = *static_cast<const std::shared_ptr<SharedMemory>*>(peers[0]);
    });
    return std::make_unique<ThreadSharedBuffer>(std::move(memory), bytes);
  }

  void poll() override {
    const std::scoped_lock lock(group_->world->mutex);
    group_->world->check();
  }

 private:
  template <class Use>
  void exchange(const void* mine, Use&& use) {
    countOperation();
    group_->exchange(rank_, mine, use);
  }

  void exchangeMessages(std::unique_lock<std::mutex>& lock, std::span<const std::byte> out, int to,
                        std::span<std::byte> in, int from) {
    const std::uint64_t number = sent_[to]++;
    group_->messages[{rank_, to}].push_back(out);
    group_->world->changed.notify_all();
    auto& box = group_->messages[{from, rank_}];
    group_->world->wait(lock, [&] { return !box.empty(); });
    if (box.front().size() != in.size()) throw Error("sendReceive: sizes do not match");
    if (!in.empty()) std::memcpy(in.data(), box.front().data(), in.size());
    box.pop_front();
    ++group_->taken[{from, rank_}];
    group_->world->changed.notify_all();
    group_->world->wait(lock, [&] { return group_->taken[{rank_, to}] > number; });
  }

  void end(Started& operation) {
    operation.ended = true;
    group_->world->changed.notify_all();
  }

  /// Every rank reduces its own slice in rank order and writes it to all.
  template <class T, class Combine>
  void reduce(std::span<T> values, Combine&& combine) {
    exchange(values.data(), [&](const auto& peers) {
      const auto ranks = peers.size();
      const auto me = static_cast<std::size_t>(rank_);
      for (std::size_t i = values.size() * me / ranks; i < values.size() * (me + 1) / ranks; ++i) {
        T result = static_cast<const T*>(peers[0])[i];
        for (std::size_t r = 1; r < ranks; ++r) result = combine(result, static_cast<const T*>(peers[r])[i]);
        for (const void* peer : peers) const_cast<T*>(static_cast<const T*>(peer))[i] = result;
      }
    });
  }

  std::shared_ptr<Group> group_;
  int rank_;
  std::uint64_t startedSums_ = 0;
  std::uint64_t startedExchanges_ = 0;
  std::map<int, std::uint64_t> sent_;
};

}  // namespace

void runThreadRanks(int ranks, const std::function<void(Communicator&)>& body) {
  if (ranks < 1) throw Error("a group needs at least one rank");
  const auto world = std::make_shared<World>();
  const auto group = std::make_shared<Group>(world, ranks);
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        ThreadCommunicator communicator(group, rank);
        body(communicator);
      } catch (const PeerFailed&) {
        world->fail(std::current_exception(), false);
      } catch (...) {
        world->fail(std::current_exception(), true);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  if (world->failure) std::rethrow_exception(world->failure);
}

}  // namespace slipstream
