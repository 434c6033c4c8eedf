// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/hccl_communicator.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/comm/hccl_library.h"
#include "engine/comm/on_every_rank.h"
#include "engine/comm/stream_communicator.h"
#include "engine/npu/npu_device.h"

namespace slipstream {
namespace {

/// Empty where nothing is wrong.
std::string problemOf(HcclResult result, const char* what) {
  if (result == hccl::success) return "";
  const char* words = hcclLibrary().errorString(result);
  return std::string("HCCL: ") + what + ": " + (words == nullptr ? "no reason was given" : words) + " (" +
         std::to_string(result) + ")";
}

void checkHccl(HcclResult result, const char* what) {
  if (const std::string problem = problemOf(result, what); !problem.empty()) throw Error(problem);
}

/// A group of ranks as HCCL knows it.
class HcclRanks {
 public:
  /// Throws NotJoined, on every rank alike, where one of them cannot join. A rank that could keeps its part until the
  /// process ends: to destroy it could mean to wait for the others.
  explicit HcclRanks(Communicator& messages) {
    HcclRootInfo root{};
    joinOrThrow(messages.rank() == 0 ? problemOf(hcclLibrary().rootInfo(&root), "make an id") : "", messages);
    messages.broadcast(std::as_writable_bytes(std::span(&root, 1)), 0);
    joinOrThrow(problemOf(hcclLibrary().initRank(static_cast<std::uint32_t>(messages.size()), &root,
                                                 static_cast<std::uint32_t>(messages.rank()), &handle_),
                          "join the ranks' NPUs"),
                messages);
  }
  /// Destroying waits for the others, who may never come where an exception unwinds this rank: the job is about to end.
  ~HcclRanks() {
    if (!unwinding_.begun()) hcclLibrary().destroy(handle_);
  }
  HcclRanks(const HcclRanks&) = delete;
  HcclRanks& operator=(const HcclRanks&) = delete;

  HcclComm handle() const { return handle_; }
  void checkAlive() const {
    HcclResult state = hccl::success;
    checkHccl(hcclLibrary().asyncError(handle_, &state), "ask how the ranks' NPUs are");
    checkHccl(state, "exchange between NPUs");
  }

 private:
  Unwinding unwinding_;
  HcclComm handle_ = nullptr;
};

/// The host waits for nothing: what the device is given behind wait() comes behind the exchange. A peer that has died
/// ends the job (mpirun); what HCCL itself finds wrong shows in the next exchange.
class HcclRequest final : public Request {
 public:
  HcclRequest(AclEvent before, AclEvent ended, const HcclRanks& ranks, std::shared_ptr<NpuStreams> device)
      : before_(std::move(before)), ended_(std::move(ended)), ranks_(ranks), device_(std::move(device)) {}
  /// The memory may go: whoever has it next uses it behind this. Not while an exception unwinds this rank: the others
  /// may never come.
  ~HcclRequest() override {
    if (unwinding_.begun()) return;
    if (!waited_) aclLibrary().streamWaitEvent(device_->work.handle(), ended_.handle());
    device_->retire(std::move(before_));
    device_->retire(std::move(ended_));
  }
  HcclRequest(const HcclRequest&) = delete;
  HcclRequest& operator=(const HcclRequest&) = delete;

  bool done() override {
    ranks_.checkAlive();
    return ended_.done();
  }
  void wait() override {
    ended_.holdBack(device_->work.handle());
    waited_ = true;
  }

 private:
  Unwinding unwinding_;
  AclEvent before_;  ///< has been passed where the other one has
  AclEvent ended_;
  const HcclRanks& ranks_;
  std::shared_ptr<NpuStreams> device_;
  bool waited_ = false;
};

/// One stream carries all groups of a rank, in the order in which exchanges are started, which is the same on every
/// rank: operations of two groups that ran side by side could wait for each other.
class HcclCollectives final : public StreamCollectives {
 public:
  HcclCollectives(Communicator& messages, Device& device, std::shared_ptr<AclStream> stream)
      : messages_(messages),
        device_(device),
        streams_(aclQueueOf(device).streams()),
        stream_(std::move(stream)),
        ranks_(messages) {}
  /// HCCL's group goes when its work has ended, but not while an exception unwinds this rank.
  ~HcclCollectives() override {
    if (!unwinding_.begun()) aclLibrary().synchronizeStream(stream_->handle());
  }
  HcclCollectives(const HcclCollectives&) = delete;
  HcclCollectives& operator=(const HcclCollectives&) = delete;

  std::unique_ptr<Request> started(const std::function<void()>& give) override {
    ranks_.checkAlive();
    AclEvent before;
    before.record(streams_->work.handle());
    before.holdBack(stream());
    give();
    AclEvent ended;
    ended.record(stream());
    return std::make_unique<HcclRequest>(std::move(before), std::move(ended), ranks_, streams_);
  }

