// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// The trainable weights of a network as they were at several moments of an earlier training, oldest first: what the
/// principal components are taken from. Values are fetched when they are asked for; nobody holds all of them.
class WeightSnapshots {
 public:
  virtual ~WeightSnapshots() = default;
  /// The same on every rank.
  virtual int count() const = 0;
  /// Fills `values` (tensor.range.size() of them) with one tensor of snapshot 0 <= `snapshot` < count(). Not
  /// collective: every rank asks for the tensors it needs, some of them more than once. Throws Error naming the
  /// snapshot and the tensor where it is missing or of another size.
  virtual void read(int snapshot, const FlatTensor& tensor, std::span<float> values) = 0;
};

}  // namespace slipstream
