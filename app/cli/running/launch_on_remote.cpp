// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remotes/on_remote.h"
#include "app/cli/running/commands.h"

namespace slipstream::cli {
namespace {

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace

Result<RemoteTask> launchOnRemote(const RunArguments& arguments, const CommandLine&, const Remote& remote) {
  SLIPSTREAM_TRY(task, taskWithFile({remote.slurm ? "submit" : "run"}, arguments.file, arguments.fromInput));
  append(task.words, wordsOf(arguments.overrides));
  if (arguments.json) task.words.emplace_back("--json");
  if (remote.slurm) return task;  // a job is always detached and quiet, and its hosts are known to Slurm alone
  if (arguments.stage) task.words.emplace_back("--stage");
  if (arguments.detach) task.words.emplace_back("--detach");
  if (arguments.quiet) task.words.emplace_back("--quiet");
  return task;
}

Result<RemoteTask> submitOnRemote(const SubmitArguments& arguments, const CommandLine&, const Remote&) {
  RemoteTask task{{"submit"}};
  if (arguments.resumed.empty()) {
    SLIPSTREAM_TRY(made, taskWithFile({"submit"}, arguments.file, arguments.fromInput));
    task = std::move(made);
  } else {
    append(task.words, {"--resume", arguments.resumed});
  }
  append(task.words, wordsOf(arguments.overrides));
  const SlurmRequest& request = arguments.request;
  const auto addText = [&](const char* flag, const std::string& value) {
    if (!value.empty()) append(task.words, {flag, value});
  };
  addText("--partition", request.partition);
  addText("--time", request.time);
  addText("--account", request.account);
  addText("--extra", request.extra);
  append(task.words, {"--nodes", std::to_string(request.nodes)});
  if (arguments.json) task.words.emplace_back("--json");
  return task;
}

}  // namespace slipstream::cli
