// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/mpi_communicator.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include <mpi.h>
#include <sys/statvfs.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/comm/mapped_files.h"

namespace slipstream {
namespace {

/// MPI counts are ints: longer arrays go in blocks.
constexpr std::size_t blockElements = std::size_t{1} << 30;

void check(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw Error(std::string("MPI: ") + what + ": " + std::string(text, static_cast<std::size_t>(length)));
}

int toCount(std::size_t elements, const char* what) {
  if (elements > static_cast<std::size_t>(INT_MAX)) throw Error(std::string(what) + ": a part is larger than 2 GB");
  return static_cast<int>(elements);
}

template <class T>
MPI_Datatype typeOf();
template <>
MPI_Datatype typeOf<float>() {
  return MPI_FLOAT;
}
template <>
MPI_Datatype typeOf<double>() {
  return MPI_DOUBLE;
}

class MpiRequest final : public Request {
 public:
  explicit MpiRequest(std::vector<MPI_Request> requests) : requests_(std::move(requests)) {}
  /// Waits, but not while an exception unwinds this rank: the others may never come, and the job is about to end.
  ~MpiRequest() override {
    if (std::uncaught_exceptions() > unwinding_) return;
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }
  MpiRequest(const MpiRequest&) = delete;
  MpiRequest& operator=(const MpiRequest&) = delete;

  bool done() override {
    int ended = 0;
    check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &ended, MPI_STATUSES_IGNORE),
          "test a started sum");
    return ended != 0;
  }
  void wait() override {
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "wait for a started sum");
  }

 private:
  int unwinding_ = std::uncaught_exceptions();
  std::vector<MPI_Request> requests_;
};

class MpiSharedBuffer final : public SharedBuffer {
 public:
  static constexpr std::size_t alignment = 64;

  /// Takes over `window`, made with `bytes` + alignment a rank, and the communicator that it was made on.
  MpiSharedBuffer(MPI_Win window, MPI_Comm host, std::size_t bytes) : window_(window), host_(host) {
    int ranks = 0;
    MPI_Comm_size(host_, &ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      MPI_Aint size = 0;
      int unit = 0;
      void* start = nullptr;
      check(MPI_Win_shared_query(window_, rank, &size, &unit, &start), "find a rank's part of a shared window");
      std::size_t room = static_cast<std::size_t>(size);
      parts_.emplace_back(static_cast<std::byte*>(std::align(alignment, bytes, start, room)), bytes);
    }
  }
  /// Freeing is collective: where an exception unwinds this rank the others are not there, and the job is about to end.
  ~MpiSharedBuffer() override {
    if (std::uncaught_exceptions() > unwinding_) return;
    MPI_Win_free(&window_);
    MPI_Comm_free(&host_);
  }
  MpiSharedBuffer(const MpiSharedBuffer&) = delete;
  MpiSharedBuffer& operator=(const MpiSharedBuffer&) = delete;

  std::span<std::byte> part(int rank) override { return parts_[static_cast<std::size_t>(rank)]; }

 private:
  MPI_Win window_;
  MPI_Comm host_;
  int unwinding_ = std::uncaught_exceptions();
  std::vector<std::span<std::byte>> parts_;
};

