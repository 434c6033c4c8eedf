// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/hosts/ask_program.h"
#include "engine/hosts/process.h"
#include "engine/remote/remotes.h"

namespace slipstream {

struct RemoteTimeouts {
  std::chrono::seconds logIn{30};    ///< that asks nothing
  std::chrono::seconds typing{150};  ///< a log-in that may ask: servers wait for two minutes
  std::chrono::seconds silence{30};  ///< of a command, without a byte in either direction
};

/// The connection to a remote: one log-in, through which every command goes. What is done there are words of
/// `slipstream`; no shell reads them as anything else. SLIPSTREAM_SSH names a program in place of ssh, which logs in by
/// itself.
class RemoteConnection {
 public:
  explicit RemoteConnection(Remote remote, const RemoteTimeouts& timeouts = {});

  const Remote& remote() const { return remote_; }
  /// Logs in, unless somebody of this user has: fails where the remote cannot be reached. `mayAsk`: at the terminal.
  Status open(bool mayAsk = false);
  /// Whether a log-in is open, as far as can be told without one.
  bool isOpen() const;
  /// The words that run a command of slipstream there, with its store. `logsIn`: it may be the one that logs in, and
  /// leave the log-in open behind it, with the file that its errors go to.
  std::vector<std::string> wordsFor(std::vector<std::string> arguments, bool logsIn = false) const;
  /// What a command prints there. Fails where the remote cannot be reached, has no such program or falls silent, and
  /// where the command does.
  Result<std::string> ask(const std::vector<std::string>& arguments) const;
  /// Runs it with `input` and our own streams, as long as it takes; the exit code, `cannotConnect` where ssh itself
  /// failed.
  int pass(const std::vector<std::string>& arguments, const std::string& input = {}) const;

  static constexpr int cannotConnect = 255;
  Failure unreachable(const std::string& problem) const;
  /// It was reached, and what answered is no slipstream.
  Failure withoutProgram(const std::string& problem) const;

 private:
  std::vector<std::string> sshWords(bool logsIn) const;

  Remote remote_;
  RemoteTimeouts timeouts_;
  std::string controlPath_;  ///< empty: every command logs in
};

/// Whether a shell has looked for the program there, and found none that it can start.
bool isProgramMissing(std::optional<int> exitCode);

/// A command of slipstream on a remote that is talked to. Nobody waits for the log-in.
class RemoteCommand {
 public:
  /// Throws Error where it cannot be started. Start it from a thread that lives as long as it.
  RemoteCommand(const RemoteConnection& connection, const std::vector<std::string>& arguments);
  ~RemoteCommand();
  RemoteCommand(const RemoteCommand&) = delete;
  RemoteCommand& operator=(const RemoteCommand&) = delete;

  int socket() const { return child_->socket(); }
  /// Once its output has ended: why, for people.
  std::string lastWords();
  /// Of its command, where it has exited by itself.
  std::optional<int> exitCode();

 private:
  std::filesystem::path errors_;
  std::unique_ptr<TalkingChild> child_;
};

}  // namespace slipstream
