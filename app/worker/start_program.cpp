// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <cstdio>

#include <nlohmann/json.hpp>
#include <sys/prctl.h>

#include "app/worker/modes.h"
#include "engine/base/error.h"
#include "engine/probe/own_program.h"
#include "engine/scheduler/scheduler.h"

namespace slipstream::worker {

int startProgram(const std::vector<std::string>& words) {
  if (words.size() != 2) throw Error("--program takes a folder and a command");
  // Both outlive the change of programs: whoever started this rank takes it along, and a full file is a failed write.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGXFSZ, SIG_IGN);
  if (isTerminatedWithJob()) std::signal(SIGTERM, SIG_IGN);
  const auto command = nlohmann::json::parse(words[1]).get<std::vector<std::string>>();
  std::fprintf(stderr, "%s", toText(becomeProgram({command, words[0]})).c_str());
  return 1;
}

}  // namespace slipstream::worker
