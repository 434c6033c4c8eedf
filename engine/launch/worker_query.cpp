// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/worker_query.h"

#include "engine/base/files.h"

namespace slipstream {

std::filesystem::path workerProgram() {
  return programFolder() / "slipstream-worker";
}

ProgramAnswer askWorker(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> words{workerProgram().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return askProgram({.words = words, .input = input});
}

}  // namespace slipstream
