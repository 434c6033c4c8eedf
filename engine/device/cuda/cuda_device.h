#pragma once

#include <cstddef>
#include <memory>

#include "engine/base/failure.h"
#include "engine/device/memory.h"

namespace slipstream {

/// GPU number `id` of this host. A failure where the program was built without CUDA, or the driver shows no such GPU.
/// Compiled and linked, but not yet run on a GPU.
Result<std::unique_ptr<Device>> openCudaDevice(int id, MemoryMeter& meter);

/// Work of one stream runs in order, different streams side by side; `handle` is the runtime's cudaStream_t.
class CudaStream {
 public:
  virtual ~CudaStream() = default;
  virtual void* handle() const = 0;
  /// Whether everything given to the stream has ended; never blocks.
  virtual bool idle() const = 0;
  virtual void synchronize() = 0;
};

/// A stream of the GPU that this thread opened last. Throws Error where the program was built without CUDA.
std::unique_ptr<CudaStream> makeCudaStream();

}  // namespace slipstream
