// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running/repeat_line.h"

#include <filesystem>
#include <vector>

#include "app/cli/running/commands.h"
#include "engine/base/files.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/plan/run_plan.h"

namespace slipstream::cli {
namespace {

std::string whole(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

/// A setting whose value is a path, which is relative to the caller's folder.
std::string wholeSetting(const std::string& setting) {
  for (const std::string key : {"dataset.path=", "parallel.rank_table="}) {
    if (startsWith(setting, key) && setting.size() > key.size()) return key + whole(setting.substr(key.size()));
  }
  return setting;
}

/// NAME=value words for `env`; empty where no such variable is set.
std::vector<std::string> variables() {
  std::vector<std::string> words;
  for (const char* name : {"DATA_PATH", "RANK_TABLE_FILE"}) {
    if (const auto value = environment(name)) words.push_back(std::string(name) + "=" + whole(*value));
  }
  for (const char* name : {"RANK_SIZE", "DEVICE_NUM"}) {
    if (const auto value = environment(name)) words.push_back(std::string(name) + "=" + *value);
  }
  if (!words.empty()) words.insert(words.begin(), "env");
  return words;
}

}  // namespace

std::string repeatLine(const RunArguments& arguments, const std::string& storeFolder) {
  Overrides overrides = arguments.overrides;
  if (overrides.rankTable) overrides.rankTable = whole(*overrides.rankTable);
  for (std::string& setting : overrides.settings) setting = wholeSetting(setting);
  std::vector<std::string> words = variables();
  const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
  add({(programFolder() / "slipstream").string(), "run", whole(arguments.file)});
  add(wordsOf(overrides));
  if (arguments.stage) words.emplace_back("--stage");
  add({"--store", storeFolder});
  return shellLine(words);
}

}  // namespace slipstream::cli
