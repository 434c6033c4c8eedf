// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "engine/boost/adasum/halving_plan.h"
#include "engine/boost/adasum/message_buckets.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

/// a.a, a.b and b.b of one tensor, as gramIndex orders them.
constexpr std::size_t pairSums = 3;

template <class T>
class HalvingAdasum final : public MessageBuckets {
 public:
  HalvingAdasum(Communicator& communicator, const AdasumContext<T>& context, std::span<T> values, AdasumShape shape)
      : MessageBuckets(shape),
        communicator_(communicator),
        rank_(communicator.rank()),
        values_(values),
        queue_(context.device.queue()),
        kernels_(context.kernels),
        shape_(std::move(shape)),
        plan_(communicator.size()),
        totals_(shape_.tensors.size()),
        statistics_(shape_.tensors.size()) {
    for (int level = 0; level < plan_.levels(); ++level) {
      groups_.push_back(communicator.split(plan_.group(rank_, level).begin, rank_));
    }
    std::int64_t largest = 0;
    for (const Bucket& bucket : shape_.buckets) largest = std::max(largest, bucket.range.size());
    const auto half = static_cast<std::size_t>(plan_.levels() > 0 ? largest - largest / 2 : 0);
    buffer_ = context.device.allocate(half * sizeof(T), MemoryCategory::boost);
    received_ = buffer_->template as<T>();
  }

  void finish(std::int64_t end) override {
    totals_.assign(totals_.size(), {});
    MessageBuckets::finish(end);
    gatherStatistics();
  }
  std::span<const TensorStatistics> statistics() const override { return statistics_; }
  std::size_t ownBytes() const override { return 0; }

 private:
  /// Three numbers a tensor, summed over ranks at the end.
  struct Totals {
    double leafNorms = 0;
    double cosines = 0;
    double rootNorm = 0;
  };

  void exchange(int bucket) override {
    const Range whole = shape_.buckets[static_cast<std::size_t>(bucket)].range;
    for (int level = 0; level < plan_.levels(); ++level) {
      if (plan_.combines(rank_, level)) combineLevel(bucket, whole, level);
    }
    if (plan_.levels() == 0) addOnlyNorms(bucket, whole);
    for (int level = plan_.levels() - 1; level >= 0; --level) {
      if (plan_.combines(rank_, level)) spreadLevel(whole, level);
    }
  }

  void combineLevel(int bucket, Range whole, int level) {
    const auto places = plan_.placesOf(rank_, level);
    std::vector<double> sums(shape_.tensorsOf(bucket).size() * pairSums);
    std::int64_t used = 0;
    for (const int place : places) {
      receiveHalf(place, level, whole, used);
      addDots(bucket, place, level, whole, received_.data() + used, sums);
      used += plan_.owned(place, level + 1, whole).size();
    }
    groups_[static_cast<std::size_t>(level)]->allReduceSum(sums);
    addPairTotals(bucket, level, sums);
    used = 0;
    for (const int place : places) {
      combineHalf(bucket, place, level, whole, received_.data() + used, sums);
      used += plan_.owned(place, level + 1, whole).size();
    }
  }

  /// Sends the partner's half and receives its version of mine behind the `used` elements that are there already.
  void receiveHalf(int place, int level, Range whole, std::int64_t used) {
    const int partner = plan_.partner(place, level);
    const Range mine = plan_.owned(place, level + 1, whole);
    const Range theirs = plan_.owned(partner, level + 1, whole);
    const auto in = received_.subspan(static_cast<std::size_t>(used), static_cast<std::size_t>(mine.size()));
    communicator_.sendReceive(bytesOf(theirs), plan_.rankOf(partner), std::as_writable_bytes(in),
                              plan_.rankOf(partner));
  }

  /// Left vector first.
  std::pair<const T*, const T*> sides(int place, int level, const T* own, const T* received) const {
    return plan_.isLeft(place, level) ? std::pair{own, received} : std::pair{received, own};
  }

