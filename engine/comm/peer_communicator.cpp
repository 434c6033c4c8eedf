// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/peer_communicator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/comm/on_every_rank.h"
#include "engine/comm/operation_memory.h"
#include "engine/comm/waiting.h"
#include "engine/device/peer_access.h"

namespace slipstream {
namespace {

/// What a rank offers to one peer.
struct Offer {
  PeerAddress address;
  std::uint64_t bytes = 0;
};

/// Of the marks of PeerAccess.
enum Mark { ready, summed, taken, ended };

/// An operation on memory of the devices. Every rank offers each peer some of its bytes; when all have told where they
/// are, `work` begins, stage by stage: a stage begins behind the marks that all peers set at the end of the one before.
struct PeerOperation {
  std::vector<std::span<const std::byte>> offered;  ///< one a rank
  std::vector<std::size_t> expected;                ///< bytes from each rank
  const char* name = "";
  /// Stage `stage` (from 0), given what the peers offer. Returns false where no other stage follows.
  std::function<bool(int stage, std::span<const std::byte* const> theirs)> work;
  /// What made the operation's bytes precedes it: not what the device is given while others go first.
  std::unique_ptr<DevicePoint> given = {};
};

/// Takes operations through their stages, one after the other in the order of adding, on every rank alike.
class PeerLine {
 public:
  /// `notices`: a group for this alone.
  PeerLine(Communicator& notices, Device& device, PeerAccess& access)
      : notices_(notices), device_(device), access_(access) {}

  std::uint64_t add(PeerOperation operation) {
    operation.given = device_.point();
    waiting_.push_back(std::move(operation));
    advance();
    return endedCount_ + waiting_.size();
  }
  bool isOver(std::uint64_t number) const { return number <= endedCount_; }
  /// Until the device was given all of the operation: what it is given from now on comes behind that. The next
  /// operation begins when the device has ended it, so that nobody sets a mark again that others may be waiting for.
  void wait(std::uint64_t number) {
    waitUntil(notices_, [&] {
      advance();
      return isOver(number) || isGiven(number);
    });
    if (!isOver(number)) access_.holdBack(ended);
  }
  void abandon() {
    notice_.reset();
    endedCount_ += waiting_.size();
    waiting_.clear();
    step_ = Step::begin;
  }

  void advance() {
    while (!waiting_.empty() && moveOn()) {
    }
  }

 private:
  enum class Step { begin, telling, ending };

  bool isGiven(std::uint64_t number) const { return step_ == Step::ending && number == endedCount_ + 1; }

  /// One step of the operation in front, where it can be taken now.
  bool moveOn() {
    switch (step_) {
      case Step::begin:
        access_.follow(waiting_.front().given.get());
        access_.mark(ready);
        stage_ = 0;
        isLast_ = false;
        theirs_.clear();
        tell(true);
        step_ = Step::telling;
        return true;
      case Step::telling:
        if (!notice_->done()) return false;
        notice_.reset();
        if (stage_ == 0) reachAll();
        step_ = beginNextStage() ? Step::telling : Step::ending;
        return true;
      case Step::ending:
        if (!access_.reached(ended)) return false;
        waiting_.pop_front();
        ++endedCount_;
        step_ = Step::begin;
        return true;
    }
    return false;
  }

  /// All peers have told that they set the mark of this stage. Returns whether there is more to tell.
  bool beginNextStage() {
    for (int peer = 0; peer < notices_.size(); ++peer) {
      if (peer != notices_.rank()) access_.waitFor(peer, ready + stage_);
    }
    if (isLast_) {
      access_.mark(ended);
      return false;
    }
    isLast_ = !waiting_.front().work(stage_, theirs_);
    ++stage_;
    access_.mark(ready + stage_);
    tell(false);
    return true;
  }

  /// Sends every peer its offer, or a word that a mark is set.
  void tell(bool offers) {
    const auto ranks = static_cast<std::size_t>(notices_.size());
    const auto me = static_cast<std::size_t>(notices_.rank());
    mine_.assign(ranks, {});
    told_.assign(ranks, {});
    std::vector<std::span<const std::byte>> out;
    std::vector<std::span<std::byte>> in;
    for (std::size_t peer = 0; peer < ranks; ++peer) {
      const auto bytes = waiting_.front().offered[peer];
      mine_[peer].bytes = bytes.size();
      if (offers && !bytes.empty() && peer != me) {
        mine_[peer].address = access_.addressOf(static_cast<int>(peer), bytes.data());
      }
      const std::size_t length = peer == me ? 0 : offers ? sizeof(Offer) : 1;
      out.push_back(std::as_bytes(std::span(&mine_[peer], 1)).first(length));
      in.push_back(std::as_writable_bytes(std::span(&told_[peer], 1)).first(length));
    }
    notice_ = notices_.startExchange(out, in);
  }

