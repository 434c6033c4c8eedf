// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/through_door.h"

#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <type_traits>

#include "app/cli/output.h"
#include "engine/base/files.h"
#include "engine/remote/door.h"

namespace slipstream::cli {
namespace {

/// What is done there, and what it reads.
struct Task {
  std::vector<std::string> words;
  std::string input = {};
};

void addOverrides(const Overrides& overrides, std::vector<std::string>& words) {
  const auto add = [&](const char* flag, const std::string& value) { words.insert(words.end(), {flag, value}); };
  if (overrides.ranks) add("--ranks", std::to_string(*overrides.ranks));
  if (overrides.rankTable) add("--rank-table", *overrides.rankTable);
  if (overrides.local) words.emplace_back("--local");
  if (overrides.device) add("--device", *overrides.device);
  if (overrides.seed) add("--seed", std::to_string(*overrides.seed));
  for (const std::string& variant : overrides.variants) add("--variant", variant);
  for (const std::string& setting : overrides.settings) add("--set", setting);
  if (overrides.name) add("--name", *overrides.name);
}

/// The experiment goes through standard input; what it and the flags name by a path is there.
Result<Task> launchOf(const RunArguments& arguments, const Remote& remote) {
  Task task;
  if (arguments.fromInput) {
    task.input = {std::istreambuf_iterator<char>(std::cin), {}};
  } else {
    SLIPSTREAM_TRY(text, readFile(arguments.file));
    task.input = std::move(text);
  }
  const std::string name = std::filesystem::path(arguments.file).filename().string();
  task.words = {remote.slurm ? "submit" : "run", "./" + name, "--stdin"};
  addOverrides(arguments.overrides, task.words);
  if (arguments.detach) task.words.emplace_back("--detach");
  if (arguments.quiet) task.words.emplace_back("--quiet");
  if (arguments.json) task.words.emplace_back("--json");
  return task;
}

Result<Task> hostsCheckOf(const HostsCheckArguments& arguments) {
  SLIPSTREAM_TRY(text, readFile(arguments.file));
  const std::string name = std::filesystem::path(arguments.file).filename().string();
  Task task{{"hosts", "check", "./" + name, "--stdin"}, std::move(text)};
  if (arguments.json) task.words.emplace_back("--json");
  return task;
}

template <class T, class... Kinds>
constexpr bool isOneOf = (std::is_same_v<T, Kinds> || ...);

/// Those that read and write nothing but the store, so that they mean the same there.
template <class T>
constexpr bool worksInStore =
    isOneOf<T, RunsArguments, ShowArguments, MetricsArguments, LogsArguments, CheckpointsArguments, ResumeArguments,
            StopArguments, DevicesArguments, StoreVerifyArguments, TagArguments, ArchiveArguments, DeleteArguments,
            PruneArguments, VerifyArguments>;

Result<Task> taskOf(const CommandLine& line, const Remote& remote) {
  return std::visit(
      [&](const auto& arguments) -> Result<Task> {
        using T = std::decay_t<decltype(arguments)>;
        if constexpr (std::is_same_v<T, RunArguments>) return launchOf(arguments, remote);
        if constexpr (std::is_same_v<T, HostsCheckArguments>) return hostsCheckOf(arguments);
        if constexpr (worksInStore<T>) return Task{line.words};
        return fail("--on", remote.name, "this command works with files or remotes of this machine",
                    "leave the flag out; copies of the remote's runs are read here after 'slipstream remote sync " +
                        remote.name + "'");
      },
      line.command);
}

int pass(const Remote& remote, const Task& task) {
  Door door(remote);
  if (const Status opened = door.open(); !opened) return report(opened.error());
  const int code = door.pass(task.words, task.input);
  return code == Door::cannotConnect ? report({door.unreachable("")}) : code;
}

}  // namespace

int doThere(const CommandLine& line) {
  const auto remote = findRemote(line.remote);
  if (!remote) return report(remote.error());
  const auto task = taskOf(line, *remote);
  return task ? pass(*remote, *task) : report(task.error());
}

int doThere(const std::string& remoteName, const std::vector<std::string>& words, const std::string& input) {
  const auto remote = findRemote(remoteName);
  return remote ? pass(*remote, {words, input}) : report(remote.error());
}

}  // namespace slipstream::cli
