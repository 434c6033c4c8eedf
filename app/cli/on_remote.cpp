// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/on_remote.h"

#include <filesystem>
#include <optional>
#include <type_traits>

#include "app/cli/output.h"
#include "app/cli/reading.h"
#include "app/cli/repeat_line.h"
#include "engine/base/files.h"
#include "engine/remote/connection.h"

namespace slipstream::cli {
namespace {

/// What is done there, and what it reads.
struct Task {
  std::vector<std::string> words;
  std::string input = {};
};

using Words = std::vector<std::string>;

/// A file goes through standard input, and has its name there; what it and the flags name by a path is there.
Result<Task> taskWithFile(Words command, const std::string& file, bool fromInput) {
  std::string text;
  if (fromInput) {
    text = standardInput();
  } else {
    SLIPSTREAM_TRY(read, readFile(file));
    text = std::move(read);
  }
  command.insert(command.end(), {"./" + std::filesystem::path(file).filename().string(), "--stdin"});
  return Task{std::move(command), std::move(text)};
}

void add(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

Result<Task> launchOf(const RunArguments& arguments, const Remote& remote) {
  SLIPSTREAM_TRY(task, taskWithFile({remote.slurm ? "submit" : "run"}, arguments.file, arguments.fromInput));
  add(task.words, wordsOf(arguments.overrides));
  if (arguments.json) task.words.emplace_back("--json");
  if (remote.slurm) return task;  // a job is always detached and quiet, and its hosts are known to Slurm alone
  if (arguments.stage) task.words.emplace_back("--stage");
  if (arguments.detach) task.words.emplace_back("--detach");
  if (arguments.quiet) task.words.emplace_back("--quiet");
  return task;
}

Result<Task> submissionOf(const SubmitArguments& arguments) {
  Task task{{"submit"}};
  if (arguments.resumed.empty()) {
    SLIPSTREAM_TRY(made, taskWithFile({"submit"}, arguments.file, arguments.fromInput));
    task = std::move(made);
  } else {
    add(task.words, {"--resume", arguments.resumed});
  }
  add(task.words, wordsOf(arguments.overrides));
  const SlurmRequest& request = arguments.request;
  const auto addText = [&](const char* flag, const std::string& value) {
    if (!value.empty()) add(task.words, {flag, value});
  };
  addText("--partition", request.partition);
  addText("--time", request.time);
  addText("--account", request.account);
  addText("--extra", request.extra);
  add(task.words, {"--nodes", std::to_string(request.nodes)});
  if (arguments.json) task.words.emplace_back("--json");
  return task;
}

Result<Task> hostsCheckOf(const HostsCheckArguments& arguments) {
  Task task{{"hosts", "check", "--hosts", arguments.hosts}};
  if (arguments.hosts.empty()) {
    SLIPSTREAM_TRY(made, taskWithFile({"hosts", "check"}, arguments.file, arguments.fromInput));
    task = std::move(made);
  }
  if (arguments.stage) task.words.emplace_back("--stage");
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
        if constexpr (std::is_same_v<T, SubmitArguments>) return submissionOf(arguments);
        if constexpr (std::is_same_v<T, HostsCheckArguments>) return hostsCheckOf(arguments);
        if constexpr (worksInStore<T>) return Task{line.words};
        return fail("--on", remote.name, "this command works with files or remotes of this machine",
                    "leave the flag out; copies of the remote's runs are read here after 'slipstream remote sync " +
                        remote.name + "'");
      },
      line.command);
}

int pass(const Remote& remote, const Task& task) {
  RemoteConnection connection(remote);
  if (const Status opened = connection.open(); !opened) return report(opened.error());
  const int code = connection.pass(task.words, task.input);
  return code == RemoteConnection::cannotConnect ? report({connection.unreachable("")}) : code;
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