  void reachAll() {
    const PeerOperation& operation = waiting_.front();
    for (int rank = 0; rank < notices_.size(); ++rank) {
      const auto peer = static_cast<std::size_t>(rank);
      if (rank == notices_.rank()) {
        theirs_.push_back(operation.offered[peer].data());
        continue;
      }
      if (told_[peer].bytes != operation.expected[peer]) {
        throw Error(std::string(operation.name) + ": sizes do not match");
      }
      theirs_.push_back(told_[peer].bytes == 0 ? nullptr : access_.reach(rank, told_[peer].address));
    }
  }

  Communicator& notices_;
  Device& device_;
  PeerAccess& access_;
  std::deque<PeerOperation> waiting_;  ///< the one under way in front
  std::uint64_t endedCount_ = 0;
  Step step_ = Step::begin;
  int stage_ = 0;
  bool isLast_ = false;
  std::vector<Offer> mine_;
  std::vector<Offer> told_;
  std::vector<const std::byte*> theirs_;
  std::unique_ptr<Request> notice_;  ///< goes first
};

class PeerRequest final : public Request {
 public:
  PeerRequest(PeerLine& line, std::uint64_t number) : line_(line), number_(number) {}
  /// Waits, but not while an exception unwinds this rank, nor where its peers are gone: the memory goes with the
  /// caller, and whoever has it next uses it behind this.
  ~PeerRequest() override {
    if (std::uncaught_exceptions() > unwinding_) {
      line_.abandon();
      return;
    }
    try {
      line_.wait(number_);
    } catch (const Error&) {
      line_.abandon();
    }
  }
  PeerRequest(const PeerRequest&) = delete;
  PeerRequest& operator=(const PeerRequest&) = delete;

  bool done() override {
    line_.advance();
    return line_.isOver(number_);
  }
  void wait() override { line_.wait(number_); }

 private:
  int unwinding_ = std::uncaught_exceptions();
  PeerLine& line_;
  std::uint64_t number_;
};

/// Elements [begin, end) that a rank sums: whole cache lines but at the end.
std::pair<std::size_t, std::size_t> sliceOf(std::size_t elements, int rank, int ranks) {
  constexpr std::size_t line = 16;
  const auto cut = [&](int at) {
    const std::size_t even = elements * static_cast<std::size_t>(at) / static_cast<std::size_t>(ranks);
    return at == ranks ? elements : even / line * line;
  };
  return {cut(rank), cut(rank + 1)};
}

class PeerCommunicator final : public Communicator {
 public:
  PeerCommunicator(Communicator& messages, Device& device, std::unique_ptr<PeerAccess> access)
      : messages_(messages),
        device_(device),
        notices_(messages.split(0, messages.rank())),
        access_(std::move(access)),
        line_(*notices_, device_, *access_) {
    countWith(messages_);
    introduce();
  }
  PeerCommunicator(std::unique_ptr<Communicator> messages, Device& device, std::unique_ptr<PeerAccess> access)
      : PeerCommunicator(*messages, device, std::move(access)) {
    owned_ = std::move(messages);
  }
  ~PeerCommunicator() override { line_.abandon(); }
  PeerCommunicator(const PeerCommunicator&) = delete;
  PeerCommunicator& operator=(const PeerCommunicator&) = delete;

  bool reachesAll() const { return reachesAll_; }

  int rank() const override { return messages_.rank(); }
  int size() const override { return messages_.size(); }
  std::string_view route() const override { return "peers"; }

