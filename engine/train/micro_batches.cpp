#include "engine/train/micro_batches.h"

#include <algorithm>

namespace slipstream {

std::vector<MicroBatch> microBatchesOf(const Batch& batch, const StepPlan& plan) {
  const std::int64_t parts = std::min<std::int64_t>(plan.microBatches, batch.count);
  const std::size_t elements = batch.inputs.size() / static_cast<std::size_t>(batch.count);
  std::vector<MicroBatch> microBatches;
  for (std::int64_t part = 0; part < parts; ++part) {
    const auto begin = static_cast<std::size_t>(batch.count * part / parts);
    const auto count = static_cast<std::size_t>(batch.count * (part + 1) / parts) - begin;
    const double share = static_cast<double>(count) / static_cast<double>(batch.count);
    microBatches.push_back({std::span(batch.inputs).subspan(begin * elements, count * elements),
                            std::span(batch.labels).subspan(begin, count), static_cast<std::int64_t>(count),
                            plan.sumMicroBatches ? 1.0 : share});
  }
  return microBatches;
}

}  // namespace slipstream
