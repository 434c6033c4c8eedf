// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "engine/boost/adasum/gram_share.h"
#include "engine/boost/adasum/message_buckets.h"
#include "engine/comm/short_messages.h"

namespace slipstream {
namespace {

template <class T>
class GramAdasum final : public MessageBuckets {
 public:
  GramAdasum(Communicator& communicator, const AdasumContext<T>& context, std::span<T> values, AdasumShape shape)
      : MessageBuckets(shape),
        communicator_(communicator),
        betweenHosts_(context.betweenHosts),
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
    gatherResults(bucket);
  }

  /// The other ranks' versions of my slice, one behind the other in received_.
  void exchangeSlices(int bucket) {
    std::vector<std::size_t> inOffsets{0};
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      const std::size_t bytes = rank == communicator_.rank() ? 0 : mySliceElements(bucket) * sizeof(T);
      inOffsets.push_back(inOffsets.back() + bytes);
    }
    if (betweenHosts_) return exchangeBetweenHosts(bucket, slicesOf(bucket), partsOf(received_->bytes(), inOffsets));
    communicator_.allToAll(bucketBytes(bucket), sliceOffsets(bucket), received_->bytes(), inOffsets);
  }

  void gatherResults(int bucket) {
    if (!betweenHosts_) return communicator_.allGatherInPlace(bucketBytes(bucket), sliceOffsets(bucket));
    const auto in = slicesOf(bucket);
    exchangeBetweenHosts(bucket, std::vector(in.size(), in[static_cast<std::size_t>(communicator_.rank())]), in);
  }

  /// Of what a rank sends to itself, nothing.
  void exchangeBetweenHosts(int bucket, std::vector<std::span<std::byte>> out, std::vector<std::span<std::byte>> in) {
    const auto me = static_cast<std::size_t>(communicator_.rank());
    out[me] = in[me] = {};
    std::size_t longest = 0;
    for (const auto& slice : slicesOf(bucket)) longest = std::max(longest, slice.size());
    const std::vector<std::span<const std::byte>> sent(out.begin(), out.end());
    exchangeShort(communicator_, sent, in, longest);
  }

  static std::vector<std::span<std::byte>> partsOf(std::span<std::byte> bytes,
                                                   const std::vector<std::size_t>& offsets) {
    std::vector<std::span<std::byte>> parts;
    for (std::size_t rank = 0; rank + 1 < offsets.size(); ++rank) {
      parts.push_back(bytes.subspan(offsets[rank], offsets[rank + 1] - offsets[rank]));
    }
    return parts;
  }
  /// A bucket's, by the ranks that combine them.
  std::vector<std::span<std::byte>> slicesOf(int bucket) const {
    return partsOf(bucketBytes(bucket), sliceOffsets(bucket));
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
  bool betweenHosts_;
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
