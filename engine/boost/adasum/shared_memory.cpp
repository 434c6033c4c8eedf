// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "engine/base/error.h"
#include "engine/boost/adasum/exchange.h"
#include "engine/boost/adasum/gram_share.h"
#include "engine/boost/bucket_pipeline.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

/// Doubles that all buckets' dot products take in a rank's part: plain ones and exact ones side by side, because a
/// slower rank still reads the former while a faster one writes the latter.
struct SumsPlan {
  template <class T>
  explicit SumsPlan(const GramShare<T>& share) {
    for (std::size_t b = 0; b < share.shape().buckets.size(); ++b) {
      starts.push_back(total);
      total += 3 * share.sums(static_cast<int>(b));
    }
  }
  std::vector<std::size_t> starts;
  std::size_t total = 0;
};

template <class T>
class SharedMemoryAdasum final : public AdasumReduction {
 public:
  SharedMemoryAdasum(Communicator& communicator, DeviceQueue& queue, const AdasumKernels<T>& kernels,
                     std::vector<std::span<T>> values, std::vector<int> leaves, AdasumShape shape)
      : rank_(communicator.rank()),
        values_(std::move(values)),
        leaves_(std::move(leaves)),
        share_(queue, kernels, std::move(shape), static_cast<int>(leaves_.size()), rank_, communicator.size()),
        plan_(share_),
        sums_(communicator.allocateShared(plan_.total * sizeof(double))),
        pipeline_(communicator, startsOf(share_.shape().buckets), combineExact,
                  [this](int bucket, int stage) { return work(bucket, stage); }) {
    if (!sums_) throw Error("no shared memory is left for Adasum's dot products: enlarge /dev/shm, or free some of it");
  }

  void begin(int bucket) override { pipeline_.begin(bucket); }
  void progress() override { pipeline_.progress(); }
  bool completed(int bucket) const override { return pipeline_.completed(bucket); }
  void finish(std::int64_t end) override { pipeline_.finish(end); }
  std::span<const TensorStatistics> statistics() const override { return share_.statistics(); }
  std::size_t ownBytes() const override { return plan_.total * sizeof(double); }

 private:
  enum Stage { makeDots = 1, combinePlain = 2, combineExact = 3 };

  int work(int bucket, int stage) {
    if (stage == makeDots) {
      share_.dots(bucket, leafSlices(bucket), mySums(bucket, 0));
      return makeDots;
    }
    if (stage == combinePlain && share_.growTrees(bucket, sumsOfRanks(bucket, 0))) {
      share_.exactDots(bucket, leafSlices(bucket), mySums(bucket, share_.sums(bucket)));
      return combinePlain;
    }
    if (stage == combineExact) share_.growExactTrees(bucket, sumsOfRanks(bucket, share_.sums(bucket)));
    share_.combine(bucket, leafSlices(bucket), outputSlices(bucket));
    return combineExact;
  }

  T* sliceOfRank(int bucket, int rank) const {
    return values_[static_cast<std::size_t>(rank)].data() + share_.mySlice(bucket).begin;
  }
  std::vector<const T*> leafSlices(int bucket) const {
    std::vector<const T*> slices;
    for (const int leaf : leaves_) slices.push_back(sliceOfRank(bucket, leaf));
    return slices;
  }
  std::vector<T*> outputSlices(int bucket) const {
    std::vector<T*> slices;
    for (std::size_t rank = 0; rank < values_.size(); ++rank)
      slices.push_back(sliceOfRank(bucket, static_cast<int>(rank)));
    return slices;
  }

  double* sums(int bucket, int rank, std::size_t start) const {
    return reinterpret_cast<double*>(sums_->part(rank).data()) + plan_.starts[static_cast<std::size_t>(bucket)] + start;
  }
  std::span<double> mySums(int bucket, std::size_t start) const {
    return {sums(bucket, rank_, start), 2 * share_.sums(bucket)};
  }
  std::vector<const double*> sumsOfRanks(int bucket, std::size_t start) const {
    std::vector<const double*> all;
    for (std::size_t rank = 0; rank < values_.size(); ++rank)
      all.push_back(sums(bucket, static_cast<int>(rank), start));
    return all;
  }

  int rank_;
  std::vector<std::span<T>> values_;
  std::vector<int> leaves_;
  GramShare<T> share_;
  SumsPlan plan_;
  std::unique_ptr<SharedBuffer> sums_;
  BucketPipeline pipeline_;
};

}  // namespace

template <class T>
std::unique_ptr<AdasumReduction> makeSharedMemoryAdasum(Communicator& communicator, DeviceQueue& queue,
                                                        const AdasumKernels<T>& kernels,
                                                        std::vector<std::span<T>> values, std::vector<int> leaves,
                                                        AdasumShape shape) {
  return std::make_unique<SharedMemoryAdasum<T>>(communicator, queue, kernels, std::move(values), std::move(leaves),
                                                 std::move(shape));
}

template std::unique_ptr<AdasumReduction> makeSharedMemoryAdasum(Communicator&, DeviceQueue&,
                                                                 const AdasumKernels<float>&,
                                                                 std::vector<std::span<float>>, std::vector<int>,
                                                                 AdasumShape);
template std::unique_ptr<AdasumReduction> makeSharedMemoryAdasum(Communicator&, DeviceQueue&,
                                                                 const AdasumKernels<double>&,
                                                                 std::vector<std::span<double>>, std::vector<int>,
                                                                 AdasumShape);
template std::unique_ptr<AdasumReduction> makeSharedMemoryAdasum(Communicator&, DeviceQueue&,
                                                                 const AdasumKernels<_Float16>&,
                                                                 std::vector<std::span<_Float16>>, std::vector<int>,
                                                                 AdasumShape);

}  // namespace slipstream