/// Whether the folder that backs Open MPI's shared memory has room for `bytes`: writing to it in a full one ends in
/// SIGBUS.
bool hasRoomForShared(std::size_t bytes) {
  const std::string folder = environment("OMPI_MCA_osc_sm_backing_directory").value_or("/dev/shm");
  struct statvfs state {};
  if (statvfs(folder.c_str(), &state) != 0) return false;
  const std::size_t reserve = bytes / 16 + (std::size_t{1} << 20);
  return static_cast<std::size_t>(state.f_bavail) * state.f_frsize >= bytes + reserve;
}

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator(MPI_Comm handle, bool owned) : handle_(handle), owned_(owned) {
    check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "set the error handler");
    check(MPI_Comm_rank(handle_, &rank_), "ask for the rank");
    check(MPI_Comm_size(handle_, &size_), "ask for the world size");
  }
  ~MpiCommunicator() override {
    if (owned_) MPI_Comm_free(&handle_);
  }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void barrier() override {
    countOperation();
    check(MPI_Barrier(handle_), "barrier");
  }
  void allReduceSum(std::span<float> values) override { allReduce(values, MPI_SUM); }
  void allReduceSum(std::span<double> values) override { allReduce(values, MPI_SUM); }
  void allReduceMax(std::span<double> values) override { allReduce(values, MPI_MAX); }

  std::unique_ptr<Request> startAllReduceSum(std::span<float> values) override {
    countOperation();
    std::vector<MPI_Request> requests;
    forBlocks(values, [&](std::span<float> block) {
      check(MPI_Iallreduce(MPI_IN_PLACE, block.data(), static_cast<int>(block.size()), MPI_FLOAT, MPI_SUM, handle_,
                           &requests.emplace_back()),
            "start a sum");
    });
    return std::make_unique<MpiRequest>(std::move(requests));
  }

  std::unique_ptr<Request> startExchange(std::span<const std::span<const std::byte>> out,
                                         std::span<const std::span<std::byte>> in) override {
    countOperation();
    const auto mine = static_cast<std::size_t>(rank_);
    std::vector<MPI_Request> requests;
    forPeers([&](std::size_t from) { receive(in[from], from, startedTag, requests); }, -1);
    forPeers([&](std::size_t to) { send(out[to], to, startedTag, requests); }, 1);
    if (!in[mine].empty()) std::memcpy(in[mine].data(), out[mine].data(), in[mine].size());
    return std::make_unique<MpiRequest>(std::move(requests));
  }

  void broadcast(std::span<std::byte> bytes, int root) override {
    countOperation();
    forBlocks(bytes, [&](std::span<std::byte> block) {
      check(MPI_Bcast(block.data(), static_cast<int>(block.size()), MPI_BYTE, root, handle_), "broadcast");
    });
  }

  void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    countOperation();
    if (all.size() != mine.size() * static_cast<std::size_t>(size_)) throw Error("allGather: sizes do not match");
    const int count = toCount(mine.size(), "allGather");
    check(MPI_Allgather(mine.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, handle_), "gather to all");
  }

  /// Straight from every rank to every other: one wait, where a ring has size() - 1 that starve when ranks outnumber
  /// cores.
  void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) override {
    countOperation();
    const auto mine = static_cast<std::size_t>(rank_);
    std::vector<MPI_Request> requests;
    forPeers([&](std::size_t from) { receive(part(all, offsets, from), from, exchangeTag, requests); }, -1);
    forPeers([&](std::size_t to) { send(part(all, offsets, mine), to, exchangeTag, requests); }, 1);
    waitForAll(requests, "gather to all in place");
  }

  void allToAll(std::span<const std::byte> out, std::span<const std::size_t> outOffsets, std::span<std::byte> in,
                std::span<const std::size_t> inOffsets) override {
    countOperation();
    const auto mine = static_cast<std::size_t>(rank_);
    std::vector<MPI_Request> requests;
    forPeers([&](std::size_t from) { receive(part(in, inOffsets, from), from, exchangeTag, requests); }, -1);
    forPeers([&](std::size_t to) { send(part(out, outOffsets, to), to, exchangeTag, requests); }, 1);
    if (const std::size_t bytes = inOffsets[mine + 1] - inOffsets[mine]; bytes > 0) {
      std::memcpy(in.data() + inOffsets[mine], out.data() + outOffsets[mine], bytes);
    }
    waitForAll(requests, "exchange with all");
  }

  void sendReceive(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) override {
    countOperation();
    check(MPI_Sendrecv(out.data(), toCount(out.size(), "sendReceive"), MPI_BYTE, to, sendReceiveTag, in.data(),
                       toCount(in.size(), "sendReceive"), MPI_BYTE, from, sendReceiveTag, handle_, MPI_STATUS_IGNORE),
          "send and receive");
  }

  std::unique_ptr<Communicator> split(int colour, int key) override {
    countOperation();
    MPI_Comm part = MPI_COMM_NULL;
    check(MPI_Comm_split(handle_, colour, key, &part), "split the group");
    auto child = std::make_unique<MpiCommunicator>(part, true);
    child->countWith(*this);
    return child;
  }

  std::unique_ptr<SharedBuffer> allocateShared(std::size_t bytes) override {
    countOperation();
    MPI_Comm host = MPI_COMM_NULL;
    check(MPI_Comm_split_type(handle_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host), "find the host's ranks");
    int hostRanks = 0;
    MPI_Comm_size(host, &hostRanks);
    const std::size_t padded = bytes + MpiSharedBuffer::alignment;
    const bool possible =
        hostRanks == size_ && (rank_ != 0 || hasRoomForShared(padded * static_cast<std::size_t>(size_)));
    if (!everywhere(possible)) {
      MPI_Comm_free(&host);
      return nullptr;
    }
    return makeShared(host, bytes, padded);
  }

  void poll() override {
    int waiting = 0;
    check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, handle_, &waiting, MPI_STATUS_IGNORE), "look for messages");
  }

 private:
  static constexpr int exchangeTag = 1;
  static constexpr int sendReceiveTag = 2;
  static constexpr int startedTag = 3;  ///< of its own: others' order may differ from that of the started ones

  template <class T, class Use>
  static void forBlocks(std::span<T> values, Use&& use) {
    for (std::size_t start = 0; start < values.size(); start += blockElements) {
      use(values.subspan(start, std::min(blockElements, values.size() - start)));
    }
  }

  /// The other ranks, beginning beside this one and going up (+1) or down (-1), so that no rank is everybody's first.
  template <class Use>
  void forPeers(Use&& use, int direction) const {
    for (int step = 1; step < size_; ++step) use(static_cast<std::size_t>((rank_ + direction * step + size_) % size_));
  }

  template <class Byte>
  static std::span<Byte> part(std::span<Byte> all, std::span<const std::size_t> offsets, std::size_t index) {
    return all.subspan(offsets[index], offsets[index + 1] - offsets[index]);
  }

  void receive(std::span<std::byte> in, std::size_t from, int tag, std::vector<MPI_Request>& requests) {
    if (in.empty()) return;
    check(MPI_Irecv(in.data(), toCount(in.size(), "exchange"), MPI_BYTE, static_cast<int>(from), tag, handle_,
                    &requests.emplace_back()),
          "receive from a peer");
  }

  void send(std::span<const std::byte> out, std::size_t to, int tag, std::vector<MPI_Request>& requests) {
    if (out.empty()) return;
    check(MPI_Isend(out.data(), toCount(out.size(), "exchange"), MPI_BYTE, static_cast<int>(to), tag, handle_,
                    &requests.emplace_back()),
          "send to a peer");
  }

  static void waitForAll(std::vector<MPI_Request>& requests, const char* what) {
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), what);
  }

  template <class T>
  void allReduce(std::span<T> values, MPI_Op operation) {
    countOperation();
    forBlocks(values, [&](std::span<T> block) {
      check(MPI_Allreduce(MPI_IN_PLACE, block.data(), static_cast<int>(block.size()), typeOf<T>(), operation, handle_),
            "reduce to all");
    });
  }

  bool everywhere(bool here) {
    int all = here ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, handle_), "agree");
    return all != 0;
  }

  /// Takes over `host`.
  std::unique_ptr<SharedBuffer> makeShared(MPI_Comm host, std::size_t bytes, std::size_t padded) {
    MPI_Comm_set_errhandler(host, MPI_ERRORS_RETURN);
    MPI_Win window = MPI_WIN_NULL;
    void* start = nullptr;
    const int made = MPI_Win_allocate_shared(static_cast<MPI_Aint>(padded), 1, MPI_INFO_NULL, host, &start, &window);
    if (!everywhere(made == MPI_SUCCESS)) {
      if (made == MPI_SUCCESS) MPI_Win_free(&window);
      MPI_Comm_free(&host);
      return nullptr;
    }
    auto buffer = std::make_unique<MpiSharedBuffer>(window, host, bytes);
    std::ranges::fill(buffer->part(rank_), std::byte{0});
    barrier();
    return buffer;
  }

  MPI_Comm handle_;
  bool owned_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

MpiJob::MpiJob() {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    throw Error("MPI could not be started");
  }
  world_ = std::make_unique<MpiCommunicator>(MPI_COMM_WORLD, false);
  if (const std::string lack = reserveSharedFiles(); !lack.empty()) std::fprintf(stderr, "%s\n", lack.c_str());
}

MpiJob::~MpiJob() {
  if (std::uncaught_exceptions() > exceptionsBefore_) abortMpi(EXIT_FAILURE);
  world_.reset();
  MPI_Finalize();
}

std::string mpiLibraryVersion() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return whole.substr(0, whole.find(','));
}

void abortMpi(int code) {
  int running = 0;
  int ended = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&ended);
  if (running != 0 && ended == 0) MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace slipstream