  /// Calls use(tensor of the bucket, its first element that is mine, offset of that in my half, elements).
  template <class Use>
  void forTensors(int bucket, Range mine, Use&& use) const {
    const auto tensors = shape_.tensorsOf(bucket);
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      const Range part = intersection(mine, tensors[t]);
      if (part.size() > 0) use(t, part.begin, part.begin - mine.begin, static_cast<std::size_t>(part.size()));
    }
  }

  void addDots(int bucket, int place, int level, Range whole, const T* received, std::vector<double>& sums) const {
    const Range mine = plan_.owned(place, level + 1, whole);
    forTensors(bucket, mine, [&](std::size_t tensor, std::int64_t start, std::int64_t offset, std::size_t elements) {
      const auto [a, b] = sides(place, level, values_.data() + start, received + offset);
      const T* const leaves[]{a, b};
      double part[pairSums];
      kernels_.dots(queue_, leaves, 2, elements, part);
      for (std::size_t k = 0; k < pairSums; ++k) sums[tensor * pairSums + k] += part[k];
    });
  }

  void combineHalf(int bucket, int place, int level, Range whole, const T* received, const std::vector<double>& sums) {
    const Range mine = plan_.owned(place, level + 1, whole);
    forTensors(bucket, mine, [&](std::size_t tensor, std::int64_t start, std::int64_t offset, std::size_t elements) {
      T* const own = values_.data() + start;
      const auto [a, b] = sides(place, level, own, received + offset);
      const T* const leaves[]{a, b};
      const double* sum = sums.data() + tensor * pairSums;
      const PairCoefficients by = pairCoefficients(sum[1], sum[0], sum[2]);
      const double coefficients[]{by.a, by.b};
      kernels_.combine(queue_, leaves, coefficients, 2, elements, &own, 1);
    });
  }

  /// Counted by the first rank of the group, for all of it.
  void addPairTotals(int bucket, int level, const std::vector<double>& sums) {
    const auto group = plan_.group(rank_, level);
    if (rank_ != group.begin) return;
    Totals* totals = totals_.data() + shape_.buckets[static_cast<std::size_t>(bucket)].firstTensor;
    for (std::size_t t = 0; t < shape_.tensorsOf(bucket).size(); ++t) {
      const double* sum = sums.data() + t * pairSums;
      if (level == 0) totals[t].leafNorms += sum[0];
      if (group.end - group.middle == 1) totals[t].leafNorms += sum[2];
      totals[t].cosines += pairCosine(sum[1], sum[0], sum[2]);
      if (level + 1 == plan_.levels()) totals[t].rootNorm = combinedNorm(sum[1], sum[0], sum[2]);
    }
  }

  /// One rank: its own vector is leaf and root.
  void addOnlyNorms(int bucket, Range whole) {
    Totals* totals = totals_.data() + shape_.buckets[static_cast<std::size_t>(bucket)].firstTensor;
    forTensors(bucket, whole, [&](std::size_t tensor, std::int64_t start, std::int64_t, std::size_t elements) {
      const T* const leaf = values_.data() + start;
      kernels_.dots(queue_, &leaf, 1, elements, &totals[tensor].rootNorm);
      totals[tensor].leafNorms = totals[tensor].rootNorm;
    });
  }

  /// The way back: partners give each other the finished half that the other lacks.
  void spreadLevel(Range whole, int level) {
    for (const int place : plan_.placesOf(rank_, level)) {
      const int partner = plan_.partner(place, level);
      communicator_.sendReceive(bytesOf(plan_.owned(place, level + 1, whole)), plan_.rankOf(partner),
                                bytesOf(plan_.owned(partner, level + 1, whole)), plan_.rankOf(partner));
    }
  }

  void gatherStatistics() {
    static_assert(sizeof(Totals) == 3 * sizeof(double));
    if (totals_.empty()) return;
    communicator_.allReduceSum(std::span(&totals_.data()->leafNorms, 3 * totals_.size()));
    for (std::size_t t = 0; t < totals_.size(); ++t) {
      const Totals& total = totals_[t];
      statistics_[t] =
          tensorStatistics(total.leafNorms, total.rootNorm, total.cosines / std::max(1, communicator_.size() - 1));
    }
  }

  std::span<std::byte> bytesOf(Range range) const {
    return std::as_writable_bytes(
        values_.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size())));
  }

  Communicator& communicator_;
  int rank_;
  std::span<T> values_;
  DeviceQueue& queue_;
  const AdasumKernels<T>& kernels_;
  AdasumShape shape_;
  HalvingPlan plan_;
  std::vector<std::unique_ptr<Communicator>> groups_;  ///< by level
  std::unique_ptr<Buffer> buffer_;
  std::span<T> received_;
  std::vector<Totals> totals_;
  std::vector<TensorStatistics> statistics_;
};

}  // namespace

template <class T>
std::unique_ptr<AdasumReduction> makeHalvingAdasum(Communicator& communicator, const AdasumContext<T>& context,
                                                   std::span<T> values, AdasumShape shape) {
  return makeInRounds<HalvingAdasum, T>(communicator, context, values, std::move(shape));
}

template std::unique_ptr<AdasumReduction> makeHalvingAdasum(Communicator&, const AdasumContext<float>&,
                                                            std::span<float>, AdasumShape);
template std::unique_ptr<AdasumReduction> makeHalvingAdasum(Communicator&, const AdasumContext<double>&,
                                                            std::span<double>, AdasumShape);
template std::unique_ptr<AdasumReduction> makeHalvingAdasum(Communicator&, const AdasumContext<_Float16>&,
                                                            std::span<_Float16>, AdasumShape);

}  // namespace slipstream
