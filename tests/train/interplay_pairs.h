// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace slipstream::test {

/// An algorithm as the interplay tests switch it on.
struct Algorithm {
  const char* name;
  const char* changes;  ///< a merge patch of an experiment with a level, a mode and a network with layers "conv*"
};

/// Those of engine/boost/README.md's table, in its order.
const std::vector<Algorithm>& interplayAlgorithms();

/// Two spellings of one thing are no pair.
bool isPair(const Algorithm& a, const Algorithm& b);

/// The pairs that may be refused, and no others: two owners of the update, and state that differs by rank.
bool mayBeRefused(const std::string& a, const std::string& b);

/// The experiment with its algorithms in a stage "after" where they look back at weights (dim_reduce): a stage "before"
/// keeps `snapshots` then, without dim_reduce.
nlohmann::json inStages(nlohmann::json experiment, const nlohmann::json& snapshots);

}  // namespace slipstream::test