  void barrier() override { messages_.barrier(); }
  void allReduceSum(std::span<float> values) override {
    if (!onDevice(std::as_bytes(values))) return messages_.allReduceSum(values);
    startAllReduceSum(values)->wait();
  }
  void allReduceSum(std::span<double> values) override {
    if (!onDevice(std::as_bytes(values))) return messages_.allReduceSum(values);
    reduce(values, [this](auto parts, double* result, std::size_t count) {
      access_->sum(parts, result, count);
    })->wait();
  }
  void allReduceMax(std::span<double> values) override {
    if (!onDevice(std::as_bytes(values))) return messages_.allReduceMax(values);
    reduce(values, [this](auto parts, double* result, std::size_t count) {
      access_->maximum(parts, result, count);
    })->wait();
  }
  std::unique_ptr<Request> startAllReduceSum(std::span<float> values) override {
    if (!onDevice(std::as_bytes(values))) return messages_.startAllReduceSum(values);
    return reduce(values, [this](auto parts, float* result, std::size_t count) { access_->sum(parts, result, count); });
  }

  std::unique_ptr<Request> startExchange(std::span<const std::span<const std::byte>> out,
                                         std::span<const std::span<std::byte>> in) override {
    const auto empty = [](const auto& part) { return part.empty(); };
    const bool nothing = std::ranges::all_of(out, empty) && std::ranges::all_of(in, empty);
    if (!nothing && !areOfDevice(device_, "startExchange", out, in)) return messages_.startExchange(out, in);
    return take({out.begin(), out.end()}, {in.begin(), in.end()}, "startExchange");
  }

  void broadcast(std::span<std::byte> bytes, int root) override {
    if (!onDevice(bytes)) return messages_.broadcast(bytes, root);
    std::vector<std::span<std::byte>> in(static_cast<std::size_t>(size()));
    if (rank() != root) in[static_cast<std::size_t>(root)] = bytes;
    take(toEverybody(rank() == root ? bytes : std::span<std::byte>{}), std::move(in), "broadcast")->wait();
  }

  void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    if (all.size() != mine.size() * static_cast<std::size_t>(size())) throw Error("allGather: sizes do not match");
    if (!areOfDevice(device_, "allGather", std::array{mine}, std::array{all})) return messages_.allGather(mine, all);
    std::vector<std::span<std::byte>> in;
    for (std::size_t part = 0; part < static_cast<std::size_t>(size()); ++part) {
      in.push_back(all.subspan(part * mine.size(), mine.size()));
    }
    take(toEverybody(mine), std::move(in), "allGather")->wait();
  }

  void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) override {
    if (!onDevice(all)) return messages_.allGatherInPlace(all, offsets);
    auto in = partsOf(all, offsets);
    const std::span<const std::byte> mine = in[static_cast<std::size_t>(rank())];
    take(toEverybody(mine), std::move(in), "allGatherInPlace")->wait();
  }

  void allToAll(std::span<const std::byte> out, std::span<const std::size_t> outOffsets, std::span<std::byte> in,
                std::span<const std::size_t> inOffsets) override {
    const bool nothing = out.empty() && in.empty();
    if (!nothing && !areOfDevice(device_, "allToAll", std::array{out}, std::array{in})) {
      return messages_.allToAll(out, outOffsets, in, inOffsets);
    }
    take(partsOf(out, outOffsets), partsOf(in, inOffsets), "allToAll")->wait();
  }

  /// Through the host: of operations that are not collective, ranks have no common order.
  void sendReceive(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) override {
    std::vector<std::byte> sent(onDevice(out) ? out.size() : 0);
    std::vector<std::byte> received(onDevice(in) ? in.size() : 0);
    if (onDevice(out)) device_.copyOut(sent, out);
    messages_.sendReceive(onDevice(out) ? std::span<const std::byte>(sent) : out, to,
                          onDevice(in) ? std::span<std::byte>(received) : in, from);
    if (onDevice(in)) device_.copyIn(in, received);
  }

  std::unique_ptr<Communicator> split(int colour, int key) override {
    return std::make_unique<PeerCommunicator>(messages_.split(colour, key), device_, device_.peerAccess());
  }

  std::unique_ptr<SharedBuffer> allocateShared(std::size_t) override { return nullptr; }

  void poll() override {
    line_.advance();
    messages_.poll();
  }

 private:
  bool onDevice(std::span<const std::byte> bytes) const { return isOfDevice(device_, bytes); }

  std::vector<std::span<const std::byte>> toEverybody(std::span<const std::byte> mine) const {
    return std::vector<std::span<const std::byte>>(static_cast<std::size_t>(size()), mine);
  }

