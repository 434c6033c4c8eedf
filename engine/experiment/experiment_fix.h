// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/base/failure.h"
#include "engine/config/json.h"

namespace slipstream {

/// A change of an experiment's text that mends what a failure is about.
struct ExperimentFix {
  enum class Kind {
    renameKey,  ///< to `name`
    moveKey,    ///< to the path `name`, in the same scope
    removeKey,
    useValue,  ///< `value` in its place
  };
  Kind kind = Kind::removeKey;
  std::string path = {};  ///< as written in the file: "variants[0].train.epoch"
  std::string name = {};
  Json value = {};
};

/// What mends a failure about a key or value of the experiment; nothing where only its author can know. A key that is
/// not known becomes the one that was meant, or goes; a word that is not allowed becomes the nearest one, a number the
/// nearest limit that is allowed itself, and a number or switch in quotes what it says.
std::optional<ExperimentFix> experimentFix(const Json& root, const Failure& failure);

/// The text with the fix made. Fails where the text is not JSON.
Result<std::string> fixedExperiment(const std::string& text, const ExperimentFix& fix);

}  // namespace slipstream
