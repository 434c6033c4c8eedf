// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/nccl_communicator.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/comm/nccl_library.h"
#include "engine/comm/waiting.h"
#include "engine/device/cuda/cuda_device.h"
#include "engine/device/cuda/stream.h"

namespace slipstream {
namespace {

void check(ncclResult_t result, const char* what) {
  if (result == ncclSuccess || result == ncclInProgress) return;
  throw Error(std::string("NCCL: ") + what + ": " + ncclLibrary().getErrorString(result));
}

/// What is given to NCCL between its making and end() goes as one operation. Where an exception comes between, the
/// group stays open: the job is about to end.
class NcclGroup {
 public:
  NcclGroup() { check(ncclLibrary().groupStart(), "begin a group of messages"); }
  void end() { check(ncclLibrary().groupEnd(), "end a group of messages"); }
};

/// A group of ranks as NCCL knows it.
class NcclRanks {
 public:
  explicit NcclRanks(Communicator& messages) {
    ncclUniqueId id{};
    if (messages.rank() == 0) check(ncclLibrary().getUniqueId(&id), "make an id");
    messages.broadcast(std::as_writable_bytes(std::span(&id, 1)), 0);
    check(ncclLibrary().initRank(&handle_, messages.size(), id, messages.rank()), "join the ranks' GPUs");
  }
  /// Destroying waits for the others, who may never come where an exception unwinds this rank.
  ~NcclRanks() {
    if (std::uncaught_exceptions() > unwinding_) {
      ncclLibrary().abort(handle_);
    } else {
      ncclLibrary().destroy(handle_);
    }
  }
  NcclRanks(const NcclRanks&) = delete;
  NcclRanks& operator=(const NcclRanks&) = delete;

  ncclComm_t handle() const { return handle_; }
  void checkAlive() const {
    ncclResult_t state = ncclSuccess;
    check(ncclLibrary().getAsyncError(handle_, &state), "ask how the ranks' GPUs are");
    check(state, "exchange between GPUs");
  }

 private:
  int unwinding_ = std::uncaught_exceptions();
  ncclComm_t handle_ = nullptr;
};

class NcclRequest final : public Request {
 public:
  NcclRequest(CudaEvent ended, const NcclRanks& ranks, Communicator& messages)
      : ended_(std::move(ended)), ranks_(ranks), messages_(messages) {}
  /// Waits, but not while an exception unwinds this rank: the others may never come.
  ~NcclRequest() override {
    if (std::uncaught_exceptions() == unwinding_) cudaEventSynchronize(ended_.handle());
  }
  NcclRequest(const NcclRequest&) = delete;
  NcclRequest& operator=(const NcclRequest&) = delete;

  bool done() override {
    ranks_.checkAlive();
    return ended_.done();
  }
  void wait() override {
    waitUntil(messages_, [&] { return done(); });
  }

 private:
  int unwinding_ = std::uncaught_exceptions();
  CudaEvent ended_;
  const NcclRanks& ranks_;
  Communicator& messages_;
};

/// Nothing to wait for.
class NoRequest final : public Request {
 public:
  bool done() override { return true; }
  void wait() override {}
};

class NcclCommunicator final : public Communicator {
 public:
  NcclCommunicator(Communicator& messages, Device& device) : messages_(messages), device_(device), ranks_(messages) {
    countWith(messages_);
  }
  NcclCommunicator(std::unique_ptr<Communicator> messages, Device& device) : NcclCommunicator(*messages, device) {
    owned_ = std::move(messages);
  }

  int rank() const override { return messages_.rank(); }
  int size() const override { return messages_.size(); }
  std::string_view route() const override { return "nccl"; }

  void barrier() override { messages_.barrier(); }
  void allReduceSum(std::span<float> values) override {
    if (!onDevice(std::as_bytes(values))) return messages_.allReduceSum(values);
    startAllReduceSum(values)->wait();
  }
  void allReduceSum(std::span<double> values) override {
    if (!onDevice(std::as_bytes(values))) return messages_.allReduceSum(values);
    reduce(values.data(), values.size(), ncclFloat64, ncclSum)->wait();
  }
  void allReduceMax(std::span<double> values) override {
    if (!onDevice(std::as_bytes(values))) return messages_.allReduceMax(values);
    reduce(values.data(), values.size(), ncclFloat64, ncclMax)->wait();
  }
  std::unique_ptr<Request> startAllReduceSum(std::span<float> values) override {
    if (!onDevice(std::as_bytes(values))) return messages_.startAllReduceSum(values);
    return reduce(values.data(), values.size(), ncclFloat32, ncclSum);
  }

  std::unique_ptr<Request> startExchange(std::span<const std::span<const std::byte>> out,
                                         std::span<const std::span<std::byte>> in) override {
    const auto ofHost = [&](const auto& part) { return !part.empty() && !onDevice(part); };
    if (std::ranges::any_of(out, ofHost) || std::ranges::any_of(in, ofHost)) return messages_.startExchange(out, in);
    const auto empty = [](const auto& part) { return part.empty(); };
    if (std::ranges::all_of(out, empty) && std::ranges::all_of(in, empty)) return std::make_unique<NoRequest>();
    return started([&] {
      keepOwn(out[index(rank())], in[index(rank())]);
      NcclGroup group;
      for (int step = 1; step < size(); ++step) {
        const int to = (rank() + step) % size();
        const int from = (rank() + size() - step) % size();
        send(out[index(to)], to);
        receive(in[index(from)], from);
      }
      group.end();
    });
  }

