// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/runs/commands.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/record/run_record.h"
#include "engine/runs/run_selection.h"

namespace slipstream::cli {
namespace {

bool has(const RunLabel& label, const std::string& tag) {
  return std::find(label.tags.begin(), label.tags.end(), tag) != label.tags.end();
}

}  // namespace

int tag(const TagArguments& arguments, const CommandLine& line) {
  if (!arguments.removes) {
    if (const Status valid = checkNewTag(arguments.tag, "TAG"); !valid) return report(valid.error());
  }
  const auto changed = changeLabels(line, arguments.runs, RunScope::listed, [&](RunLabel& label) {
    if (has(label, arguments.tag) != arguments.removes) return false;
    if (arguments.removes) {
      std::erase(label.tags, arguments.tag);
    } else {
      label.tags.push_back(arguments.tag);
    }
    return true;
  });
  if (!changed) return report(changed.error());
  if (arguments.json) {
    print({{"tag", arguments.tag},
           {"set", !arguments.removes},
           {"runs", changed->selected},
           {"changed", changed->changed}});
    return ExitCode::done;
  }
  const char* what = arguments.removes ? "was taken off" : "was put on";
  fmt::print("{} {} {}\n", printable(arguments.tag), what, counted(std::ssize(changed->changed), "run"));
  return ExitCode::done;
}

int rename(const RenameArguments& arguments, const CommandLine& line) {
  if (const Status valid = checkNewName(arguments.name, "NAME"); !valid) return report(valid.error());
  // Refused before anything changes: a name is of one run.
  const auto opened = openRun(line, arguments.run);
  if (!opened) return report(opened.error());
  const RunRecord& run = opened->run;
  const auto changed = changeLabels(line, {run.id}, RunScope::all, [&](RunLabel& label) {
    return std::exchange(label.title, arguments.name) != arguments.name;
  });
  if (!changed) return report(changed.error());
  const std::string name = arguments.name.empty() ? titleOf(run) : arguments.name;
  if (arguments.json) {
    print({{"run", run.id}, {"name", name}, {"changed", !changed->changed.empty()}});
  } else {
    fmt::print("run {} is called {}\n", run.id, printable(name));
  }
  return ExitCode::done;
}

int archive(const ArchiveArguments& arguments, const CommandLine& line) {
  const RunScope scope = arguments.restores ? RunScope::archived : RunScope::listed;
  const auto changed = changeLabels(line, arguments.runs, scope, [&](RunLabel& label) {
    return std::exchange(label.archived, !arguments.restores) == arguments.restores;
  });
  if (!changed) return report(changed.error());
  if (arguments.json) {
    print({{"archived", !arguments.restores}, {"runs", changed->selected}, {"changed", changed->changed}});
    return ExitCode::done;
  }
  fmt::print("{} {}\n", counted(std::ssize(changed->changed), "run"),
             arguments.restores ? "listed again" : "archived; slipstream runs --archived lists archived runs too");
  return ExitCode::done;
}

}  // namespace slipstream::cli
