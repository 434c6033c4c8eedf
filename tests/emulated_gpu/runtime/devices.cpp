// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's calls about GPUs, their memory and failures.
#include <array>
#include <cstdio>
#include <utility>

#include "tests/emulated_gpu/runtime/handles.h"

using namespace emulated_gpu;

namespace {

bool isDevice(int device) {
  return device >= 0 && device < deviceCount;
}

std::array<std::array<bool, deviceCount>, deviceCount> entered{};

cudaError_t takeMemory(void** memory, std::byte* taken) {
  *memory = taken;
  return noted(taken == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() {
  return std::exchange(threadState().last, cudaSuccess);
}
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : "refused by the emulated GPU";
}
const char* cudaGetErrorName(cudaError_t error) {
  thread_local std::array<char, 32> name;
  std::snprintf(name.data(), name.size(), "cudaError %u", static_cast<unsigned>(error));
  return name.data();
}

cudaError_t cudaSetDevice(int device) {
  if (!isDevice(device)) return noted(cudaErrorInvalidDevice);
  threadState().device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = threadState().device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = deviceCount;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (!isDevice(device)) return noted(cudaErrorInvalidDevice);
  *properties = {"emulated GPU", 9, 0, memory::totalBytes()};
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = isDevice(device) && isDevice(peer) && device != peer ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  const auto lock = holdGpus();
  if (!isDevice(peer) || peer == threadState().device) return noted(cudaErrorInvalidDevice);
  const bool before =
      std::exchange(entered[static_cast<std::size_t>(threadState().device)][static_cast<std::size_t>(peer)], true);
  return noted(before ? cudaErrorPeerAccessAlreadyEnabled : cudaSuccess);
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  if (const auto refused = refuseWhileCapturing(); refused != cudaSuccess) return refused;
  const auto lock = holdGpus();
  return takeMemory(memory, memory::take(bytes, threadState().device));
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  if (const auto refused = refuseWhileCapturing(); refused != cudaSuccess) return refused;
  const auto lock = holdGpus();
  return takeMemory(memory, memory::pin(bytes));
}
/// Both wait for the GPU, which may still use the memory.
cudaError_t cudaFree(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  if (const auto refused = refuseWhileCapturing(); refused != cudaSuccess) return refused;
  auto lock = holdGpus();
  const int device = memory::deviceOf(memory);
  if (device >= 0) finishDevice(device, lock);
  return noted(memory::giveBack(memory) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaFreeHost(void* memory) {
  if (const auto refused = refuseWhileCapturing(); refused != cudaSuccess) return refused;
  auto lock = holdGpus();
  for (int device = 0; device < deviceCount; ++device) finishDevice(device, lock);
  return noted(memory::unpin(memory) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const auto lock = holdGpus();
  *free = memory::freeBytes(threadState().device);
  *total = memory::totalBytes();
  return cudaSuccess;
}
}