  void allReduceSum(std::span<float> values) override {
    checkHccl(hcclLibrary().allReduce(values.data(), values.data(), values.size(), hccl::float32, hccl::sum,
                                      ranks_.handle(), stream()),
              "reduce to all");
  }
  void broadcast(std::span<std::byte> bytes, int root) override {
    checkHccl(hcclLibrary().broadcast(bytes.data(), bytes.size(), hccl::int8, static_cast<std::uint32_t>(root),
                                      ranks_.handle(), stream()),
              "broadcast");
  }
  void allGather(std::span<const std::byte> mine, std::byte* all) override {
    checkHccl(hcclLibrary().allGather(const_cast<std::byte*>(mine.data()), all, mine.size(), hccl::int8,
                                      ranks_.handle(), stream()),
              "gather to all");
  }
  /// Each part to everybody: HCCL gathers equal parts only, and not in place.
  void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) override {
    const auto part = [&](int rank) {
      const auto at = static_cast<std::size_t>(rank);
      return all.subspan(offsets[at], offsets[at + 1] - offsets[at]);
    };
    std::vector<PeerMessage> messages;
    const auto mine = part(messages_.rank());
    for (int step = 1; step < messages_.size(); ++step) {
      const int to = (messages_.rank() + step) % messages_.size();
      const int from = (messages_.rank() + messages_.size() - step) % messages_.size();
      if (!mine.empty()) messages.push_back({mine.data(), mine.size(), to, true});
      if (const auto theirs = part(from); !theirs.empty())
        messages.push_back({theirs.data(), theirs.size(), from, false});
    }
    exchange(messages);
  }
  /// HCCL knows no messages of a rank to itself.
  void exchange(std::span<const PeerMessage> messages) override {
    std::vector<HcclSendRecvItem> items;
    PeerMessage kept{};
    for (const PeerMessage& message : messages) {
      if (message.peer != messages_.rank()) {
        items.push_back({message.goesOut ? hccl::sends : hccl::receives, message.bytes, message.count, hccl::int8,
                         static_cast<std::uint32_t>(message.peer)});
      } else if (kept.bytes == nullptr) {
        kept = message;
      } else {
        const PeerMessage& from = message.goesOut ? message : kept;
        const PeerMessage& to = message.goesOut ? kept : message;
        copy({to.bytes, to.count}, {from.bytes, from.count});
      }
    }
    if (items.empty()) return;
    checkHccl(hcclLibrary().exchange(items.data(), static_cast<std::uint32_t>(items.size()), ranks_.handle(), stream()),
              "exchange with peers");
  }
  void copy(std::span<std::byte> to, std::span<const std::byte> from) override {
    aclQueueOf(device_).copyOn(stream(), to, from);
  }

  /// Everybody's values come to the host, where they are combined in the order of the ranks.
  void reduce(std::span<double> values, bool maximum) override {
    const auto ranks = static_cast<std::size_t>(messages_.size());
    const auto all = device_.allocate(ranks * values.size_bytes(), MemoryCategory::boost);
    started([&] { allGather(std::as_bytes(values), all->bytes().data()); })->wait();
    const std::vector<double> gathered = readValues(device_, std::span<const double>(all->as<double>()));
    std::vector<double> result(gathered.begin(), gathered.begin() + std::ssize(values));
    for (std::size_t i = values.size(); i < gathered.size(); ++i) {
      double& value = result[i % values.size()];
      value = maximum ? largerOrNan(value, gathered[i]) : value + gathered[i];
    }
    writeValues(device_, values, result);
  }
  void checkAlive() override { ranks_.checkAlive(); }

 private:
  static double largerOrNan(double one, double other) { return std::isnan(one) || one > other ? one : other; }

  aclrtStream stream() const { return stream_->handle(); }

  Unwinding unwinding_;
  Communicator& messages_;
  Device& device_;
  std::shared_ptr<NpuStreams> streams_;
  std::shared_ptr<AclStream> stream_;  ///< goes after the ranks, whose work is on it
  HcclRanks ranks_;
};

std::string versionOfHccl() {
  aclCANNPackageVersion version{};
  checkAcl(aclLibrary().version(acl::packageHccl, &version), "ask for HCCL's version");
  return std::string("hccl ") + version.version;
}

}  // namespace

Status hcclIsThere() {
  const auto& library = findHccl();
  return library ? Status() : Status(tl::unexpected(library.error()));
}

std::unique_ptr<Communicator> joinHccl(Communicator& messages, Device& device) {
  device.synchronize();  // selects its NPU for this thread
  joinOrThrow(problemOf(hcclLibrary().setConfig(hccl::deterministic, {1}), "ask for an order that stays"), messages);
  return std::make_unique<StreamCommunicator>(
      messages, device, routeOfLibrary(messages, versionOfHccl(), {"HCCL_ALGO", "HCCL_OP_EXPANSION_MODE"}),
      [stream = std::make_shared<AclStream>()](Communicator& ranks, Device& own) {
        return std::make_unique<HcclCollectives>(ranks, own, stream);
      });
}

}  // namespace slipstream
