// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "engine/spec/experiment.h"

namespace slipstream {

/// The resolved form: every key written out. parseResolved(toJsonText(e)) equals e.
std::string toJsonText(const Experiment& experiment);
Result<Experiment> parseResolved(const std::string& jsonText);
Json toJson(const Experiment& experiment);
/// `path` precedes the keys in failures.
Result<Experiment> experimentFromJson(const Json& value, const std::string& path);

}  // namespace slipstream
