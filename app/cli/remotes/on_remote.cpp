// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remotes/on_remote.h"

#include <filesystem>

#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/files.h"
#include "engine/remote/connection.h"

namespace slipstream::cli {
namespace {

int pass(const Remote& remote, const RemoteTask& task) {
  RemoteConnection connection(remote);
  if (const Status opened = connection.open(); !opened) return report(opened.error());
  const int code = connection.pass(task.words, task.input);
  return code == RemoteConnection::cannotConnect ? report({connection.unreachable("")}) : code;
}

}  // namespace

Result<RemoteTask> taskWithFile(std::vector<std::string> command, const std::string& file, bool fromInput) {
  std::string text;
  if (fromInput) {
    text = standardInput();
  } else {
    SLIPSTREAM_TRY(read, readFile(file));
    text = std::move(read);
  }
  command.insert(command.end(), {"./" + std::filesystem::path(file).filename().string(), "--stdin"});
  return RemoteTask{std::move(command), std::move(text)};
}

int doThere(const ChosenCommand& command) {
  const auto remote = findRemote(command.line.remote);
  if (!remote) return report(remote.error());
  if (!command.onRemote) {
    return report({{"--on", remote->name, "this command works with files or remotes of this machine",
                    "leave the flag out; copies of the remote's runs are read here after 'slipstream remote sync " +
                        remote->name + "'"}});
  }
  const auto task = command.onRemote(*remote);
  return task ? pass(*remote, *task) : report(task.error());
}

int doThere(const std::string& remoteName, const std::vector<std::string>& words, const std::string& input) {
  const auto remote = findRemote(remoteName);
  return remote ? pass(*remote, {words, input}) : report(remote.error());
}

}  // namespace slipstream::cli
