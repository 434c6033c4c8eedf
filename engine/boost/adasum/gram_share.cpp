// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/adasum/gram_share.h"

#include <algorithm>
#include <utility>

#include "engine/boost/adasum/double_double.h"
#include "engine/boost/slices.h"

namespace slipstream {

namespace {

/// Bits that a norm square may lose before they show in what is stored: a double has 53, a float 24.
template <class T>
constexpr double cancellation = 0x1p-16;
template <>
constexpr double cancellation<double> = 0x1p-3;

}  // namespace

template <class T>
GramShare<T>::GramShare(DeviceQueue& queue, const AdasumKernels<T>& kernels, AdasumShape shape, int leaves, int rank,
                        int ranks)
    : queue_(queue),
      kernels_(kernels),
      shape_(std::move(shape)),
      leaves_(static_cast<std::size_t>(leaves)),
      rank_(rank),
      ranks_(ranks),
      coefficients_(shape_.tensors.size()),
      needsExact_(shape_.tensors.size()),
      statistics_(shape_.tensors.size()) {
  for (int b = 0; b < std::ssize(shape_.buckets); ++b) plans_.push_back(kernels_.plan(queue_, segmentsOfMySlice(b)));
}

template <class T>
Range GramShare<T>::slice(int bucket, int rank) const {
  return sliceOf(shape_.buckets[static_cast<std::size_t>(bucket)].range, rank, ranks_, cacheLineElements<T>);
}

template <class T>
std::size_t GramShare<T>::firstTensor(int bucket) const {
  return static_cast<std::size_t>(shape_.buckets[static_cast<std::size_t>(bucket)].firstTensor);
}

template <class T>
template <class Use>
void GramShare<T>::forMyTensors(int bucket, Use&& use) const {
  const Range mine = mySlice(bucket);
  const auto tensors = shape_.tensorsOf(bucket);
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const Range part = intersection(mine, tensors[t]);
    if (part.size() == 0) continue;
    use(t, static_cast<std::size_t>(part.begin - mine.begin), static_cast<std::size_t>(part.size()));
  }
}

template <class T>
std::vector<TensorSegment> GramShare<T>::segmentsOfMySlice(int bucket) const {
  std::vector<TensorSegment> parts;
  forMyTensors(bucket, [&](std::size_t tensor, std::size_t start, std::size_t elements) {
    parts.push_back({start, elements, tensor});
  });
  return parts;
}

namespace {

template <class T>
std::vector<T*> advanced(std::span<T* const> pointers, std::size_t by) {
  std::vector<T*> result;
  for (T* pointer : pointers) result.push_back(pointer + by);
  return result;
}

}  // namespace

template <class T>
void GramShare<T>::dots(int bucket, std::span<const T* const> leafSlices, std::span<double> sums) const {
  kernels_.dotsOfSegments(queue_, *plans_[static_cast<std::size_t>(bucket)], leafSlices.data(), leaves_, sums.data());
}

template <class T>
void GramShare<T>::exactDots(int bucket, std::span<const T* const> leafSlices, std::span<double> sums) const {
  forMyTensors(bucket, [&](std::size_t tensor, std::size_t start, std::size_t elements) {
    if (!needsExact_[firstTensor(bucket) + tensor]) return;
    const auto leaves = advanced(leafSlices, start);
    kernels_.exactDots(queue_, leaves.data(), leaves_, elements, sums.data() + 2 * tensor * gramSize(leaves_));
  });
}

template <class T>
std::vector<double> GramShare<T>::total(int bucket, std::size_t tensor, std::span<const double* const> sumsOfRanks,
                                        std::size_t doublesPerPair) const {
  const std::size_t count = gramSize(leaves_) * doublesPerPair;
  std::vector<double> sum(count);
  const Range range = shape_.tensorsOf(bucket)[tensor];
  for (int rank = 0; rank < ranks_; ++rank) {
    if (intersection(slice(bucket, rank), range).size() == 0) continue;
    const double* part = sumsOfRanks[static_cast<std::size_t>(rank)] + tensor * count;
    if (doublesPerPair == 1) {
      for (std::size_t k = 0; k < count; ++k) sum[k] += part[k];
    } else {
      for (std::size_t k = 0; k < count; k += 2) addHighLow(sum[k], sum[k + 1], part[k], part[k + 1]);
    }
  }
  return sum;
}

