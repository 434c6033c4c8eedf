// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/evaluation_split.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "engine/base/hash.h"
#include "engine/base/random.h"

namespace slipstream {
namespace {

Result<std::int64_t> samplesToEvaluate(const DatasetSpec& dataset, std::int64_t samples) {
  const std::int64_t trained = dataset.evaluationFraction < 1 ? 1 : 0;
  if (samples < 1 + trained) {
    return fail("dataset.path", dataset.path,
                samples == 1 ? "has one sample: there is none to evaluate on" : "has no samples",
                "give it more samples, or a part of its own to evaluate on");
  }
  if (samples > std::numeric_limits<std::uint32_t>::max()) {
    return fail("dataset.path", dataset.path, "has more than 4 billion samples", "divide it");
  }
  const auto wanted = std::llround(dataset.evaluationFraction * static_cast<double>(samples));
  return std::clamp<std::int64_t>(wanted, 1, samples - trained);
}

std::string hashOfNumbers(const std::vector<bool>& chosen) {
  Sha256 sum;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    const std::string line = std::to_string(i) + "\n";
    sum.add(std::as_bytes(std::span(line)));
  }
  return sum.text();
}

}  // namespace

Result<EvaluationSplit> drawSplit(const DatasetSpec& dataset, std::int64_t samples) {
  SLIPSTREAM_TRY(count, samplesToEvaluate(dataset, samples));
  std::vector<std::uint32_t> order(static_cast<std::size_t>(samples));
  std::iota(order.begin(), order.end(), 0U);
  Random(dataset.splitSeed, RandomStream::split).shuffle(order);
  EvaluationSplit split{std::vector<bool>(order.size()), count, {}};
  for (std::int64_t i = 0; i < count; ++i) split.evaluates[order[static_cast<std::size_t>(i)]] = true;
  split.hash = hashOfNumbers(split.evaluates);
  return split;
}

Result<EvaluationSplit> splitAtEnd(const DatasetSpec& dataset, std::int64_t samples) {
  SLIPSTREAM_TRY(count, samplesToEvaluate(dataset, samples));
  EvaluationSplit split{std::vector<bool>(static_cast<std::size_t>(samples)), count, {}};
  std::fill(split.evaluates.end() - count, split.evaluates.end(), true);
  split.hash = hashOfNumbers(split.evaluates);
  return split;
}

}  // namespace slipstream
