// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "engine/cuda/cuda_check.h"
#include "engine/cuda/cuda_peer_access.h"
#include "engine/cuda/launch.h"
#include "engine/cuda/stream.h"

namespace slipstream {
namespace {

constexpr unsigned blockThreads = 256;
constexpr std::size_t mostBlocks = 1024;
constexpr std::size_t mostParts = 64;

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(PeerAddress::block));

template <class T>
struct Parts {
  const T* of[mostParts];
};

__device__ float added(float a, float b) {
  return __fadd_rn(a, b);
}
__device__ double added(double a, double b) {
  return __dadd_rn(a, b);
}
__device__ double larger(double a, double b) {
  return a > b || a != a ? a : b;
}

/// In the parts' order, element by element: `result` may be one of the parts.
template <class T>
__global__ void sumParts(Parts<T> parts, int count, T* result, std::size_t elements) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements; i += stride) {
    T sum = parts.of[0][i];
    for (int part = 1; part < count; ++part) sum = added(sum, parts.of[part][i]);
    result[i] = sum;
  }
}

__global__ void largestOfParts(Parts<double> parts, int count, double* result, std::size_t elements) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements; i += stride) {
    double largest = parts.of[0][i];
    for (int part = 1; part < count; ++part) largest = larger(largest, parts.of[part][i]);
    result[i] = largest;
  }
}

unsigned blocksFor(std::size_t elements) {
  const std::size_t blocks = (elements + blockThreads - 1) / blockThreads;
  return static_cast<unsigned>(std::clamp<std::size_t>(blocks, 1, mostBlocks));
}

template <class T>
Parts<T> partsOf(std::span<const T* const> pointers) {
  if (pointers.size() > mostParts) throw Error("GPUs of at most 64 ranks reach into each other's memory");
  Parts<T> parts{};
  std::ranges::copy(pointers, parts.of);
  return parts;
}

/// What a rank tells of itself.
struct Introduction {
  pid_t process = 0;
  std::uint64_t processes = 0;  ///< the kernel's number of the process' namespace: two containers count alike
  int gpu = 0;
  bool shares = true;  ///< other processes can open its events and memory; not in every container
  cudaEvent_t marks[PeerAccess::markCount] = {};  ///< for ranks of the same process
  cudaIpcEventHandle_t handles[PeerAccess::markCount] = {};
  cudaIpcMemHandle_t memory{};  ///< of a block that only tells whether such can be opened
};

std::uint64_t processNamespace() {
  struct stat status {};
  return ::stat("/proc/self/ns/pid", &status) == 0 ? static_cast<std::uint64_t>(status.st_ino) : 0;
}

/// Whether it went well; the runtime then forgets that it did not.
bool went(cudaError_t result) {
  if (result == cudaSuccess) return true;
  cudaGetLastError();
  return false;
}

class CudaPeerAccess final : public PeerAccess {
 public:
  CudaPeerAccess(int id, const CudaQueue& queue, MemoryPool& pool)
      : id_(id),
        queue_(queue),
        pool_(pool),
        probe_(pool.allocate(probeBytes, MemoryCategory::gather)),
        sharesEvents_(eventsAreShared()) {
    const unsigned shared = sharesEvents_ ? cudaEventInterprocess : 0;
    for (int number = 0; number < markCount; ++number) marks_.emplace_back(cudaEventDisableTiming | shared);
    checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream");
  }
  /// Failures of the device have shown before.
  ~CudaPeerAccess() override {
    cudaSetDevice(id_);
    cudaStreamSynchronize(stream_);
    for (const auto& [handle, memory] : opened_) cudaIpcCloseMemHandle(memory);
    for (const Introduction& peer : peers_) closeMarks(peer);
    cudaStreamDestroy(stream_);
  }
  CudaPeerAccess(const CudaPeerAccess&) = delete;
  CudaPeerAccess& operator=(const CudaPeerAccess&) = delete;

