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

/// What came of running a plan several times.
struct PlanTrial {
  double seconds;   ///< of the fastest run; infinity where the plan does not run
  bool repeats;     ///< every run gave the same bits
  double distance;  ///< of single elements of the result from their sums in double, by the norm of these
};

/// A trial of each of the plans, in their order; nothing where they cannot be tried now. `tensors` is what they all
/// find in memory.
using TryPlans = std::function<std::vector<PlanTrial>(const PlanRequest& request, std::span<const CudnnPlan> plans,
                                                      std::span<const TensorBytes> tensors)>;

/// A plan that was looked for.
struct PlanChoice;

/// One of cuDNN's engines, set up for one request on one kind of GPU. The engine gives the same bits each time, and
/// for fp32 computes in fp32, as the CPU does: never in TF32. cuDNN's own notes say so of its engines, and not of all:
/// on an H100 none of those that sum by channel repeated its bits, and of weight gradients one rounded as TF32 does and
/// one was wrong. So plans are tried before they are believed.
class CudnnPlan {
 public:
  /// Plans that are tried before one of them is chosen.
  static constexpr std::size_t mostTried = 8;

  /// Asks cuDNN's heuristics and takes the first engine that can be set up, or, with a way to try them, the fastest of
  /// the first `mostTried` that give the same bits each time and are no further from the exact result than the type's
  /// rounding explains. Nothing where there is none; nor where plans of several operations cannot be tried.
  static PlanChoice build(const PlanRequest& request, const CudnnDevice& device, const TryPlans& tryPlans = {});
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

struct PlanChoice {
  std::optional<CudnnPlan> plan;
  bool isFinal = true;  ///< false where plans were to be tried and could not be: another time may choose otherwise
};

}  // namespace slipstream
