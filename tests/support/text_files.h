// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "engine/plan/plan_file.h"
#include "tests/support/temporary_folder.h"

namespace slipstream::test {

/// A temporary folder with small text files in it.
class TextFiles {
 public:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const auto path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

/// An environment of these variables and no others.
inline EnvironmentLookup environmentOf(std::map<std::string, std::string> variables = {}) {
  return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

}  // namespace slipstream::test
