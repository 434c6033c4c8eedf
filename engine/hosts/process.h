// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/base/failure.h"

namespace slipstream {

/// The file of a program: a path as it is, a name by the folders of PATH. `remedy` says what to do where it is in
/// none of them.
Result<std::filesystem::path> findProgram(const std::string& name, const std::string& remedy);

struct ProcessSettings {
  std::vector<std::string> argv;                   ///< argv[0] is looked up in PATH; no shell ever sees it
  std::map<std::string, std::string> environment;  ///< on top of the caller's without launcher_variables.h
  std::filesystem::path outputFile;                ///< takes stderr, and stdout without a conversation
  int conversation = -1;  ///< a socket that is its stdin and stdout, for who talks with it; else stdin is empty
  /// SIGTERM is not delivered to it: what a scheduler tells all is for its parent to judge.
  bool keepsOn = false;
};

/// How a process ended: by itself with an exit code, or by a signal.
struct ProcessEnd {
  int exitCode = 0;
  int signal = 0;  ///< 0: it exited
};
/// "exit code 3" or "signal 9 (Killed)"
std::string toText(const ProcessEnd& end);

/// A child in a session of its own (Ctrl-C in the terminal is ours alone) that is killed when the thread that started
/// it ends, even where it is stopped: start it from one that lives as long as the supervisor. Whoever drops it without
/// waiting kills it.
class ChildProcess {
 public:
  /// Throws Error where it cannot be started.
  explicit ChildProcess(const ProcessSettings& settings);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  /// How it ended, where it has.
  std::optional<ProcessEnd> poll();
  /// Whether a child of its own has ended and it has not taken note; false where the kernel lists no children.
  bool ignoresDeadChild() const;
  void signal(int number) const;

 private:
  pid_t pid_ = 0;
  std::optional<ProcessEnd> end_;
};

/// A child whose stdin and stdout are the other end of a socket, for who talks with it.
class TalkingChild {
 public:
  /// `errors` takes its stderr. Throws Error where it cannot be started.
  TalkingChild(const std::vector<std::string>& argv, const std::filesystem::path& errors);
  ~TalkingChild();
  TalkingChild(const TalkingChild&) = delete;
  TalkingChild& operator=(const TalkingChild&) = delete;

  int socket() const { return socket_; }
  ChildProcess& process() const { return *process_; }

 private:
  int socket_ = -1;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace slipstream
