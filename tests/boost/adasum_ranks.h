// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "engine/boost/adasum/exchange.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream::test {

inline constexpr AdasumExchange everyExchange[] = {AdasumExchange::window, AdasumExchange::halving,
                                                   AdasumExchange::gram};

template <class T>
struct AdasumResult {
  std::vector<T> values;
  std::vector<TensorStatistics> statistics;
};

template <class T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Runs inputs.size() ranks as threads; tensor t is [offsets[t], offsets[t + 1]) of each input. EXPECTs that all ranks
/// end with the same bits and statistics.
template <class T>
AdasumResult<T> runAdasum(const std::vector<std::vector<T>>& inputs, const std::vector<std::int64_t>& offsets,
                          AdasumExchange exchange) {
  std::vector<AdasumResult<T>> results(inputs.size());
  spawnRanks(static_cast<int>(inputs.size()), [&](Communicator& communicator) {
    auto& result = results[static_cast<std::size_t>(communicator.rank())];
    result.values = inputs[static_cast<std::size_t>(communicator.rank())];
    result.statistics = adasumAllReduce<T>(communicator, result.values, offsets, exchange);
  });
  for (const auto& result : results) {
    EXPECT_TRUE(sameBits(result.values, results[0].values));
    EXPECT_TRUE(sameBits(result.statistics, results[0].statistics));
  }
  return results[0];
}

}  // namespace slipstream::test
