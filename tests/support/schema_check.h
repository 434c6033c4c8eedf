// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace slipstream::test {

/// What a document lacks by a JSON schema, each with its place as a JSON pointer: by the words that our own schemas are
/// written with (type, enum, anyOf, $ref, properties, required, items, limits), others throw.
std::vector<std::string> problemsBySchema(const nlohmann::json& schema, const nlohmann::json& document);

}  // namespace slipstream::test
