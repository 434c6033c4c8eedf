// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/failure.h"
#include "engine/config/json.h"

namespace slipstream {

struct FormKey;

// Experiments and variants that are made of choices.

/// What a new experiment begins with.
struct NewExperiment {
  std::string name = {};
  std::string network = {};
  std::string dataset = {};
  std::string path = {};  ///< of the data; empty: none, or the environment's
  int ranks = 1;
  std::string rankTable = {};  ///< all of its ranks, in place of `ranks`; empty: none
  double epochs = 1;
  std::int64_t steps = 0;                    ///< in place of `epochs`; 0: none
  std::vector<std::string> algorithms = {};  ///< of switchedAlgorithms(); empty: gradients are averaged
};
/// Its file, as people write one; everything else keeps its default.
std::string newExperimentText(const NewExperiment& chosen);

/// The value of "boost" that turns on these of switchedAlgorithms() and nothing else: every switch is written, beside
/// the common settings of `dictionary` and its sections of what is on. "O0" where nothing is on.
Json boostOf(const std::vector<std::string>& algorithms, const Json& dictionary);

/// A key of the form, without a scope, and the values that it takes in turn.
struct VariedKey {
  std::string path = {};
  std::vector<Json> values = {};
};
/// The values of a line such as "0.01, 0.03, 0.1". Fails where one is none that the key allows, naming it.
Result<std::vector<Json>> variedValues(const FormKey& key, const std::string& line);

/// Several runs of one experiment that differ in what is asked about.
struct Variation {
  std::vector<std::string> algorithms = {};  ///< of switchedAlgorithms(); empty: as the file says
  std::vector<VariedKey> keys = {};          ///< beside them; those without a value are left out
  bool combinations = false;                 ///< every combination of them, rather than none and each alone
  int seeds = 1;                             ///< the file's and the next ones
  std::vector<int> ranks = {};               ///< empty: the file's
};

/// How many variants it makes, and how many runs: every variant with each seed.
std::size_t variantCount(const Variation& variation);
std::size_t runCount(const Variation& variation);

/// The list of variants: every choice of algorithms and values with every number of ranks, in this order. Settings of
/// an algorithm come from the dictionary that all variants of `root` share.
Json variantsFor(const Json& root, const Variation& variation);
/// The experiment's text with these variants, and the seeds that each of them is trained with: what is compared is
/// paired by seed. Fails where the text is not JSON.
Result<std::string> variedExperiment(const std::string& text, const Variation& variation);

}  // namespace slipstream
