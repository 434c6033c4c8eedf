// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/nn/cuda/convolution_shape.h"
#include "engine/nn/cuda/cudnn/device.h"
#include "engine/nn/cuda/cudnn/graph.h"

namespace slipstream {

class CudnnPlan;

/// Seconds that each of the plans takes, infinity where one does not run; nothing where they cannot be timed now.
/// `tensors` is what they all find in memory.
using TimePlans =
    std::function<std::vector<double>(std::span<const CudnnPlan> plans, std::span<const TensorBytes> tensors)>;

/// One of cuDNN's engines, set up for one request on one kind of GPU. The engine gives the same bits each time, and
/// for fp32 computes in fp32, as the CPU does: never in TF32.
class CudnnPlan {
 public:
  /// Plans that are timed before one of them is chosen.
  static constexpr std::size_t mostTimed = 8;

  /// Asks cuDNN's heuristics and takes the first engine that can be set up, or, with a way to time them, the fastest of
  /// the first `mostTimed`; nothing where none can be set up.
  static std::optional<CudnnPlan> build(const PlanRequest& request, const CudnnDevice& device,
                                        const TimePlans& timePlans = {});
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
  /// At most so many that want no more memory than is modest, best first; where all want more, the first of those.
  static std::vector<CudnnPlan> candidates(const CudnnGraph& graph, NumberType type, const CudnnDevice& device,
                                           std::size_t most);

  CudnnPlan(CudnnDescriptor plan, std::string name) : plan_(std::move(plan)), name_(std::move(name)) {}

  CudnnDescriptor plan_;
  std::string name_;
};

}  // namespace slipstream
