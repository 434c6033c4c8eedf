// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/network_spec.h"

namespace slipstream {

/// A half-open range of the flat index space.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

/// One tensor in the flat index space.
struct FlatTensor {
  TensorSpec spec;
  Range range;
};

/// Tensors that are exchanged together: a contiguous run of whole tensors.
struct Bucket {
  Range range;
  int firstTensor = 0;  ///< index into ParameterLayout::tensors
  int endTensor = 0;
};

/// The one order in which weights, gradients and optimizer state are stored: backward order (last layer first), without
/// gaps, so that the gradients that are ready first come first and a bucket is a range.
class ParameterLayout {
 public:
  explicit ParameterLayout(const NetworkShape& shape);

  const std::vector<FlatTensor>& tensors() const { return tensors_; }
  /// The tensors as the network lists them, first layer first.
  std::vector<TensorSpec> forwardTensors() const;
  std::int64_t size() const { return size_; }
  /// The tensor of this name; throws Error where there is none.
  const FlatTensor& tensor(const std::string& name) const;
  /// Index into tensors() of the tensor that holds `position`; throws Error outside the space.
  int tensorAt(std::int64_t position) const;
  /// The range of the tensors of `layer`, without gaps; empty for a layer without tensors.
  Range rangeOfLayer(int layer) const;
  /// The range of the tensors of `firstLayer` and all layers above it: the front of the space.
  Range rangeFromLayer(int firstLayer) const;

 private:
  std::vector<FlatTensor> tensors_;
  std::int64_t size_ = 0;
};

/// Groups of consecutive tensors of at least one tensor and at most `bytes` of fp32 (a larger tensor is alone).
std::vector<Bucket> bucketsBySize(const ParameterLayout& layout, std::int64_t bytes);
/// all_reduce_fusion_config: `lastIndices` are inclusive, over tensors in forward order, and rise. Buckets are in
/// layout order, so the group of the last index comes first.
std::vector<Bucket> bucketsByIndex(const ParameterLayout& layout, const std::vector<int>& lastIndices);

}  // namespace slipstream
