// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/averaged/bucket_sum.h"

#include <utility>

#include "engine/boost/averaged/host_sum.h"
#include "engine/boost/bucket_pipeline.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

/// The owner of a slice reads it from every rank and writes the sum to every rank.
std::unique_ptr<BucketExchange> makeSharedMemorySum(Communicator& group, std::vector<std::span<float>> values,
                                                    std::vector<Bucket> buckets, float scale, DeviceQueue& queue,
                                                    const VectorKernels& kernels) {
  std::vector<std::int64_t> starts = startsOf(buckets);
  auto sumMySlice = [values = std::move(values), buckets = std::move(buckets), scale, &queue, &kernels,
                     rank = group.rank(), size = group.size()](int bucket, int stage) {
    const Range slice = sliceOf(buckets[static_cast<std::size_t>(bucket)].range, rank, size, cacheLineElements<float>);
    std::vector<float*> parts;
    for (const auto& part : values) parts.push_back(part.data() + slice.begin);
    kernels.sum(queue, parts, parts, static_cast<std::size_t>(slice.size()), scale, false);
    return stage;
  };
  return std::make_unique<BucketPipeline>(group, std::move(starts), 1, std::move(sumMySlice));
}

class MessageSum final : public BucketExchange {
 public:
  MessageSum(Communicator& group, std::span<float> values, std::vector<Bucket> buckets, float scale, DeviceQueue& queue,
             const VectorKernels& kernels)
      : group_(group),
        values_(values),
        buckets_(std::move(buckets)),
        scale_(scale),
        queue_(queue),
        kernels_(kernels),
        requests_(buckets_.size()),
        completed_(buckets_.size()) {}

  void begin(int bucket) override {
    requests_[static_cast<std::size_t>(bucket)] = group_.startAllReduceSum(bucketValues(bucket));
  }
  void progress() override {
    for (std::size_t b = 0; b < requests_.size(); ++b) {
      if (requests_[b] && requests_[b]->done()) complete(static_cast<int>(b));
    }
  }
  bool completed(int bucket) const override { return completed_[static_cast<std::size_t>(bucket)]; }
  void finish(std::int64_t end) override {
    std::size_t wanted = 0;
    for (; wanted < buckets_.size() && buckets_[wanted].range.begin < end; ++wanted) {
      if (!requests_[wanted] && !completed_[wanted]) begin(static_cast<int>(wanted));
    }
    for (std::size_t b = 0; b < wanted; ++b) {
      if (completed_[b]) continue;
      requests_[b]->wait();
      complete(static_cast<int>(b));
    }
    completed_.assign(completed_.size(), false);
  }

 private:
  std::span<float> bucketValues(int bucket) const {
    const Range range = buckets_[static_cast<std::size_t>(bucket)].range;
    return values_.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
  }
  void complete(int bucket) {
    requests_[static_cast<std::size_t>(bucket)].reset();
    kernels_.scale(queue_, bucketValues(bucket), scale_);
    completed_[static_cast<std::size_t>(bucket)] = true;
  }

  Communicator& group_;
  std::span<float> values_;
  std::vector<Bucket> buckets_;
  float scale_;
  DeviceQueue& queue_;
  const VectorKernels& kernels_;
  std::vector<std::unique_ptr<Request>> requests_;
  std::vector<bool> completed_;
};

}  // namespace

std::unique_ptr<BucketExchange> makeBucketSum(Communicator& group, const HostLayout& hosts,
                                              std::vector<std::span<float>> values, std::vector<Bucket> buckets,
                                              float scale, Device& device, const VectorKernels& kernels) {
  if (!hosts.oneHost())
    return makeHostSum({group, hosts, std::move(values), std::move(buckets), scale, device, kernels});
  if (values.size() > 1)
    return makeSharedMemorySum(group, std::move(values), std::move(buckets), scale, device.queue(), kernels);
  return std::make_unique<MessageSum>(group, values.front(), std::move(buckets), scale, device.queue(), kernels);
}

std::unique_ptr<BucketExchange> makeGradientSum(const UpdateContext& parts, const RankMemory& gradients, bool mean) {
  const int ranks = parts.communicator.size();
  if (ranks == 1) return nullptr;
  auto values = gradients.ofHost().empty() ? std::vector{gradients.own()} : gradients.ofHost();
  return makeBucketSum(parts.communicator, gradients.hosts(), std::move(values), parts.buckets,
                       mean ? 1.0F / static_cast<float>(ranks) : 1.0F, parts.device, parts.kernels.of<VectorKernels>());
}

std::string nameOfSum(const RankMemory& gradients) {
  if (!gradients.hosts().oneHost()) return "hosts " + gradients.hosts().text();
  return gradients.shared() ? "window" : "messages";
}

}  // namespace slipstream