  std::vector<std::byte> introduction() override {
    Introduction mine;
    select();
    mine.process = ::getpid();
    mine.processes = processNamespace();
    mine.gpu = id_;
    mine.shares = sharesEvents_;
    for (int number = 0; number < markCount; ++number) {
      mine.marks[number] = marks_[static_cast<std::size_t>(number)].handle();
      mine.shares = mine.shares && went(cudaIpcGetEventHandle(&mine.handles[number], mine.marks[number]));
    }
    const std::byte* block = pool_.keepBlock(probe_->bytes().data()).data();
    mine.shares = mine.shares && went(cudaIpcGetMemHandle(&mine.memory, const_cast<std::byte*>(block)));
    std::vector<std::byte> bytes(sizeof(mine));
    std::memcpy(bytes.data(), &mine, sizeof(mine));
    return bytes;
  }

  bool meet(std::span<const std::vector<std::byte>> introductions) override {
    select();
    bool reachesAll = true;
    for (const auto& bytes : introductions) {
      Introduction peer;
      std::memcpy(&peer, bytes.data(), sizeof(peer));
      peer.shares = reaches(peer);
      reachesAll = reachesAll && peer.shares;
      peers_.push_back(peer);
    }
    return reachesAll;
  }

  PeerAddress addressOf(int peer, const std::byte* own) override {
    const auto block = pool_.keepBlock(own);
    if (block.empty()) throw Error("memory that is not this GPU's was offered to other ranks");
    PeerAddress address;
    address.offset = static_cast<std::uint64_t>(own - block.data());
    address.block = isOfThisProcess(peerAt(peer)) ? nameHere(block.data()) : handleOf(block.data());
    return address;
  }

  const std::byte* reach(int peer, const PeerAddress& address) override {
    if (!isOfThisProcess(peerAt(peer))) return opened(address.block) + address.offset;
    const std::byte* block = nullptr;
    std::memcpy(&block, address.block.data(), sizeof(block));
    return block + address.offset;
  }

