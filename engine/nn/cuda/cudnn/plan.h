// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "engine/nn/cuda/convolution_shape.h"
#include "engine/nn/cuda/cudnn/device.h"

namespace slipstream {

/// One of cuDNN's engines, set up for one request on one kind of GPU. The engine gives the same bits each time, and
/// for fp32 computes in fp32, as the CPU does: never in TF32.
class CudnnPlan {
 public:
  /// Asks cuDNN's heuristics and takes the first engine that can be set up; nothing where none can.
  static std::optional<CudnnPlan> build(const PlanRequest& request, const CudnnDevice& device);
  /// From what serialised() and name() gave for this kind of GPU; nothing where cuDNN refuses it.
  static std::optional<CudnnPlan> load(const std::string& serialised, const std::string& name,
                                       const CudnnDevice& device);

  /// JSON of some kilobytes.
  std::string serialised() const;
  std::int64_t workspaceBytes() const;
  /// Of the engine, for the record.
  const std::string& name() const { return name_; }
  /// Puts the work on the handle's stream. `memory` names every tensor of the pattern; the workspace is at least
  /// workspaceBytes() long and aligned to 256 bytes.
  void run(cudnnHandle_t handle, const PlanMemory& memory, void* workspace) const;

 private:
  CudnnPlan(CudnnDescriptor plan, std::string name) : plan_(std::move(plan)), name_(std::move(name)) {}

  CudnnDescriptor plan_;
  std::string name_;
};

}  // namespace slipstream
