// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/device/cuda/workspace.h"
#include "engine/device/tensor_parts.h"

namespace slipstream {

/// Parts whose chunks stay on the GPU. To be used with the GPU that its thread used when it was made.
class CudaPartPlan final : public PartPlan {
 public:
  explicit CudaPartPlan(std::span<const TensorPart> parts) : CudaPartPlan(parts, chunksOf(parts)) {}

  unsigned chunkCount() const { return chunkCount_; }
  const Chunk* chunks() const { return chunks_.data(); }
  /// As ChunkTable's.
  const std::uint32_t* first() const { return first_.data(); }

 private:
  CudaPartPlan(std::span<const TensorPart> parts, const ChunkTable& table)
      : PartPlan({parts.begin(), parts.end()}),
        chunkCount_(static_cast<unsigned>(table.chunks.size())),
        chunks_(table.chunks),
        first_(table.first) {}

  unsigned chunkCount_;
  CudaTable<Chunk> chunks_;
  CudaTable<std::uint32_t> first_;
};

inline std::unique_ptr<PartPlan> makeCudaPartPlan(std::span<const TensorPart> parts) {
  return std::make_unique<CudaPartPlan>(parts);
}

/// Of a plan that a CUDA table made.
inline const CudaPartPlan& cudaPlan(const PartPlan& plan) {
  return static_cast<const CudaPartPlan&>(plan);
}

}  // namespace slipstream
