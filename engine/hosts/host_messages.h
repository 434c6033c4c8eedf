// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace slipstream {

// Lines of a session besides the request, the facts and logs, which are JSON.
inline constexpr const char* aliveLine = ".";  ///< said once a second by both
inline constexpr const char* endLine = "end";  ///< asks a host to end what is left of the run

// The key of an object that a host says by itself.
inline constexpr const char* terminatedKey = "terminated";  ///< this end was told to terminate

/// Said by a host in place of its facts.
inline std::string problemLine(const std::string& problem) {
  return nlohmann::json{{"problem", problem}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace slipstream
