// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/base/failure.h"

namespace slipstream {

/// Keeps keys in the order in which they were written.
using Json = nlohmann::ordered_json;

/// Strict JSON (RFC 8259): no comments, no trailing commas, no key twice. `source` names the file in failures, which
/// give line and column of a syntax error and the path of every repeated key.
Result<Json> parseJson(const std::string& text, const std::string& source);

/// The value as it would be in a file, cut to a length that fits a message.
std::string shortText(const Json& value);

}  // namespace slipstream
