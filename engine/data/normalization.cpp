#include "engine/data/normalization.h"

namespace slipstream {

Normalization::Normalization(const DatasetSpec& spec, std::int64_t channels) {
  for (std::size_t channel = 0; channel < static_cast<std::size_t>(channels); ++channel) {
    const double mean = spec.mean.size() == 1 ? spec.mean.front() : spec.mean.at(channel);
    const double deviation = spec.deviation.size() == 1 ? spec.deviation.front() : spec.deviation.at(channel);
    auto& table = tables_.emplace_back();
    for (std::size_t value = 0; value < table.size(); ++value) {
      table[value] = static_cast<float>((static_cast<double>(value) / 255.0 - mean) / deviation);
    }
    factors_.push_back(static_cast<float>(1.0 / (255.0 * deviation)));
    offsets_.push_back(static_cast<float>(-mean / deviation));
  }
}

}  // namespace slipstream
