// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// Consecutive steps of one rank: every row holds one value a name. NaN and infinities are values like any other.
struct MetricBlock {
  std::vector<std::string> names;
  std::vector<std::int64_t> steps;            ///< updates already done in the run, from 0
  std::vector<std::int64_t> wallNanoseconds;  ///< as many as steps
  std::vector<double> values;                 ///< steps.size() * names.size(), row by row
  bool operator==(const MetricBlock&) const = default;
};

/// The form on the wire and in the store's tail: little-endian, versioned, one string.
std::string encode(const MetricBlock& block);
Result<MetricBlock> decodeMetricBlock(std::string_view bytes);

}  // namespace slipstream
