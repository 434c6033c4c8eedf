// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/loopback_only.h"

#include <filesystem>
#include <optional>

#include <unistd.h>

#include "engine/base/files.h"

namespace slipstream {
namespace {

constexpr const char* loopbackModule = "slipstream-loopback.so";
constexpr const char* preload = "LD_PRELOAD";

/// The loader takes blanks and colons for the end of a name.
bool canBeLoaded(const std::string& path) {
  return path.find_first_of(" :") == std::string::npos && ::access(path.c_str(), R_OK) == 0;
}

std::optional<std::string> moduleFile() {
  for (const std::filesystem::path& folder : {programFolder(), programFolder().parent_path() / "lib/slipstream"}) {
    const std::string file = (folder / loopbackModule).string();
    if (canBeLoaded(file)) return file;
  }
  return std::nullopt;
}

}  // namespace

void listenOnLoopbackOnly(std::map<std::string, std::string>& environment) {
  const auto file = moduleFile();
  if (!file) return;
  const auto others = slipstream::environment(preload);
  environment[preload] = others ? *file + ":" + *others : *file;
}

}  // namespace slipstream
