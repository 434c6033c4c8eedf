// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace slipstream {

/// app/loopback, which keeps the ports of the program that it is loaded into from other machines.
struct LoopbackModule {
  std::string file;     ///< empty where it cannot be loaded
  std::string problem;  ///< why it cannot, as a sentence without full stop
};

/// Looks for it beside this program and below its lib folder.
LoopbackModule findLoopbackModule();
/// Looks for it in the folders, in order.
LoopbackModule findLoopbackModuleIn(const std::vector<std::filesystem::path>& folders);

/// Adds to a program's environment that the module is loaded before anything else; nothing where it cannot be.
void listenOnLoopbackOnly(std::map<std::string, std::string>& environment, const LoopbackModule& module);

}  // namespace slipstream
