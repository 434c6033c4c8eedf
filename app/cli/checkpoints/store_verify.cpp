// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/store_verify.h"

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/checkpoints/commands.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream::cli {

int storeVerify(const StoreVerifyArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto check = verifyStore(line.storeFolder);
  if (!check) return report(check.error());
  const int code = check->problems.empty() ? ExitCode::done : ExitCode::runFailed;
  if (arguments.json) {
    nlohmann::ordered_json problems = nlohmann::ordered_json::array();
    for (const Failure& problem : check->problems) {
      problems.push_back({{"where", problem.where}, {"problem", problem.problem}, {"remedy", problem.remedy}});
    }
    print({{"store", line.storeFolder},
           {"runs", check->runs},
           {"checkpoints", check->checkpoints},
           {"problems", problems}});
    return code;
  }
  for (const Failure& problem : check->problems) std::fprintf(stderr, "%s\n", printable(toText(problem), "\n").c_str());
  fmt::print("{}: {}, {}, {}\n", printable(line.storeFolder), counted(static_cast<std::int64_t>(check->runs), "run"),
             counted(static_cast<std::int64_t>(check->checkpoints), "checkpoint"),
             check->problems.empty() ? "all sound" : counted(std::ssize(check->problems), "problem"));
  return code;
}

}  // namespace slipstream::cli
