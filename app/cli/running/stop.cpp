// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/remotes/on_remote.h"
#include "app/cli/running/commands.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/runs/run_selection.h"
#include "engine/slurm/jobs.h"

namespace slipstream::cli {
int stop(const StopArguments& arguments, const CommandLine& line) {
  const auto store = openToChange(line);
  if (!store) return report(store.error());
  const auto run = findRun(**store, arguments.run);
  if (!run) return report(run.error());
  if (!run->remote.empty()) {
    std::vector<std::string> words{"stop", run->id, "--when", arguments.when};
    if (arguments.json) words.emplace_back("--json");
    return doThere(run->remote, words);
  }
  if (isTerminal(run->state)) {
    return report(
        {Failure{"RUN", run->id, fmt::format("the run is {} already", nameOf(run->state)), "nothing to stop"}});
  }
  static const std::map<std::string, std::pair<StopKind, const char*>> kinds{
      {"step", {StopKind::afterStep, "after its step"}},
      {"checkpoint", {StopKind::afterCheckpoint, "after its next checkpoint"}},
      {"now", {StopKind::now, "now"}}};
  const auto& [kind, words] = kinds.at(arguments.when);
  if (const Status asked = stopRun(**store, *run, kind); !asked) return report(asked.error());
  const auto now = (*store)->find(run->id);
  if (now && isTerminal(now->state)) {
    if (arguments.json) {
      print({{"run", run->id}, {"stop", arguments.when}, {"state", nameOf(now->state)}});
    } else {
      fmt::print("run {} was {}: {}\n", run->id, nameOf(now->state), now->why);
    }
    return ExitCode::done;
  }
  if (arguments.json) {
    print({{"run", run->id}, {"stop", arguments.when}});
    return ExitCode::done;
  }
  fmt::print("run {} was asked to stop {}\n", run->id, words);
  return ExitCode::done;
}

}  // namespace slipstream::cli
