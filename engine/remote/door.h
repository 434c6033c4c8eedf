// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/hosts/process.h"
#include "engine/remote/remotes.h"

namespace slipstream {

/// The way to a remote: one log-in, through which every command goes. What is done there are words of `slipstream`; no
/// shell reads them as anything else. SLIPSTREAM_SSH names a program in place of ssh, which logs in by itself.
class Door {
 public:
  explicit Door(Remote remote);

  const Remote& remote() const { return remote_; }
  /// Logs in, unless somebody of this user has: fails where the remote cannot be reached. `mayAsk`: at the terminal.
  Status open(bool mayAsk = false);
  /// Whether a log-in is open, as far as can be told without one.
  bool isOpen() const;
  /// The words that run a command of slipstream there, with its store. `logsIn`: it may be the one that logs in, and
  /// leave the log-in open behind it, with the file that its errors go to.
  std::vector<std::string> wordsFor(std::vector<std::string> arguments, bool logsIn = false) const;
  /// Runs it with `input` and our own streams; the exit code, `cannotConnect` where ssh itself failed.
  int pass(const std::vector<std::string>& arguments, const std::string& input = {}) const;

  static constexpr int cannotConnect = 255;
  Failure unreachable(const std::string& problem) const;
  /// It was reached, and what answered is no slipstream.
  Failure withoutProgram(const std::string& problem) const;

 private:
  std::vector<std::string> sshWords(bool logsIn) const;

  Remote remote_;
  std::string controlPath_;  ///< empty: every command logs in
};

/// A command of slipstream on a remote that is talked to. Nobody waits for the log-in.
class DoorStream {
 public:
  /// Throws Error where it cannot be started. Start it from a thread that lives as long as it.
  DoorStream(const Door& door, const std::vector<std::string>& arguments);
  ~DoorStream();
  DoorStream(const DoorStream&) = delete;
  DoorStream& operator=(const DoorStream&) = delete;

  int socket() const { return socket_; }
  /// Once its output has ended: why, for people.
  std::string lastWords();
  /// Of its command, where it has exited by itself.
  std::optional<int> exitCode();

 private:
  int socket_ = -1;
  std::filesystem::path errors_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace slipstream
