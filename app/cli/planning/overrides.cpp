// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/planning/overrides.h"

namespace slipstream::cli {

std::vector<std::string> wordsOf(const Overrides& overrides) {
  std::vector<std::string> words;
  const auto add = [&](const char* flag, const std::string& value) { words.insert(words.end(), {flag, value}); };
  if (overrides.ranks) add("--ranks", std::to_string(*overrides.ranks));
  if (overrides.rankTable) add("--rank-table", *overrides.rankTable);
  if (overrides.hosts) add("--hosts", *overrides.hosts);
  if (overrides.local) words.emplace_back("--local");
  if (overrides.device) add("--device", *overrides.device);
  if (overrides.seed) add("--seed", std::to_string(*overrides.seed));
  for (const std::string& variant : overrides.variants) add("--variant", variant);
  for (const std::string& setting : overrides.settings) add("--set", setting);
  if (overrides.name) add("--name", *overrides.name);
  return words;
}

}  // namespace slipstream::cli
