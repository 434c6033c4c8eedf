// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/micro_batches.h"

#include <algorithm>

namespace slipstream {
namespace {

/// One batch of the step's samples, [begin, end), and how many of it the rank with most has.
struct OneBatch {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t most;
  bool counts;
};

/// In nearly equal parts. One that would be empty is a sample that counts for nothing: other ranks pass a part too.
void cut(const Batch& batch, const OneBatch& one, const StepPlan& plan, std::vector<MicroBatch>& microBatches) {
  const std::int64_t parts = std::min<std::int64_t>(plan.microBatches, one.most);
  const std::int64_t samples = one.end - one.begin;
  const auto partOf = [&](const auto& values, std::size_t first, std::size_t count) {
    const std::size_t elements = values.size() / static_cast<std::size_t>(batch.count);
    return std::span(values).subspan(first * elements, count * elements);
  };
  const double weight = plan.sumMicroBatches ? plan.microBatches : 1.0;
  const double all = batch.shares.meanCount > 0 ? batch.shares.meanCount : static_cast<double>(batch.count);
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t begin = samples * part / parts;
    const std::int64_t own = samples * (part + 1) / parts - begin;
    const std::int64_t counted = one.counts ? own : 0;
    const auto first = static_cast<std::size_t>(own > 0 ? one.begin + begin : one.begin);
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(own, 1));
    microBatches.push_back({partOf(batch.pictures, first, count), partOf(batch.inputs, first, count),
                            partOf(batch.labels, first, count), static_cast<std::int64_t>(count), counted,
                            static_cast<double>(counted) / all * weight});
  }
}

}  // namespace

MicroBatch wholeOf(const Batch& batch) {
  return {batch.pictures, batch.inputs, batch.labels, batch.count, batch.count};
}

std::vector<MicroBatch> microBatchesOf(const Batch& batch, const StepPlan& plan) {
  const std::int64_t size = batch.batchSize > 0 ? batch.batchSize : batch.count;
  std::vector<MicroBatch> microBatches;
  for (std::int64_t begin = 0; begin < batch.count; begin += size) {
    const std::int64_t end = std::min(begin + size, batch.count);
    const bool last = end == batch.count;
    const std::int64_t most = last ? std::max(batch.shares.mostOfLast, end - begin) : end - begin;
    cut(batch, {begin, end, most, !(last && batch.shares.standIns > 0)}, plan, microBatches);
  }
  return microBatches;
}

double shareAmongOwn(const Batch& batch) {
  const std::int64_t own = batch.count - batch.shares.standIns;
  return batch.shares.meanCount > 0 && own > 0 ? batch.shares.meanCount / static_cast<double>(own) : 1.0;
}

}  // namespace slipstream
