#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/data/dataset.h"

namespace slipstream {

/// What the bytes of each channel become: (x/255 - mean) / deviation, computed in double.
class Normalization {
 public:
  Normalization(const DatasetSpec& spec, std::int64_t channels);
  /// Indexed by byte.
  const std::array<float, 256>& ofChannel(std::size_t channel) const { return tables_[channel]; }
  /// The same as one multiplication and one addition, for values between bytes.
  float factor(std::size_t channel) const { return factors_[channel]; }
  float offset(std::size_t channel) const { return offsets_[channel]; }
  std::size_t channels() const { return tables_.size(); }

  /// The mean and the deviation of a channel in units of bytes.
  static double meanOf(const DatasetSpec& spec, std::size_t channel);
  static double deviationOf(const DatasetSpec& spec, std::size_t channel);

 private:
  std::vector<std::array<float, 256>> tables_;
  std::vector<float> factors_;
  std::vector<float> offsets_;
};

/// What the samples of a form are normalised by: those that go as bytes stay what they are.
Normalization normalizationOf(const DatasetSpec& spec, std::int64_t channels, SampleForm form);

}  // namespace slipstream
