// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/loopback_only.h"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/files.h"

namespace slipstream {
namespace {

constexpr const char* moduleName = "slipstream-loopback.so";
constexpr const char* preload = "LD_PRELOAD";

/// The loader takes blanks and colons for the end of a name.
bool canBeNamed(const std::string& path) {
  return path.find_first_of(" :") == std::string::npos;
}

}  // namespace

LoopbackModule findLoopbackModule() {
  return findLoopbackModuleIn({programFolder(), programFolder().parent_path() / "lib/slipstream"});
}

LoopbackModule findLoopbackModuleIn(const std::vector<std::filesystem::path>& folders) {
  LoopbackModule module{"", fmt::format("{} is not beside the program", moduleName)};
  for (const std::filesystem::path& folder : folders) {
    const std::string file = (folder / moduleName).string();
    if (::access(file.c_str(), F_OK) != 0) continue;
    if (!canBeNamed(file)) {
      module.problem = file + " cannot be loaded: its path has a blank or a colon";
    } else if (::access(file.c_str(), R_OK) != 0) {
      module.problem = fmt::format("{} cannot be read: {}", file, std::generic_category().message(errno));
    } else {
      return {file, ""};
    }
  }
  return module;
}

void listenOnLoopbackOnly(std::map<std::string, std::string>& environment, const LoopbackModule& module) {
  if (module.file.empty()) return;
  const auto others = slipstream::environment(preload);
  environment[preload] = others ? module.file + ":" + *others : module.file;
}

}  // namespace slipstream
