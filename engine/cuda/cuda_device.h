// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/device/device.h"

namespace slipstream {

/// A GPU of this host as its driver describes it.
struct CudaGpu {
  int number = 0;
  std::string model;
  std::int64_t memoryBytes = 0;
};

/// All that this process may use, by number (CUDA_VISIBLE_DEVICES chooses among them), and that this build has kernels
/// for; a failure where there is none, or the program was built without CUDA, or no driver is installed.
Result<std::vector<CudaGpu>> listCudaGpus();

/// GPU number `id` of this host. A failure where listCudaGpus has none such. To be used by the thread that opened it,
/// and throws Error where another one does: work goes to its queue (cuda_queue.h); only
/// started copies run beside it, and are kept in order by events.
Result<std::unique_ptr<Device>> openCudaDevice(int id, MemoryMeter& meter, Recording recording = Recording::on);

/// Work of one stream runs in order, different streams side by side; `handle` is the runtime's cudaStream_t.
class CudaStream {
 public:
  /// Of the GPU that this thread opened last. Throws Error where the program was built without CUDA.
  CudaStream();
  ~CudaStream();
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  void* handle() const { return handle_; }
  /// Whether everything given to the stream has ended; never blocks.
  bool idle() const;
  void synchronize() const;

 private:
  void* handle_ = nullptr;
};

}  // namespace slipstream
