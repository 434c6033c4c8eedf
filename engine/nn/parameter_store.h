// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/device/device.h"
#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// A part of the flat space that this rank keeps, and its memory.
struct PinnedRange {
  Range range;
  std::span<float> values;
};

/// Backs ranges of the flat index space with memory. Layers ask for a range each time they need it and keep no pointer.
/// Whole and permanent here; sharded stores gather in `acquire` and let go in `release`.
class ParameterStore {
 public:
  virtual ~ParameterStore() = default;
  virtual std::span<float> acquire(Range range) = 0;
  virtual void release(Range range) = 0;
  /// What this rank keeps between acquisitions; what is written there stays. In layout order, without overlaps.
  virtual std::vector<PinnedRange> kept() = 0;
  /// Where the space begins, if all of it is at one place for as long as the store lives; else null.
  virtual const float* permanent() const { return nullptr; }
};

/// One permanent buffer for the whole space.
class WholeParameterStore final : public ParameterStore {
 public:
  WholeParameterStore(Device& device, std::int64_t elements, MemoryCategory category);
  /// On memory that somebody else owns (a shared window's part).
  explicit WholeParameterStore(std::span<float> memory) : memory_(memory) {}
  std::span<float> acquire(Range range) override;
  void release(Range) override {}
  std::vector<PinnedRange> kept() override { return {{{0, static_cast<std::int64_t>(memory_.size())}, memory_}}; }
  const float* permanent() const override { return memory_.data(); }

 private:
  std::unique_ptr<Buffer> buffer_;
  std::span<float> memory_;
};

}  // namespace slipstream
