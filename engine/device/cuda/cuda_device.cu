#include <string>

#include "engine/device/cuda/cuda_check.h"
#include "engine/device/cuda/cuda_device.h"

namespace slipstream {
namespace {

class CudaBuffer final : public Buffer {
 public:
  CudaBuffer(std::size_t bytes, MemoryCategory category, MemoryMeter& meter)
      : size_(bytes), category_(category), meter_(meter) {
    if (size_ == 0) return;
    checkCuda(cudaMalloc(&data_, size_), "allocate memory");
    checkCuda(cudaMemset(data_, 0, size_), "clear memory");
    meter_.add(category_, static_cast<std::int64_t>(size_));
  }
  ~CudaBuffer() override {
    if (data_ == nullptr) return;
    cudaFree(data_);
    meter_.add(category_, -static_cast<std::int64_t>(size_));
  }
  CudaBuffer(const CudaBuffer&) = delete;
  CudaBuffer& operator=(const CudaBuffer&) = delete;

  std::span<std::byte> bytes() override { return {static_cast<std::byte*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_;
  MemoryCategory category_;
  MemoryMeter& meter_;
};

class CudaDevice final : public Device {
 public:
  CudaDevice(int id, MemoryMeter& meter) : id_(id), meter_(meter) { select(); }
  std::string_view name() const override { return "cuda"; }

  std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) override {
    select();
    return std::make_unique<CudaBuffer>(bytes, category, meter_);
  }
  void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) override {
    copy(deviceBytes, hostBytes, cudaMemcpyHostToDevice);
  }
  void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) override {
    copy(hostBytes, deviceBytes, cudaMemcpyDeviceToHost);
  }
  void synchronize() override {
    select();
    checkCuda(cudaDeviceSynchronize(), "synchronize");
  }
  MemoryMeter& memory() override { return meter_; }

 private:
  void select() { checkCuda(cudaSetDevice(id_), "select the GPU"); }
  void copy(std::span<std::byte> to, std::span<const std::byte> from, cudaMemcpyKind kind) {
    if (to.size() != from.size()) throw Error("a copy between buffers of different sizes");
    select();
    checkCuda(cudaMemcpy(to.data(), from.data(), from.size(), kind), "copy");
  }

  int id_;
  MemoryMeter& meter_;
};

class Stream final : public CudaStream {
 public:
  Stream() { checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream"); }
  ~Stream() override { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void* handle() const override { return stream_; }
  bool idle() const override {
    const cudaError_t state = cudaStreamQuery(stream_);
    if (state != cudaErrorNotReady) checkCuda(state, "ask a stream");
    return state == cudaSuccess;
  }
  void synchronize() override { checkCuda(cudaStreamSynchronize(stream_), "wait for a stream"); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Device>> openCudaDevice(int id, MemoryMeter& meter) {
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) {
    const std::string reason = found == cudaSuccess ? "none is visible" : cudaGetErrorString(found);
    return fail("device", "cuda", "no GPU can be used: " + reason, "use cpu, or check the driver with nvidia-smi");
  }
  if (id < 0 || id >= count) {
    return fail("device", "cuda:" + std::to_string(id), "there is no GPU of this number",
                "use 0 to " + std::to_string(count - 1) + ", or check CUDA_VISIBLE_DEVICES");
  }
  return std::make_unique<CudaDevice>(id, meter);
}

std::unique_ptr<CudaStream> makeCudaStream() {
  return std::make_unique<Stream>();
}

}  // namespace slipstream
