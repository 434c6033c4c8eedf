// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/boost/dim_reduce/columns.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/comm/communicator.h"
#include "engine/device/device.h"

namespace slipstream {

/// Puts the ranks' slices of a vector together on every rank: through shared memory where they are on one host, else by
/// messages; the same bits.
class SliceGather {
 public:
  /// Collective.
  SliceGather(Communicator& communicator, Device& device, const VectorKernels& kernels, ColumnSlices slices);
  ~SliceGather();
  SliceGather(const SliceGather&) = delete;
  SliceGather& operator=(const SliceGather&) = delete;

  /// This rank's slice of the next gather, to be filled. Another piece of memory after each gather.
  std::span<float> mine();
  /// `whole`: all columns. Collective.
  void gather(std::span<float> whole);

 private:
  std::span<float> sliceOf(int rank);

  Communicator& communicator_;
  Device& device_;
  const VectorKernels& kernels_;
  ColumnSlices slices_;
  std::unique_ptr<SharedBuffer> shared_;
  std::unique_ptr<Buffer> buffer_;
  /// Slices lie twice in the shared memory, used in turn: who fills one half knows from the gather of the other one
  /// that everybody has read it.
  int half_ = 0;
};

}  // namespace slipstream
