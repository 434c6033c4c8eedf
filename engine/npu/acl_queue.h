// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/device/device.h"
#include "engine/npu/acl_stream.h"
#include "engine/npu/kernel_binary.h"
#include "engine/npu/npu_queue.h"
#include "engine/npu/opened_npu.h"

namespace slipstream {

/// The queue of an NPU: kernels of ours are launched from the kernel binary on the device's working stream. Of the
/// thread that opened the NPU, which each call selects.
class AclQueue final : public NpuQueue {
 public:
  /// Its memory, and copies between the host and the device, are those of `device`, whose queue it is.
  AclQueue(Device& device, const OpenedNpu& npu, std::shared_ptr<NpuStreams> streams);
  /// Waits for the kernels: the binary that holds them goes.
  ~AclQueue() override;
  AclQueue(const AclQueue&) = delete;
  AclQueue& operator=(const AclQueue&) = delete;

  unsigned vectorCores() const override { return vectorCores_; }
  void launch(const NpuKernel& kernel, unsigned blocks, std::span<const NpuArgument> arguments) override;
  std::byte* scratch(std::size_t bytes) override;
  void upload(void* deviceMemory, std::span<const std::byte> host) override;
  void download(std::span<std::byte> host, const void* deviceMemory) override;
  void copyWithin(void* to, const void* from, std::size_t bytes) override;
  void clear(void* deviceMemory, std::size_t bytes) override;
  std::unique_ptr<NpuMemory> allocate(std::size_t bytes) override;

  /// Copies inside the device on any of its streams: by the runtime where both begin as it asks for, else by a kernel.
  void copyOn(aclrtStream stream, std::span<std::byte> to, std::span<const std::byte> from);

  /// Selects the NPU for what follows. Throws Error on another thread than the one that opened it.
  void select() const { npu_.select(); }
  /// What libraries of Ascend are given their work on.
  aclrtStream stream() const { return streams_->work.handle(); }
  /// With what ends the events that a stream waits for.
  const std::shared_ptr<NpuStreams>& streams() const { return streams_; }

 private:
  void launchOn(aclrtStream stream, const NpuKernel& kernel, unsigned blocks, std::span<const NpuArgument> arguments);

  Device& device_;
  OpenedNpu npu_;
  std::shared_ptr<NpuStreams> streams_;
  unsigned vectorCores_;
  KernelBinary kernels_;
  std::unique_ptr<Buffer> scratch_;
};

}  // namespace slipstream