  void follow(const DevicePoint* point) override {
    select();
    static_cast<const CudaPoint&>(*point).event().holdBack(stream_);
  }
  void mark(int number) override {
    select();
    marks_[static_cast<std::size_t>(number)].record(stream_);
  }
  void waitFor(int peer, int number) override {
    select();
    checkCuda(cudaStreamWaitEvent(stream_, peerAt(peer).marks[number], 0), "wait for another rank's event");
  }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    select();
    checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_),
              "copy " + std::to_string(bytes) + " bytes from another rank");
  }
  void sum(std::span<const float* const> parts, float* result, std::size_t elements) override {
    addParts(parts, result, elements);
  }
  void sum(std::span<const double* const> parts, double* result, std::size_t elements) override {
    addParts(parts, result, elements);
  }
  void maximum(std::span<const double* const> parts, double* result, std::size_t elements) override {
    if (elements == 0) return;
    select();
    launchOn(stream_, "take the maximum over ranks", largestOfParts, blocksFor(elements), blockThreads, partsOf(parts),
             static_cast<int>(parts.size()), result, elements);
  }
  bool reached(int number) override {
    select();
    return marks_[static_cast<std::size_t>(number)].done();
  }
  void holdBack(int number) override {
    select();
    marks_[static_cast<std::size_t>(number)].holdBack(queue_.stream());
  }

 private:
  void select() const { checkCuda(cudaSetDevice(id_), "select the GPU"); }

  template <class T>
  void addParts(std::span<const T* const> parts, T* result, std::size_t elements) {
    if (elements == 0) return;
    select();
    launchOn(stream_, "add the ranks' values", sumParts<T>, blocksFor(elements), blockThreads, partsOf(parts),
             static_cast<int>(parts.size()), result, elements);
  }

  bool reaches(Introduction& peer) const {
    if (isOfThisProcess(peer)) return entersGpu(peer.gpu);
    return peer.shares && seesGpu(peer.gpu) && opensMemory(peer) && opensMarks(peer);
  }

  /// By numbers of this host, which all ranks count alike: they are started with one CUDA_VISIBLE_DEVICES.
  bool seesGpu(int gpu) const {
    int can = 0;
    return gpu == id_ || (went(cudaDeviceCanAccessPeer(&can, id_, gpu)) && can != 0);
  }
  /// In another process that comes by itself with its memory.
  bool entersGpu(int gpu) const {
    if (gpu == id_) return true;
    if (!seesGpu(gpu)) return false;
    const cudaError_t result = cudaDeviceEnablePeerAccess(gpu, 0);
    return went(result) || result == cudaErrorPeerAccessAlreadyEnabled;
  }

  bool isOfThisProcess(const Introduction& peer) const {
    return peer.process == ::getpid() && peer.processes == processNamespace();
  }

  /// Where the driver, or a container, forbids it, that shows here and not in the first step.
  static bool opensMemory(const Introduction& peer) {
    void* memory = nullptr;
    if (!went(cudaIpcOpenMemHandle(&memory, peer.memory, cudaIpcMemLazyEnablePeerAccess))) return false;
    return went(cudaIpcCloseMemHandle(memory));
  }
  /// A process cannot open its own handles, and need not.
  static bool opensMarks(Introduction& peer) {
    for (int number = 0; number < markCount; ++number) {
      if (went(cudaIpcOpenEventHandle(&peer.marks[number], peer.handles[number]))) continue;
      for (int opened = 0; opened < number; ++opened) cudaEventDestroy(peer.marks[opened]);
      return false;
    }
    return true;
  }
  void closeMarks(const Introduction& peer) const {
    if (isOfThisProcess(peer) || !peer.shares) return;
    for (const cudaEvent_t mark : peer.marks) cudaEventDestroy(mark);
  }

  const Introduction& peerAt(int peer) const { return peers_[static_cast<std::size_t>(peer)]; }

  using Name = std::array<std::byte, 64>;

  /// Threads of a process see the same addresses.
  static Name nameHere(const std::byte* block) {
    Name name{};
    std::memcpy(name.data(), &block, sizeof(block));
    return name;
  }

  /// What other processes open; it stays the same while the block is kept.
  Name handleOf(const std::byte* block) {
    const auto known = handles_.find(block);
    if (known != handles_.end()) return known->second;
    select();
    cudaIpcMemHandle_t handle;
    checkCuda(cudaIpcGetMemHandle(&handle, const_cast<std::byte*>(block)), "share a block of memory");
    Name name;
    std::memcpy(name.data(), &handle, name.size());
    handles_.emplace(block, name);
    return name;
  }

  const std::byte* opened(const Name& name) {
    const auto known = opened_.find(name);
    if (known != opened_.end()) return static_cast<const std::byte*>(known->second);
    select();
    cudaIpcMemHandle_t handle;
    std::memcpy(&handle, name.data(), name.size());
    void* memory = nullptr;
    checkCuda(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess), "open another rank's memory");
    opened_.emplace(name, memory);
    return static_cast<const std::byte*>(memory);
  }

  static constexpr std::size_t probeBytes = 64;

  /// Not where the driver has no events between processes.
  bool eventsAreShared() const {
    select();
    cudaEvent_t event = nullptr;
    if (!went(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess))) return false;
    return went(cudaEventDestroy(event));
  }

  int id_;
  const CudaQueue& queue_;
  MemoryPool& pool_;
  std::unique_ptr<Buffer> probe_;
  bool sharesEvents_;
  cudaStream_t stream_ = nullptr;
  std::vector<CudaEvent> marks_;
  std::vector<Introduction> peers_;
  std::map<const std::byte*, Name> handles_;  ///< of own blocks
  std::map<Name, void*> opened_;              ///< of other processes' blocks
};

}  // namespace

std::unique_ptr<PeerAccess> makeCudaPeerAccess(int id, const CudaQueue& queue, MemoryPool& pool) {
  return std::make_unique<CudaPeerAccess>(id, queue, pool);
}

}  // namespace slipstream