template <class T>
void GramShare<T>::keep(int bucket, std::size_t tensor, AdasumTree tree) {
  const std::size_t first = firstTensor(bucket);
  tree.coefficients.insert(tree.coefficients.end(), tree.corrections.begin(), tree.corrections.end());
  coefficients_[first + tensor] = std::move(tree.coefficients);
  statistics_[first + tensor] = tree.statistics;
}

template <class T>
bool GramShare<T>::growTrees(int bucket, std::span<const double* const> sumsOfRanks) {
  bool needsExact = false;
  for (std::size_t t = 0; t < shape_.tensorsOf(bucket).size(); ++t) {
    AdasumTree tree = adasumTree(total(bucket, t, sumsOfRanks, 1), leaves_, cancellation<T>);
    needsExact_[firstTensor(bucket) + t] = tree.needsExact;
    needsExact = needsExact || tree.needsExact;
    keep(bucket, t, std::move(tree));
  }
  return needsExact;
}

template <class T>
void GramShare<T>::growExactTrees(int bucket, std::span<const double* const> sumsOfRanks) {
  for (std::size_t t = 0; t < shape_.tensorsOf(bucket).size(); ++t) {
    if (!needsExact_[firstTensor(bucket) + t]) continue;
    keep(bucket, t, adasumTreeExact(total(bucket, t, sumsOfRanks, 2), leaves_));
  }
}

template <class T>
bool GramShare<T>::anyNeedsExact(int bucket) const {
  const Bucket& chosen = shape_.buckets[static_cast<std::size_t>(bucket)];
  return std::find(needsExact_.begin() + chosen.firstTensor, needsExact_.begin() + chosen.endTensor, true) !=
         needsExact_.begin() + chosen.endTensor;
}

/// Without their low parts: leaves_ a tensor.
template <class T>
std::vector<double> GramShare<T>::coefficientsOf(int bucket) const {
  std::vector<double> all;
  for (std::size_t t = 0; t < shape_.tensorsOf(bucket).size(); ++t) {
    const auto& ofTensor = coefficients_[firstTensor(bucket) + t];
    all.insert(all.end(), ofTensor.begin(), ofTensor.begin() + static_cast<std::ptrdiff_t>(leaves_));
  }
  return all;
}

template <class T>
void GramShare<T>::combine(int bucket, std::span<const T* const> leafSlices, std::span<T* const> outputSlices) const {
  if (anyNeedsExact(bucket)) return combineOneByOne(bucket, leafSlices, outputSlices);
  kernels_.combineSegments(queue_, *plans_[static_cast<std::size_t>(bucket)], leafSlices.data(),
                           coefficientsOf(bucket).data(), leaves_, outputSlices.data(), outputSlices.size());
}

template <class T>
void GramShare<T>::combineOneByOne(int bucket, std::span<const T* const> leafSlices,
                                   std::span<T* const> outputSlices) const {
  const std::size_t first = firstTensor(bucket);
  forMyTensors(bucket, [&](std::size_t tensor, std::size_t start, std::size_t elements) {
    const auto leaves = advanced(leafSlices, start);
    const auto outputs = advanced(outputSlices, start);
    const auto combine = needsExact_[first + tensor] ? kernels_.exactCombine : kernels_.combine;
    combine(queue_, leaves.data(), coefficients_[first + tensor].data(), leaves_, elements, outputs.data(),
            outputs.size());
  });
}

template class GramShare<float>;
template class GramShare<double>;
template class GramShare<_Float16>;

}  // namespace slipstream
