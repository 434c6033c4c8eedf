// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/image_normalization.h"

namespace slipstream {
namespace {

/// The one of all channels, or the channel's own.
double valueOfChannel(const std::vector<double>& values, std::size_t channel) {
  return values.size() == 1 ? values.front() : values.at(channel);
}

}  // namespace

ImageNormalization normalizationOf(const DatasetSpec& dataset, std::int64_t channels) {
  ImageNormalization normalization;
  for (std::size_t channel = 0; channel < static_cast<std::size_t>(channels); ++channel) {
    normalization.mean.push_back(valueOfChannel(dataset.mean, channel));
    normalization.deviation.push_back(valueOfChannel(dataset.deviation, channel));
  }
  return normalization;
}

}  // namespace slipstream
