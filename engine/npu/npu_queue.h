// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/device/device_queue.h"

namespace slipstream {

/// One argument of a kernel: an address of the device, a number of 32 or 64 bits or a float, as the launch passes it.
struct NpuArgument {
  template <class T>
  constexpr NpuArgument(T* address) : bits(reinterpret_cast<std::uintptr_t>(address)), bytes(sizeof(bits)) {}
  constexpr NpuArgument(std::uint32_t number) : bits(number), bytes(sizeof(number)) {}
  constexpr NpuArgument(std::uint64_t number) : bits(number), bytes(sizeof(number)) {}
  constexpr NpuArgument(float number) : bits(std::bit_cast<std::uint32_t>(number)), bytes(sizeof(number)) {}

  std::uint64_t bits;
  std::uint32_t bytes;
};

/// A kernel: its name in the kernel binary, and the same source compiled for the host's twin (npu_kernel.h).
struct NpuKernel {
  const char* name;
  void (*onHost)(const NpuArgument* arguments);  ///< one block; which one is the twin's to say
  unsigned argumentCount;
};

/// Memory of the device that lives as long as this object.
class NpuMemory {
 public:
  NpuMemory() = default;
  virtual ~NpuMemory() = default;
  NpuMemory(const NpuMemory&) = delete;
  NpuMemory& operator=(const NpuMemory&) = delete;
  virtual std::byte* data() = 0;
};

/// What kernels of an NPU, or of its twin on the host, are started in: work happens in the order of giving.
class NpuQueue : public DeviceQueue {
 public:
  /// How many blocks run at the same time; more of them gain nothing.
  virtual unsigned vectorCores() const = 0;
  /// Starts `blocks` blocks of the kernel behind all that the queue was given.
  virtual void launch(const NpuKernel& kernel, unsigned blocks, std::span<const NpuArgument> arguments) = 0;
  /// Device memory for what one kernel leaves to the next, 512-byte aligned; valid until the same queue is asked again.
  virtual std::byte* scratch(std::size_t bytes) = 0;
  /// The source may change when it returns.
  virtual void upload(void* deviceMemory, std::span<const std::byte> host) = 0;
  /// Waits until the bytes are there.
  virtual void download(std::span<std::byte> host, const void* deviceMemory) = 0;
  virtual void copyWithin(void* to, const void* from, std::size_t bytes) = 0;
  virtual void clear(void* deviceMemory, std::size_t bytes) = 0;
  /// For tables that outlive a call, 512-byte aligned.
  virtual std::unique_ptr<NpuMemory> allocate(std::size_t bytes) = 0;
};

}  // namespace slipstream
