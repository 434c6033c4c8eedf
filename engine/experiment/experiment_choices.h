// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/config/json.h"

namespace slipstream {

/// Several runs of one experiment that differ in what is asked about.
struct Variation {
  std::vector<std::string> algorithms = {};  ///< of switchedAlgorithms(); empty: as the file says
  bool combinations = false;                 ///< every combination of them, rather than none and each alone
  int seeds = 1;                             ///< the file's and the next ones
  std::vector<int> ranks = {};               ///< empty: the file's
};

/// How many variants it makes.
std::size_t variantCount(const Variation& variation);

/// The list of variants: every choice of algorithms with every number of ranks and every seed, in this order. Settings
/// of an algorithm come from the dictionary that all variants of `root` share.
Json variantsFor(const Json& root, const Variation& variation);

}  // namespace slipstream
