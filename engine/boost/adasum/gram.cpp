// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "engine/boost/adasum/gram_share.h"
#include "engine/boost/adasum/message_buckets.h"

namespace slipstream {
namespace {

template <class T>
class GramAdasum final : public MessageBuckets {
 public:
  GramAdasum(Communicator& communicator, const AdasumContext<T>& context, std::span<T> values, AdasumShape shape)
      : MessageBuckets(shape),
        communicator_(communicator),
        values_(values),
        share_(context.device.queue(), context.kernels, std::move(shape), communicator.size(), communicator.rank(),
               communicator.size()) {
    std::size_t received = 0;
    std::size_t sums = 0;
    for (std::size_t b = 0; b < share_.shape().buckets.size(); ++b) {
      const int bucket = static_cast<int>(b);
      received = std::max(received, mySliceElements(bucket) * (ranks() - 1));
      sums = std::max(sums, share_.sums(bucket));
    }
    received_ = context.device.allocate(received * sizeof(T), MemoryCategory::boost);
    mySums_.resize(2 * sums);
    allSums_.resize(2 * sums * ranks());
  }

  std::span<const TensorStatistics> statistics() const override { return share_.statistics(); }
  std::size_t ownBytes() const override { return (mySums_.size() + allSums_.size()) * sizeof(double); }

 private:
  void exchange(int bucket) override {
    exchangeSlices(bucket);
    const auto leaves = leafSlices(bucket);
    share_.dots(bucket, leaves, mySums_);
    if (share_.growTrees(bucket, gatherSums(share_.sums(bucket)))) {
      share_.exactDots(bucket, leaves, mySums_);
      share_.growExactTrees(bucket, gatherSums(2 * share_.sums(bucket)));
    }
    T* const mine = values_.data() + share_.mySlice(bucket).begin;
    share_.combine(bucket, leaves, std::span(&mine, 1));
    communicator_.allGatherInPlace(bucketBytes(bucket), sliceOffsets(bucket));
  }

  /// The other ranks' versions of my slice, one behind the other in received_.
  void exchangeSlices(int bucket) {
    std::vector<std::size_t> inOffsets{0};
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      const std::size_t bytes = rank == communicator_.rank() ? 0 : mySliceElements(bucket) * sizeof(T);
      inOffsets.push_back(inOffsets.back() + bytes);
    }
    communicator_.allToAll(bucketBytes(bucket), sliceOffsets(bucket), received_->bytes(), inOffsets);
  }

  std::vector<const double*> gatherSums(std::size_t count) {
    communicator_.allGather(std::as_bytes(std::span(mySums_).first(count)),
                            std::as_writable_bytes(std::span(allSums_).first(count * ranks())));
    std::vector<const double*> all;
    for (std::size_t rank = 0; rank < ranks(); ++rank) all.push_back(allSums_.data() + rank * count);
    return all;
  }

  std::size_t ranks() const { return static_cast<std::size_t>(communicator_.size()); }
  std::size_t mySliceElements(int bucket) const { return static_cast<std::size_t>(share_.mySlice(bucket).size()); }
  std::vector<const T*> leafSlices(int bucket) const {
    std::vector<const T*> slices;
    const T* next = received_->template as<T>().data();
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      const bool mine = rank == communicator_.rank();
      slices.push_back(mine ? values_.data() + share_.mySlice(bucket).begin : next);
      if (!mine) next += mySliceElements(bucket);
    }
    return slices;
  }
  std::span<std::byte> bucketBytes(int bucket) const {
    const Range range = share_.shape().buckets[static_cast<std::size_t>(bucket)].range;
    return std::as_writable_bytes(
        values_.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size())));
  }
  std::vector<std::size_t> sliceOffsets(int bucket) const {
    std::vector<std::size_t> offsets{0};
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      offsets.push_back(offsets.back() + static_cast<std::size_t>(share_.slice(bucket, rank).size()) * sizeof(T));
    }
    return offsets;
  }

  Communicator& communicator_;
  std::span<T> values_;
  GramShare<T> share_;
  std::unique_ptr<Buffer> received_;
  std::vector<double> mySums_;
  std::vector<double> allSums_;
};

}  // namespace

template <class T>
std::unique_ptr<AdasumReduction> makeGramAdasum(Communicator& communicator, const AdasumContext<T>& context,
                                                std::span<T> values, AdasumShape shape) {
  return makeInRounds<GramAdasum, T>(communicator, context, values, std::move(shape));
}

template std::unique_ptr<AdasumReduction> makeGramAdasum(Communicator&, const AdasumContext<float>&, std::span<float>,
                                                         AdasumShape);
template std::unique_ptr<AdasumReduction> makeGramAdasum(Communicator&, const AdasumContext<double>&, std::span<double>,
                                                         AdasumShape);
template std::unique_ptr<AdasumReduction> makeGramAdasum(Communicator&, const AdasumContext<_Float16>&,
                                                         std::span<_Float16>, AdasumShape);

}  // namespace slipstream
