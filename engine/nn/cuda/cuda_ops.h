// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include "engine/base/number_type.h"
#include "engine/cuda/launch.h"
#include "engine/nn/cuda/convolution_runner.h"
#include "engine/nn/cuda/matrix_products.h"

// For .cu files only.

namespace slipstream {

/// fp16 as the GPU converts it, one instruction each way.
struct CudaHalf {
  __half value;
};
template <>
inline constexpr NumberType numberTypeOf<CudaHalf> = NumberType::float16;
__host__ __device__ inline float toFloat(CudaHalf value) {
  return __half2float(value.value);
}
template <>
__host__ __device__ inline CudaHalf fromFloat<CudaHalf>(float value) {
  return {__float2half_rn(value)};
}

template <class Work>
__global__ void workOnEach(std::uint32_t count, Work work) {
  const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) work(index);
}

/// A GPU as the layers want it (layer_ops.h): kernels run one after the other in its queue.
class CudaOps {
 public:
  /// What is referred to outlives all copies. The libraries may be null where neither products nor convolutions are
  /// wanted.
  CudaOps(DeviceQueue& queue, MatrixProducts* products, ConvolutionRunner* convolutions)
      : queue_(&queue), products_(products), convolutions_(convolutions) {}

  template <class Work>
  void each(std::int64_t count, const Work& work) const {
    constexpr std::int64_t threads = 256, most = 4'000'000'000;
    if (count == 0) return;
    if (count > most) throw Error("a layer is too large for one GPU kernel: use a smaller batch");
    const auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
    launch(*queue_, "start a layer's kernel", workOnEach<Work>, blocks, static_cast<unsigned>(threads),
           static_cast<std::uint32_t>(count), work);
  }

  template <class Work>
  static void withType(NumberType type, const Work& work) {
    switch (type) {
      case NumberType::float32:
        return work(float{});
      case NumberType::bfloat16:
        return work(Bfloat16{});
      case NumberType::float16:
        return work(CudaHalf{});
    }
  }

  void multiply(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns, std::int64_t inner,
                const Operands& of, float beta, float* c) const {
    products_->multiply(transposeA, transposeB, rows, columns, inner, of, beta, c);
  }
  ConvolutionRunner& convolutions() const { return *convolutions_; }

 private:
  DeviceQueue* queue_;
  MatrixProducts* products_;
  ConvolutionRunner* convolutions_;
};

}  // namespace slipstream
