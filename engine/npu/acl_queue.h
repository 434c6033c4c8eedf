// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "engine/device/device.h"
#include "engine/npu/acl_stream.h"
#include "engine/npu/kernel_binary.h"
#include "engine/npu/npu_queue.h"

namespace slipstream {

/// Memory of an NPU that no pool has and no meter counts. Waits for the streams before it goes, as what they were given
/// may use it.
class AclMemory final : public NpuMemory {
 public:
  /// `relief` gives back what lies free where there is no room, before it is tried again. Throws Error where that does
  /// not help, or work is recorded.
  AclMemory(std::size_t bytes, std::shared_ptr<NpuStreams> streams, const std::function<void()>& relief);
  ~AclMemory() override;
  AclMemory(const AclMemory&) = delete;
  AclMemory& operator=(const AclMemory&) = delete;

  std::byte* data() override { return static_cast<std::byte*>(memory_); }
  std::size_t size() const { return size_; }

 private:
  std::shared_ptr<NpuStreams> streams_;
  void* memory_ = nullptr;
  std::size_t size_;
};

/// The queue of an NPU: kernels of ours are launched from the kernel binary on the device's working stream.
class AclQueue final : public NpuQueue {
 public:
  /// Copies between the host and the device go through `device`, whose queue it is; `relief` as AclMemory's.
  AclQueue(Device& device, int number, std::shared_ptr<NpuStreams> streams, std::function<void()> relief);

  unsigned vectorCores() const override { return vectorCores_; }
  void launch(const NpuKernel& kernel, unsigned blocks, std::span<const NpuArgument> arguments) override;
  std::byte* scratch(std::size_t bytes) override;
  void upload(void* deviceMemory, std::span<const std::byte> host) override;
  void download(std::span<std::byte> host, const void* deviceMemory) override;
  void copyWithin(void* to, const void* from, std::size_t bytes) override;
  void clear(void* deviceMemory, std::size_t bytes) override;
  std::unique_ptr<NpuMemory> allocate(std::size_t bytes) override;

  /// What libraries of Ascend are given their work on.
  aclrtStream stream() const { return streams_->work.handle(); }
  /// With what ends the events that a stream waits for.
  const std::shared_ptr<NpuStreams>& streams() const { return streams_; }

 private:
  Device& device_;
  std::shared_ptr<NpuStreams> streams_;
  std::function<void()> relief_;
  unsigned vectorCores_;
  KernelBinary kernels_;
  std::unique_ptr<AclMemory> scratch_;
};

}  // namespace slipstream
