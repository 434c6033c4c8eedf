// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/json.h"

namespace slipstream {

/// Whose keys of an experiment file are meant: everybody's, one variant's, or one stage's.
struct ExperimentScope {
  enum class Kind { all, variant, stage };
  Kind kind = Kind::all;
  std::size_t index = 0;
  std::string name = {};

  /// "variants[1]"; empty for all.
  std::string path() const;
  /// The key's place in the file.
  std::string path(const std::string& key) const;
  bool operator==(const ExperimentScope&) const = default;
};

/// All, then the variants, then the stages of a file, however broken it is.
std::vector<ExperimentScope> scopesOf(const Json& root);

/// Sections and values that may be written as one word or number, written out: "lenet5" is {"name": "lenet5"}.
Json spelledOut(const Json& value);

/// The keys that hold in the scope, its own above everybody's, spelled out; without `variants` and `stages`. `name` is
/// the scope's own.
Json keysIn(const Json& root, const ExperimentScope& scope);

/// Writes a key in the scope. What is in its way in short form is spelled out, what the scope would replace as a
/// whole is copied first, and train.epochs and train.steps replace each other.
Result<std::string> setKey(const std::string& text, const ExperimentScope& scope, const std::string& key,
                           const Json& value);
/// Removes a key from the scope: what holds without it holds again.
Result<std::string> removeKey(const std::string& text, const ExperimentScope& scope, const std::string& key);

/// Switches an algorithm in the dictionary of the scope. Where switches are not read yet, the mode becomes manual and
/// the other algorithms keep doing what they did. Level O0 stays above all switches.
Result<std::string> switchAlgorithm(const std::string& text, const ExperimentScope& scope, const std::string& algorithm,
                                    bool on);

/// Whether an experiment's file, or a variant in it, names another file or folder relative to its own place.
bool namesRelativePaths(Json file);

}  // namespace slipstream
