// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <utility>

#include "engine/base/text.h"
#include "engine/cuda/cuda_check.h"
#include "engine/cuda/cuda_device.h"
#include "engine/cuda/cuda_graph.h"
#include "engine/cuda/cuda_peer_access.h"
#include "engine/cuda/cuda_queue.h"
#include "engine/cuda/pinned_memory.h"
#include "engine/cuda/stream.h"
#include "engine/device/memory_pool.h"
#include "engine/device/opening_thread.h"
#include "engine/device/staged_copies.h"

namespace slipstream {
namespace {

constexpr std::size_t chunkBytes = std::size_t{4} << 20;
constexpr std::size_t chunkCount = 2;
/// Shorter copies are not worth a chunk.
constexpr std::size_t shortCopy = std::size_t{64} << 10;
/// Compute capability that the oldest kernels of a build (cmake/Cuda.cmake) need.
constexpr int leastMajor = 8;

/// A GPU, of the thread that opened it.
class OpenedGpu {
 public:
  explicit OpenedGpu(int id) : id_(id) {}
  int id() const { return id_; }
  void select() const {
    opener_.refuseOthers(cudaKind().name.c_str(), id_);
    const cudaError_t result = cudaSetDevice(id_);
    if (result != cudaSuccess) checkCuda(result, "select GPU " + std::to_string(id_));
  }

 private:
  int id_;
  OpeningThread opener_;
};

class DriverMemory final : public RawMemory {
 public:
  DriverMemory(const OpenedGpu& gpu, const CudaQueue& queue) : gpu_(gpu), queue_(queue) {}

  std::byte* take(std::size_t bytes) override {
    gpu_.select();
    void* memory = nullptr;
    const cudaError_t result = cudaMalloc(&memory, bytes);
    if (result == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // else the next call would report it again
      return nullptr;
    }
    checkCuda(result, "take " + sizeText(bytes) + " of GPU " + std::to_string(gpu_.id()));
    return static_cast<std::byte*>(memory);
  }
  void giveBack(std::byte* memory) override { cudaFree(memory); }
  void clear(std::span<std::byte> memory) override {
    gpu_.select();
    checkCuda(cudaMemsetAsync(memory.data(), 0, memory.size(), queue_.stream()), "clear " + sizeText(memory.size()));
  }
  Capacity capacity() override {
    Capacity capacity;
    gpu_.select();
    checkCuda(cudaMemGetInfo(&capacity.free, &capacity.total), "ask for the free memory");
    return capacity;
  }

 private:
  OpenedGpu gpu_;
  const CudaQueue& queue_;
};

class PinnedBuffer final : public Buffer {
 public:
  explicit PinnedBuffer(std::size_t bytes) : memory_(bytes) {}
  std::span<std::byte> bytes() override { return memory_.bytes(); }

 private:
  PinnedMemory memory_;
};

cudaStream_t streamOf(const CudaStream& stream) {
  return static_cast<cudaStream_t>(stream.handle());
}

class CopyOnItsWay final : public StartedCopy {
 public:
  explicit CopyOnItsWay(CudaEvent ended) : ended_(std::move(ended)) {}
  /// A failure of the device shows in the next call that may throw.
  ~CopyOnItsWay() override { cudaEventSynchronize(ended_.handle()); }
  CopyOnItsWay(const CopyOnItsWay&) = delete;
  CopyOnItsWay& operator=(const CopyOnItsWay&) = delete;

  bool done() override { return ended_.done(); }
  void wait() override { ended_.wait(); }

 private:
  CudaEvent ended_;
};

class CudaDevice final : public Device {
 public:
  /// The GPU is selected.
  CudaDevice(const OpenedGpu& gpu, MemoryMeter& meter, Recording recording)
      : gpu_(gpu),
        meter_(meter),
        recording_(recording),
        queue_(meter, [this] { pool_.trim(); }),
        pool_(std::make_unique<DriverMemory>(gpu, queue_), meter, "cuda:" + std::to_string(gpu.id())),
        copies_(*this, chunkBytes, chunkCount) {}
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  const DeviceKind& kind() const override { return cudaKind(); }

