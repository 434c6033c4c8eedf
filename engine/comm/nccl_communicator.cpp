// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/nccl_communicator.h"

#include <exception>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/comm/nccl_library.h"
#include "engine/comm/nccl_version.h"
#include "engine/comm/on_every_rank.h"
#include "engine/comm/stream_communicator.h"
#include "engine/cuda/cuda_device.h"
#include "engine/cuda/cuda_queue.h"

namespace slipstream {
namespace {

/// With what NCCL itself says of the cause, which its results do not name: "unhandled system error" is a socket, a
/// memory that is too small, a driver. `of` is null where the ranks have not joined yet. Empty where nothing is wrong.
std::string problemOf(ncclResult_t result, const char* what, ncclComm_t of = nullptr) {
  if (result == ncclSuccess || result == ncclInProgress) return "";
  const std::string cause = ncclLibrary().getLastError(of);
  return std::string("NCCL: ") + what + ": " + ncclLibrary().getErrorString(result) +
         (cause.empty() ? "" : ": " + trim(cause));
}

void check(ncclResult_t result, const char* what, ncclComm_t of = nullptr) {
  if (const std::string problem = problemOf(result, what, of); !problem.empty()) throw Error(problem);
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
  /// Throws NotJoined, on every rank alike, where one of them cannot join. (One that NCCL leaves waiting for a rank
  /// that has given up hangs, and the run ends.)
  explicit NcclRanks(Communicator& messages) {
    ncclUniqueId id{};
    joinOrThrow(messages.rank() == 0 ? problemOf(ncclLibrary().getUniqueId(&id), "make an id") : "", messages);
    messages.broadcast(std::as_writable_bytes(std::span(&id, 1)), 0);
    const std::string problem =
        problemOf(ncclLibrary().initRank(&handle_, messages.size(), id, messages.rank()), "join the ranks' GPUs");
    try {
      joinOrThrow(problem, messages);
    } catch (const NotJoined&) {
      if (problem.empty()) ncclLibrary().abort(handle_);
      cudaGetLastError();  // or the next launch of a kernel would take NCCL's failure for its own
      throw;
    }
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
    check(ncclLibrary().getAsyncError(handle_, &state), "ask how the ranks' GPUs are", handle_);
    check(state, "exchange between GPUs", handle_);
  }

 private:
  int unwinding_ = std::uncaught_exceptions();
  ncclComm_t handle_ = nullptr;
};

/// The host waits for nothing: what the device is given behind wait() comes behind the exchange. A peer that has died
/// ends the job (mpirun); what NCCL itself finds wrong shows in the next exchange.
class NcclRequest final : public Request {
 public:
  NcclRequest(CudaEvent ended, const NcclRanks& ranks, cudaStream_t device)
      : ended_(std::move(ended)), ranks_(ranks), device_(device) {}
  /// The memory may go: whoever has it next uses it behind this. Not while an exception unwinds this rank: the others
  /// may never come.
  ~NcclRequest() override {
    if (!waited_ && std::uncaught_exceptions() == unwinding_) cudaStreamWaitEvent(device_, ended_.handle(), 0);
  }
  NcclRequest(const NcclRequest&) = delete;
  NcclRequest& operator=(const NcclRequest&) = delete;

  bool done() override {
    ranks_.checkAlive();
    return ended_.done();
  }
  void wait() override {
    ended_.holdBack(device_);
    waited_ = true;
  }

 private:
  int unwinding_ = std::uncaught_exceptions();
  CudaEvent ended_;
  const NcclRanks& ranks_;
  cudaStream_t device_;
  bool waited_ = false;
};

std::string versionOfNccl() {
  int version = 0;
  check(ncclLibrary().getVersion(&version), "tell its version");
  return "nccl " + ncclVersionText(version);
}

/// One stream carries all groups of a rank, in the order in which exchanges are started, which is the same on every
/// rank: operations of two groups that ran side by side could wait for each other.
class NcclCollectives final : public StreamCollectives {
 public:
  NcclCollectives(Communicator& messages, Device& device, std::shared_ptr<CudaStream> stream)
      : ofDevice_(cudaQueue(device.queue()).stream()), stream_(std::move(stream)), ranks_(messages) {}

  std::unique_ptr<Request> started(const std::function<void()>& give) override {
    ranks_.checkAlive();
    CudaEvent before;
    before.record(ofDevice_);
    before.holdBack(stream());
    give();
    CudaEvent ended;
    ended.record(stream());
    return std::make_unique<NcclRequest>(std::move(ended), ranks_, ofDevice_);
  }

  void allReduceSum(std::span<float> values) override {
    giveReduction(values.data(), values.size(), ncclFloat32, ncclSum);
  }
  void broadcast(std::span<std::byte> bytes, int root) override {
    check(ncclLibrary().broadcast(bytes.data(), bytes.data(), bytes.size(), ncclInt8, root, ranks_.handle(), stream()),
          "broadcast");
  }
  void allGather(std::span<const std::byte> mine, std::byte* all) override {
    check(ncclLibrary().allGather(mine.data(), all, mine.size(), ncclInt8, ranks_.handle(), stream()), "gather to all");
  }
  void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) override {
    NcclGroup group;
    for (std::size_t root = 0; root + 1 < offsets.size(); ++root) {
      const std::size_t bytes = offsets[root + 1] - offsets[root];
      if (bytes > 0) broadcast(all.subspan(offsets[root], bytes), static_cast<int>(root));
    }
    group.end();
  }
  void exchange(std::span<const PeerMessage> messages) override {
    NcclGroup group;
    for (const PeerMessage& message : messages) {
      const auto give =
          message.goesOut
              ? ncclLibrary().send(message.bytes, message.count, ncclInt8, message.peer, ranks_.handle(), stream())
              : ncclLibrary().receive(message.bytes, message.count, ncclInt8, message.peer, ranks_.handle(), stream());
      check(give, message.goesOut ? "send to a peer" : "receive from a peer");
    }
    group.end();
  }
  void copy(std::span<std::byte> to, std::span<const std::byte> from) override {
    checkCuda(cudaMemcpyAsync(to.data(), from.data(), to.size(), cudaMemcpyDeviceToDevice, stream()),
              "copy a rank's own part");
  }

  void reduce(std::span<double> values, bool maximum) override {
    started([&] { giveReduction(values.data(), values.size(), ncclFloat64, maximum ? ncclMax : ncclSum); })->wait();
  }
  void checkAlive() override { ranks_.checkAlive(); }

 private:
  cudaStream_t stream() const { return static_cast<cudaStream_t>(stream_->handle()); }
  void giveReduction(void* values, std::size_t count, ncclDataType_t type, ncclRedOp_t operation) {
    check(ncclLibrary().allReduce(values, values, count, type, operation, ranks_.handle(), stream()), "reduce to all");
  }

  cudaStream_t ofDevice_;
  std::shared_ptr<CudaStream> stream_;  ///< goes after the ranks, whose work is on it
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
  return std::make_unique<StreamCommunicator>(
      messages, device, routeOfLibrary(messages, versionOfNccl(), {"NCCL_ALGO", "NCCL_PROTO", "NCCL_NVLS_ENABLE"}),
      [stream = std::make_shared<CudaStream>()](Communicator& ranks, Device& own) {
        return std::make_unique<NcclCollectives>(ranks, own, stream);
      });
}

}  // namespace slipstream
