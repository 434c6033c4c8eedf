// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace slipstream::test {

/// An algorithm as the interplay tests switch it on.
struct Algorithm {
  std::string name;
  std::string changes;  ///< a merge patch of an experiment with a level, a mode and a network with layers "conv*"
  std::string file = {};
  std::vector<std::string> refusedWith = {};
};

/// Those of the files of tests/train/interplay/, in the order of engine/boost/README.md's table. A file has one object
/// an algorithm, or several that are spellings of one thing: {"NAME": {"changes": {…}, "refused_with": ["NAME", …]}}.
const std::vector<Algorithm>& interplayAlgorithms();

/// An algorithm with itself or with another spelling of it is none.
bool isPair(const Algorithm& a, const Algorithm& b);

/// The pairs that may be refused, and no others: two owners of the update, and state that differs by rank.
bool mayBeRefused(const Algorithm& a, const Algorithm& b);

/// The experiment with its algorithms in a stage "after" where they look back at weights (dim_reduce): a stage "before"
/// keeps `snapshots` then, without dim_reduce.
nlohmann::json inStages(nlohmann::json experiment, const nlohmann::json& snapshots);

}  // namespace slipstream::test
