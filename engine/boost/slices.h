// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// Part `part` of `parts` nearly equal ones of `whole`. Cuts fall on multiples of `alignment` elements of the flat
/// space, so that no two owners write the same cache line.
inline Range sliceOf(Range whole, int part, int parts, std::int64_t alignment) {
  const auto cut = [&](int k) {
    if (k == 0) return whole.begin;
    if (k == parts) return whole.end;
    const std::int64_t exact = whole.begin + whole.size() * k / parts;
    return std::clamp((exact + alignment / 2) / alignment * alignment, whole.begin, whole.end);
  };
  return {cut(part), cut(part + 1)};
}

inline std::vector<std::int64_t> startsOf(const std::vector<Bucket>& buckets) {
  std::vector<std::int64_t> starts(buckets.size());
  std::ranges::transform(buckets, starts.begin(), [](const Bucket& bucket) { return bucket.range.begin; });
  return starts;
}

/// Elements of T in a cache line.
template <class T>
constexpr std::int64_t cacheLineElements = 64 / static_cast<std::int64_t>(sizeof(T));

inline Range intersection(Range a, Range b) {
  const std::int64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

}  // namespace slipstream
