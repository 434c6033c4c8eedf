// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/boost/adasum/exchange.h"
#include "engine/boost/adasum/kernels.h"

namespace slipstream {

/// One rank's share of the Gram form, wherever the leaves come from. A bucket is cut into one slice a rank; each rank
/// makes the dot products of its slice, all ranks sum them in rank order and grow the same trees, and each combines its
/// slice. So the bits depend on the cuts, and not on how slices and sums travel.
template <class T>
class GramShare {
 public:
  GramShare(DeviceQueue& queue, const AdasumKernels<T>& kernels, AdasumShape shape, int leaves, int rank, int ranks);

  const AdasumShape& shape() const { return shape_; }
  std::size_t leaves() const { return leaves_; }
  Range slice(int bucket, int rank) const;
  Range mySlice(int bucket) const { return slice(bucket, rank_); }
  /// Doubles that a rank's dot products of a bucket need; twice as many for the exact ones.
  std::size_t sums(int bucket) const { return shape_.tensorsOf(bucket).size() * gramSize(leaves_); }

  /// Dot products of my slice; leafSlices[k] points at its first element of leaf k.
  void dots(int bucket, std::span<const T* const> leafSlices, std::span<double> sums) const;
  /// Of the tensors that growTrees() found in need of them.
  void exactDots(int bucket, std::span<const T* const> leafSlices, std::span<double> sums) const;

  /// Grows the bucket's trees from every rank's dot products; true where a tensor needs the exact ones, because its
  /// leaves nearly cancel.
  bool growTrees(int bucket, std::span<const double* const> sumsOfRanks);
  void growExactTrees(int bucket, std::span<const double* const> sumsOfRanks);

  /// Writes the combination of my slice to every output; the trees must have grown.
  void combine(int bucket, std::span<const T* const> leafSlices, std::span<T* const> outputSlices) const;

  std::span<const TensorStatistics> statistics() const { return statistics_; }

 private:
  std::size_t firstTensor(int bucket) const;
  /// Calls use(number of the tensor in the bucket, its first element in my slice, elements).
  template <class Use>
  void forMyTensors(int bucket, Use&& use) const;
  std::vector<TensorSegment> segmentsOfMySlice(int bucket) const;
  bool anyNeedsExact(int bucket) const;
  std::vector<double> coefficientsOf(int bucket) const;
  void combineOneByOne(int bucket, std::span<const T* const> leafSlices, std::span<T* const> outputSlices) const;
  std::vector<double> total(int bucket, std::size_t tensor, std::span<const double* const> sumsOfRanks,
                            std::size_t doublesPerPair) const;
  void keep(int bucket, std::size_t tensor, AdasumTree tree);

  DeviceQueue& queue_;
  const AdasumKernels<T>& kernels_;
  AdasumShape shape_;
  std::size_t leaves_;
  int rank_;
  int ranks_;
  std::vector<std::unique_ptr<SegmentPlan>> plans_;  ///< by bucket: the parts of its tensors that lie in my slice
  std::vector<std::vector<double>> coefficients_;    ///< by tensor: one a leaf, then their low parts
  std::vector<bool> needsExact_;                     ///< by tensor, since growTrees()
  std::vector<TensorStatistics> statistics_;
};

}  // namespace slipstream