  void broadcast(std::span<std::byte> bytes, int root) override {
    if (!onDevice(bytes)) return messages_.broadcast(bytes, root);
    started([&] {
      check(
          ncclLibrary().broadcast(bytes.data(), bytes.data(), bytes.size(), ncclInt8, root, ranks_.handle(), stream()),
          "broadcast");
    })->wait();
  }

  void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    if (all.size() != mine.size() * index(size())) throw Error("allGather: sizes do not match");
    if (!onDevice(mine) || !onDevice(all)) return messages_.allGather(mine, all);
    started([&] {
      check(ncclLibrary().allGather(mine.data(), all.data(), mine.size(), ncclInt8, ranks_.handle(), stream()),
            "gather to all");
    })->wait();
  }

  void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) override {
    if (!onDevice(all)) return messages_.allGatherInPlace(all, offsets);
    started([&] {
      NcclGroup group;
      for (int root = 0; root < size(); ++root) {
        std::byte* const part = all.data() + offsets[index(root)];
        const std::size_t bytes = offsets[index(root) + 1] - offsets[index(root)];
        if (bytes == 0) continue;
        check(ncclLibrary().broadcast(part, part, bytes, ncclInt8, root, ranks_.handle(), stream()),
              "gather to all in place");
      }
      group.end();
    })->wait();
  }

  void allToAll(std::span<const std::byte> out, std::span<const std::size_t> outOffsets, std::span<std::byte> in,
                std::span<const std::size_t> inOffsets) override {
    std::vector<std::span<const std::byte>> outs;
    std::vector<std::span<std::byte>> ins;
    for (std::size_t peer = 0; peer < index(size()); ++peer) {
      outs.push_back(out.subspan(outOffsets[peer], outOffsets[peer + 1] - outOffsets[peer]));
      ins.push_back(in.subspan(inOffsets[peer], inOffsets[peer + 1] - inOffsets[peer]));
    }
    startExchange(outs, ins)->wait();
  }

  void sendReceive(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) override {
    if ((!out.empty() && !onDevice(out)) || (!in.empty() && !onDevice(in))) {
      return messages_.sendReceive(out, to, in, from);
    }
    started([&] {
      NcclGroup group;
      send(out, to);
      receive(in, from);
      group.end();
    })->wait();
  }

  std::unique_ptr<Communicator> split(int colour, int key) override {
    return std::make_unique<NcclCommunicator>(messages_.split(colour, key), device_);
  }

  std::unique_ptr<SharedBuffer> allocateShared(std::size_t) override { return nullptr; }

  void poll() override {
    ranks_.checkAlive();
    messages_.poll();
  }

 private:
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
  bool onDevice(std::span<const std::byte> bytes) const { return !bytes.empty() && device_.holds(bytes.data()); }
  cudaStream_t stream() const { return static_cast<cudaStream_t>(stream_.handle()); }

  /// `give` hands operations to NCCL, behind what the device was given before.
  template <class Give>
  std::unique_ptr<Request> started(Give&& give) {
    countOperation();
    CudaEvent before;
    before.record(kernelStream());
    before.holdBack(stream());
    give();
    CudaEvent ended;
    ended.record(stream());
    return std::make_unique<NcclRequest>(std::move(ended), ranks_, messages_);
  }

  std::unique_ptr<Request> reduce(void* values, std::size_t count, ncclDataType_t type, ncclRedOp_t operation) {
    return started([&] {
      check(ncclLibrary().allReduce(values, values, count, type, operation, ranks_.handle(), stream()),
            "reduce to all");
    });
  }

  void send(std::span<const std::byte> bytes, int to) {
    if (bytes.empty()) return;
    check(ncclLibrary().send(bytes.data(), bytes.size(), ncclInt8, to, ranks_.handle(), stream()), "send to a peer");
  }
  void receive(std::span<std::byte> bytes, int from) {
    if (bytes.empty()) return;
    check(ncclLibrary().receive(bytes.data(), bytes.size(), ncclInt8, from, ranks_.handle(), stream()),
          "receive from a peer");
  }
  void keepOwn(std::span<const std::byte> from, std::span<std::byte> to) {
    if (to.empty() || to.data() == from.data()) return;
    if (to.size() != from.size()) throw Error("startExchange: sizes do not match");
    checkCuda(cudaMemcpyAsync(to.data(), from.data(), to.size(), cudaMemcpyDeviceToDevice, stream()),
              "copy a rank's own part");
  }

  std::unique_ptr<Communicator> owned_;  ///< goes last
  Communicator& messages_;
  Device& device_;
  CudaStream stream_;  ///< goes after the ranks, whose work is on it
  NcclRanks ranks_;
};

}  // namespace

Status ncclIsThere() {
  const auto& library = findNccl();
  return library ? Status() : Status(tl::unexpected(library.error()));
}

std::unique_ptr<Communicator> joinNccl(Communicator& messages, Device& device) {
  ncclLibrary();         // before any rank waits for the others
  device.synchronize();  // only to select its GPU for this thread: the stream below is none that it waits for
  return std::make_unique<NcclCommunicator>(messages, device);
}

}  // namespace slipstream
