// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "engine/base/text.h"
#include "engine/cuda/cuda_queue.h"

namespace slipstream {
namespace {

/// Growing by little, again and again, would wait for the GPU each time; a large piece is not doubled.
constexpr std::size_t mostSpare = std::size_t{64} << 20;

std::size_t roundedUp(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  return (bytes + page - 1) / page * page;
}

}  // namespace

CudaMemory::CudaMemory(CudaQueue& queue, std::size_t bytes, const char* what) {
  refuseWhileRecording(what);
  const cudaError_t result = queue.relieved([&] { return cudaMalloc(&data_, bytes); });
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw Error("out of memory on a GPU: " + sizeText(bytes) + " to " + what +
                "; use a smaller dataset.batch_size, or fewer ranks on this GPU");
  }
  checkCuda(result, what);
  counted_.emplace(queue.meter(), MemoryCategory::boost, static_cast<std::int64_t>(bytes));
}

CudaQueue::CudaQueue(MemoryMeter& meter, std::function<void()> relief) : meter_(meter), relief_(std::move(relief)) {
  checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream");
}

CudaQueue::~CudaQueue() {
  cudaStreamDestroy(stream_);
}

std::byte* CudaQueue::scratch(std::size_t bytes) {
  refuseWhileRecording("use scratch memory of kernels");
  if (bytes > scratchBytes_) {
    const std::size_t wanted = std::max(roundedUp(bytes), std::min(2 * scratchBytes_, mostSpare));
    scratchBytes_ = 0;
    scratch_.reset();  // before there is more: both need not fit; no kernel loses what it still reads
    scratch_ = std::make_unique<CudaMemory>(*this, wanted, "allocate scratch memory of kernels");
    scratchBytes_ = wanted;
  }
  return scratch_ ? scratch_->data() : nullptr;
}

}  // namespace slipstream