  std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) override {
    return pool_.allocate(bytes, category);
  }
  void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) override {
    if (hostBytes.size() > shortCopy) return copies_.copyIn(deviceBytes, hostBytes);
    gpu_.select();
    queue_.upload<std::byte>(deviceBytes, hostBytes);
  }
  void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) override {
    if (hostBytes.size() > shortCopy) return copies_.copyOut(hostBytes, deviceBytes);
    if (hostBytes.size() != deviceBytes.size()) throw Error("a copy between buffers of different sizes");
    if (hostBytes.empty()) return;
    gpu_.select();
    queue_.download<std::byte>(hostBytes, deviceBytes.data(), "copy to the host");
  }
  void synchronize() override {
    refuseWhileRecording("be waited for");
    gpu_.select();
    checkCuda(cudaStreamSynchronize(queue_.stream()), "wait for GPU " + std::to_string(gpu_.id()));
    outward_.synchronize();
    inward_.synchronize();
  }
  MemoryMeter& memory() override { return meter_; }
  DeviceQueue& queue() override {
    gpu_.select();
    return queue_;
  }

  bool holds(const void* address) const override { return pool_.holds(address); }
  std::unique_ptr<Buffer> allocateStaging(std::size_t bytes) override {
    refuseWhileRecording("pin memory of the host");
    gpu_.select();
    return std::make_unique<PinnedBuffer>(bytes);
  }
  std::unique_ptr<DevicePoint> point() override {
    refuseWhileRecording("mark a point");
    gpu_.select();
    return std::make_unique<CudaPoint>(queue_.stream());
  }
  std::unique_ptr<StartedCopy> startCopyOut(std::span<std::byte> staging, std::span<const std::byte> deviceBytes,
                                            const DevicePoint* after) override {
    refuseWhileRecording("start a copy to the host");
    gpu_.select();
    if (after == nullptr) return startCopyOut(staging, deviceBytes, CudaPoint(queue_.stream()));
    return startCopyOut(staging, deviceBytes, static_cast<const CudaPoint&>(*after));
  }
  std::unique_ptr<StartedCopy> startCopyIn(std::span<std::byte> deviceBytes,
                                           std::span<const std::byte> staging) override {
    refuseWhileRecording("start a copy from the host");
    gpu_.select();
    CudaPoint(queue_.stream()).event().holdBack(streamOf(inward_));
    CudaEvent ended = startOn(inward_, deviceBytes, staging, cudaMemcpyHostToDevice, "to");
    ended.holdBack(queue_.stream());
    return std::make_unique<CopyOnItsWay>(std::move(ended));
  }
  void copyWithin(std::span<std::byte> to, std::span<const std::byte> from) override {
    if (to.size() != from.size()) throw Error("a copy between buffers of different sizes");
    if (to.empty()) return;
    gpu_.select();
    checkCuda(cudaMemcpyAsync(to.data(), from.data(), from.size(), cudaMemcpyDeviceToDevice, queue_.stream()),
              told(from.size(), "inside"));
  }
  std::unique_ptr<PeerAccess> peerAccess() override {
    refuseWhileRecording("open a way to other ranks' memory");
    gpu_.select();
    return makeCudaPeerAccess(gpu_.id(), queue_, pool_);
  }
  bool gainsFromRecording() const override { return recording_ == Recording::on; }
  std::unique_ptr<RecordedWork> record(const std::function<void()>& work) override {
    gpu_.select();
    return captureCudaGraph(queue_, work);
  }

 private:
  std::string told(std::size_t bytes, const char* direction) const {
    return "copy " + sizeText(bytes) + " " + direction + " GPU " + std::to_string(gpu_.id());
  }

  std::unique_ptr<StartedCopy> startCopyOut(std::span<std::byte> staging, std::span<const std::byte> deviceBytes,
                                            const CudaPoint& after) {
    after.event().holdBack(streamOf(outward_));
    return std::make_unique<CopyOnItsWay>(startOn(outward_, staging, deviceBytes, cudaMemcpyDeviceToHost, "from"));
  }

  /// Returns what is behind the copy.
  CudaEvent startOn(const CudaStream& stream, std::span<std::byte> to, std::span<const std::byte> from,
                    cudaMemcpyKind kind, const char* direction) const {
    if (to.size() != from.size()) throw Error("a copy between buffers of different sizes");
    if (!to.empty()) {
      checkCuda(cudaMemcpyAsync(to.data(), from.data(), from.size(), kind, streamOf(stream)),
                told(from.size(), direction));
    }
    CudaEvent ended;
    ended.record(streamOf(stream));
    return ended;
  }

  OpenedGpu gpu_;
  MemoryMeter& meter_;
  Recording recording_;
  CudaQueue queue_;
  MemoryPool pool_;
  CudaStream outward_;
  CudaStream inward_;
  StagedCopies copies_;  ///< goes first: its copies are on the streams
};

/// Of the GPUs that the driver shows.
Result<int> visibleGpus() {
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found == cudaSuccess && count > 0) return count;
  const std::string reason = found == cudaSuccess ? "none is visible" : cudaGetErrorString(found);
  return fail("device", cudaKind().name, "no GPU can be used: " + reason, "check the driver with nvidia-smi");
}

}  // namespace

Result<std::vector<CudaGpu>> listCudaGpus() {
  SLIPSTREAM_TRY(count, visibleGpus());
  std::vector<CudaGpu> gpus;
  for (int number = 0; number < count; ++number) {
    cudaDeviceProp properties{};
    checkCuda(cudaGetDeviceProperties(&properties, number), "describe GPU " + std::to_string(number));
    if (properties.major < leastMajor) {
      return fail("device", "cuda:" + std::to_string(number),
                  std::string(properties.name) + " has compute capability " + std::to_string(properties.major) + "." +
                      std::to_string(properties.minor) + ", and this build has kernels for 8.0 and later",
                  "hide it: CUDA_VISIBLE_DEVICES names the GPUs to use");
    }
    gpus.push_back({number, properties.name, static_cast<std::int64_t>(properties.totalGlobalMem)});
  }
  return gpus;
}

Result<std::unique_ptr<Device>> openCudaDevice(int id, MemoryMeter& meter, Recording recording) {
  SLIPSTREAM_TRY(gpus, listCudaGpus());
  const int count = static_cast<int>(gpus.size());
  if (id < 0 || id >= count) {
    return fail("device", "cuda:" + std::to_string(id), "there is no GPU of this number",
                "use 0 to " + std::to_string(count - 1) + ", or check CUDA_VISIBLE_DEVICES");
  }
  const OpenedGpu gpu(id);
  gpu.select();
  return std::make_unique<CudaDevice>(gpu, meter, recording);
}

CudaStream::CudaStream() {
  cudaStream_t stream = nullptr;
  checkCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "make a stream");
  handle_ = stream;
}

CudaStream::~CudaStream() {
  cudaStreamDestroy(streamOf(*this));
}

bool CudaStream::idle() const {
  const cudaError_t state = cudaStreamQuery(streamOf(*this));
  if (state != cudaErrorNotReady) checkCuda(state, "ask a stream");
  if (state == cudaErrorNotReady) cudaGetLastError();
  return state == cudaSuccess;
}

void CudaStream::synchronize() const {
  checkCuda(cudaStreamSynchronize(streamOf(*this)), "wait for a stream");
}

}  // namespace slipstream
