// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "engine/boost/algorithms.h"
#include "engine/config/json_edit.h"
#include "engine/config/python_literals.h"
#include "engine/experiment/experiment_scope.h"

namespace slipstream {

Result<std::string> switchAlgorithm(const std::string& text, const ExperimentScope& scope, const std::string& algorithm,
                                    bool on) {
  const std::string switches = "boost.dictionary.boost.";
  SLIPSTREAM_TRY(root, parseJson(experimentAsJson(text), "the text"));
  const Json keys = keysIn(root, scope);
  const Json* written = findValue(keys, switches + "mode");
  const std::string mode = written != nullptr && written->is_string() ? written->get<std::string>() : "auto";
  std::string changed = text;
  const auto set = [&](const std::string& key, const Json& value) -> Status {
    SLIPSTREAM_TRY(next, setKey(changed, scope, switches + key, value));
    changed = std::move(next);
    return {};
  };
  if (mode != "manual") SLIPSTREAM_CHECK(set("mode", "manual"));
  if (mode == "enable_all" || mode == "disable_all") {
    for (const AlgorithmSpec& other : switchedAlgorithms()) SLIPSTREAM_CHECK(set(other.key, mode == "enable_all"));
  }
  SLIPSTREAM_CHECK(set(algorithm, on));
  return changed;
}

}  // namespace slipstream