  template <class Byte>
  static std::vector<std::span<Byte>> partsOf(std::span<Byte> all, std::span<const std::size_t> offsets) {
    std::vector<std::span<Byte>> parts;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      parts.push_back(all.subspan(offsets[i], offsets[i + 1] - offsets[i]));
    }
    return parts;
  }

  /// All introductions are equally long.
  void introduce() {
    const std::vector<std::byte> mine = access_->introduction();
    std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(size()));
    notices_->allGather(mine, all);
    std::vector<std::vector<std::byte>> each;
    for (std::size_t start = 0; start < all.size(); start += mine.size()) {
      const auto part = std::span(all).subspan(start, mine.size());
      each.emplace_back(part.begin(), part.end());
    }
    reachesAll_ = access_->meet(each);
  }

  static std::vector<std::size_t> sizesOf(const std::vector<std::span<std::byte>>& parts) {
    std::vector<std::size_t> sizes;
    for (const auto& part : parts) sizes.push_back(part.size());
    return sizes;
  }

  /// Everybody takes what the others offer. A rank's own part is copied where there is room.
  std::unique_ptr<Request> take(std::vector<std::span<const std::byte>> out, std::vector<std::span<std::byte>> in,
                                const char* name) {
    const auto me = static_cast<std::size_t>(rank());
    if (!in[me].empty() && in[me].size() != out[me].size()) throw Error(std::string(name) + ": sizes do not match");
    PeerOperation operation{std::move(out), sizesOf(in), name, {}};
    operation.work = [this, in = std::move(in)](int, std::span<const std::byte* const> theirs) {
      for (std::size_t step = 0; step < in.size(); ++step) {
        const std::size_t peer = (static_cast<std::size_t>(rank()) + step) % in.size();
        if (!in[peer].empty() && in[peer].data() != theirs[peer]) {
          access_->copy(in[peer].data(), theirs[peer], in[peer].size());
        }
      }
      return false;
    };
    return std::make_unique<PeerRequest>(line_, line_.add(std::move(operation)));
  }

  /// Stage 0: this rank's slice over all ranks, into its own memory, where nobody else reads it. Stage 1: the other
  /// slices from their owners, into parts that those have read already.
  template <class T, class Combine>
  std::unique_ptr<Request> reduce(std::span<T> values, Combine combine) {
    const std::span<std::byte> bytes = std::as_writable_bytes(values);
    const auto ranks = static_cast<std::size_t>(size());
    PeerOperation operation{std::vector<std::span<const std::byte>>(ranks, bytes),
                            std::vector<std::size_t>(ranks, bytes.size()),
                            "allReduce",
                            {}};
    operation.work = [this, values, combine](int stage, std::span<const std::byte* const> theirs) {
      if (stage == 0) {
        combineSlice(values, theirs, combine);
      } else {
        takeSlices(values, theirs);
      }
      return stage == 0;
    };
    return std::make_unique<PeerRequest>(line_, line_.add(std::move(operation)));
  }

  template <class T, class Combine>
  void combineSlice(std::span<T> values, std::span<const std::byte* const> theirs, Combine& combine) {
    const auto [begin, end] = sliceOf(values.size(), rank(), size());
    if (begin == end) return;
    std::vector<const T*> parts;
    for (const std::byte* part : theirs) parts.push_back(reinterpret_cast<const T*>(part) + begin);
    combine(std::span<const T* const>(parts), values.data() + begin, end - begin);
  }

  template <class T>
  void takeSlices(std::span<T> values, std::span<const std::byte* const> theirs) {
    for (int step = 1; step < size(); ++step) {
      const int peer = (rank() + step) % size();
      const auto [begin, end] = sliceOf(values.size(), peer, size());
      const auto mine = std::as_writable_bytes(values.subspan(begin, end - begin));
      if (mine.empty()) continue;
      access_->copy(mine.data(), theirs[static_cast<std::size_t>(peer)] + begin * sizeof(T), mine.size());
    }
  }

  bool reachesAll_ = false;
  std::unique_ptr<Communicator> owned_;  ///< goes last
  Communicator& messages_;
  Device& device_;
  std::unique_ptr<Communicator> notices_;
  std::unique_ptr<PeerAccess> access_;
  PeerLine line_;
};

}  // namespace

std::unique_ptr<Communicator> reachPeers(Communicator& messages, Device& device) {
  auto access = device.peerAccess();
  if (!onEveryRank(access != nullptr, messages)) return nullptr;
  auto communicator = std::make_unique<PeerCommunicator>(messages, device, std::move(access));
  if (!onEveryRank(communicator->reachesAll(), messages)) return nullptr;
  return communicator;
}

}  // namespace slipstream
