#include "engine/data/normalization.h"

namespace slipstream {
namespace {

constexpr double byteSteps = 255;

/// The one of all channels, or the channel's own.
double valueOf(const std::vector<double>& values, std::size_t channel) {
  return values.size() == 1 ? values.front() : values.at(channel);
}

}  // namespace

Normalization::Normalization(const DatasetSpec& spec, std::int64_t channels) {
  for (std::size_t channel = 0; channel < static_cast<std::size_t>(channels); ++channel) {
    const double mean = valueOf(spec.mean, channel);
    const double deviation = valueOf(spec.deviation, channel);
    auto& table = tables_.emplace_back();
    for (std::size_t value = 0; value < table.size(); ++value) {
      table[value] = static_cast<float>((static_cast<double>(value) / byteSteps - mean) / deviation);
    }
    factors_.push_back(static_cast<float>(1.0 / (byteSteps * deviation)));
    offsets_.push_back(static_cast<float>(-mean / deviation));
  }
}

double Normalization::meanOf(const DatasetSpec& spec, std::size_t channel) {
  return byteSteps * valueOf(spec.mean, channel);
}

double Normalization::deviationOf(const DatasetSpec& spec, std::size_t channel) {
  return byteSteps * valueOf(spec.deviation, channel);
}

Normalization normalizationOf(const DatasetSpec& spec, std::int64_t channels, SampleForm form) {
  if (form == SampleForm::normalized) return {spec, channels};
  DatasetSpec bytes = spec;
  bytes.mean = {0};
  bytes.deviation = {1 / byteSteps};
  return {bytes, channels};
}

}  // namespace slipstream
