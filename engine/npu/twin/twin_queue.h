// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/npu/npu_queue.h"
#include "engine/npu/twin/core.h"

namespace slipstream {

/// Executes kernels on the host, as an NPU of a few vector cores would: for correctness, never for speed. Everything
/// has ended when a call returns. Blocks of a launch are executed one after the other, in an order that is drawn.
///
/// Environment: SLIPSTREAM_TWIN_SEED is a whole number that the draws begin with (0, if nothing is said);
/// SLIPSTREAM_TWIN_LAUNCHES names a file to which the name of every kernel is appended when a queue first launches it.
/// Throws Error for another seed, and at a launch that cannot be written down.
class TwinQueue final : public NpuQueue {
 public:
  TwinQueue();
  explicit TwinQueue(std::uint64_t seed);

  unsigned vectorCores() const override { return 8; }
  void launch(const NpuKernel& kernel, unsigned blocks, std::span<const NpuArgument> arguments) override;
  std::byte* scratch(std::size_t bytes) override;
  void upload(void* deviceMemory, std::span<const std::byte> host) override;
  void download(std::span<std::byte> host, const void* deviceMemory) override;
  void copyWithin(void* to, const void* from, std::size_t bytes) override;
  void clear(void* deviceMemory, std::size_t bytes) override;
  std::unique_ptr<NpuMemory> allocate(std::size_t bytes) override;

 private:
  void record(const char* kernel);

  std::mt19937_64 random_;
  twin::Core core_;
  std::unique_ptr<NpuMemory> scratch_;
  std::size_t scratchBytes_ = 0;
  std::string launchesFile_;
  std::set<std::string> recorded_;
};

}  // namespace slipstream
