// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/nn/cuda/convolution_shape.h"

namespace slipstream {

/// Runs convolutions for the layers of one network.
class ConvolutionRunner {
 public:
  virtual ~ConvolutionRunner() = default;
  /// Whether networks are planned for patterns that do more than a convolution.
  virtual bool fuses() const = 0;
  /// Whether this device has a way to compute the request.
  virtual bool has(const PlanRequest& request) = 0;
  /// Scratch bytes of the request. Throws Error where this device has no way to compute it.
  virtual std::int64_t prepare(const PlanRequest& request) = 0;
  /// Puts the work behind what the device was given. `memory` names every tensor of the pattern, in device memory at
  /// multiples of planAlignment, of the types that the request says; `scratch` holds the bytes that prepare() gave.
  virtual void run(const PlanRequest& request, const PlanMemory& memory, void* scratch) = 0;
  /// How the request is computed, for the record.
  virtual std::string nameOf(const PlanRequest& request) = 0;
};

}  // namespace slipstream
