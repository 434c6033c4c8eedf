#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/plan/experiment.h"

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

 private:
  std::vector<std::array<float, 256>> tables_;
  std::vector<float> factors_;
  std::vector<float> offsets_;
};

}  // namespace slipstream
