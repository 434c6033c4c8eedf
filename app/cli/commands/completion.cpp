// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/cli/output.h"

namespace slipstream::cli {

int completion(const CompletionArguments& arguments, const CommandLine&) {
  if (arguments.json) {
    print({{"shell", arguments.shell}, {"script", arguments.script}});
  } else {
    std::fputs(arguments.script.c_str(), stdout);
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
