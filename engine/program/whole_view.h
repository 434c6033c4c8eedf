// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>

#include "engine/device/device.h"
#include "engine/nn/parameter_layout.h"
#include "engine/nn/parameter_store.h"

namespace slipstream {

/// The whole flat space at one place, for a program that keeps pointers into it. Where the store lies at one place it
/// is that place, and nothing is ever copied; of a store that ranks share out it is memory of its own.
class WholeView {
 public:
  /// `direct`: the store's own place is meant to be used, if there is one. Store, layout and device live as long.
  WholeView(ParameterStore& store, const ParameterLayout& layout, Device& device, bool direct, MemoryCategory category);

  std::span<float> values() const { return values_; }
  bool isDirect() const { return copy_ == nullptr; }

  /// From the store, where this is a copy. Collective where ranks share the store out.
  void fetch();
  /// One layer's values to the store, and zeros in their place, where this is a copy.
  void put(int layer);
  /// Zeros everywhere.
  void clear();

 private:
  std::span<float> part(Range range) const;
  void clear(std::span<float> values);

  ParameterStore& store_;
  const ParameterLayout& layout_;
  Device& device_;
  std::unique_ptr<Buffer> copy_;
  std::unique_ptr<Buffer> zeros_;  ///< of a device whose memory the host does not touch
  std::span<float> values_;
};

}  // namespace slipstream
