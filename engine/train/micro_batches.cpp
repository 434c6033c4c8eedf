#include "engine/train/micro_batches.h"

#include <algorithm>

namespace slipstream {
namespace {

/// One batch of the step's samples, [begin, end), in nearly equal parts.
void cut(const Batch& batch, std::int64_t begin, std::int64_t end, const StepPlan& plan,
         std::vector<MicroBatch>& microBatches) {
  const std::int64_t parts = std::min<std::int64_t>(plan.microBatches, end - begin);
  const auto partOf = [&](const auto& values, std::size_t first, std::size_t count) {
    const std::size_t elements = values.size() / static_cast<std::size_t>(batch.count);
    return std::span(values).subspan(first * elements, count * elements);
  };
  const double weight = plan.sumMicroBatches ? plan.microBatches : 1.0;
  for (std::int64_t part = 0; part < parts; ++part) {
    const auto first = static_cast<std::size_t>(begin + (end - begin) * part / parts);
    const auto count = static_cast<std::size_t>(begin + (end - begin) * (part + 1) / parts) - first;
    const double share = static_cast<double>(count) / static_cast<double>(batch.count);
    microBatches.push_back({partOf(batch.pictures, first, count), partOf(batch.inputs, first, count),
                            partOf(batch.labels, first, count), static_cast<std::int64_t>(count), share * weight});
  }
}

}  // namespace

MicroBatch wholeOf(const Batch& batch) {
  return {batch.pictures, batch.inputs, batch.labels, batch.count};
}

std::vector<MicroBatch> microBatchesOf(const Batch& batch, const StepPlan& plan) {
  const std::int64_t size = batch.batchSize > 0 ? batch.batchSize : batch.count;
  std::vector<MicroBatch> microBatches;
  for (std::int64_t begin = 0; begin < batch.count; begin += size) {
    cut(batch, begin, std::min(begin + size, batch.count), plan, microBatches);
  }
  return microBatches;
}

}  // namespace slipstream
