// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/hosts/host_facts.h"
#include "engine/hosts/process.h"

namespace slipstream {

/// A conversation with the worker program of a host (host_agent.h), by one ssh session; where the host is empty or this
/// machine, as a process here. Start it from a thread that lives as long as it. Never waits, but where it says so.
class HostSession {
 public:
  /// `errors` takes what ssh says. Throws Error where ssh cannot be started.
  HostSession(std::string host, const std::filesystem::path& worker, const HostRequest& request,
              const std::filesystem::path& errors);
  HostSession(const HostSession&) = delete;
  HostSession& operator=(const HostSession&) = delete;

  const std::string& host() const { return host_; }
  /// Reads what has come, and says once a second that we are there.
  void poll();
  /// Once it has answered.
  const std::optional<HostFacts>& facts() const { return facts_; }
  /// By how much the host's clock is ahead, in seconds; half of the time that the answer took is unknown.
  double clockAhead() const { return clockAhead_; }
  /// Why it will never answer, or no longer does; empty while all is well.
  std::string problem() const;
  /// Says a line to a host that serves more than its facts; what it answers is takeAnswer()'s, in order.
  void ask(const std::string& line) { say(line); }
  std::optional<std::string> takeAnswer();
  /// Whether the host's end was told to terminate (SIGTERM) since it was last asked; it stays until end().
  bool takeTermination() { return std::exchange(terminated_, false); }
  /// Asks the host to end what is left of the run there; its logs come, and the session ends.
  void end();
  bool ended() const { return ended_; }
  /// Of ssh, or what it passes on; 0 while it goes on.
  int exitCode() const;

  struct Log {
    std::filesystem::path name;  ///< below the folder of logs of the run
    std::string text;
  };
  /// Those that have come since the last call.
  std::vector<Log> takeLogs();

  /// Whether anything has come from the host since then.
  bool heardSince(std::chrono::steady_clock::time_point time) const { return heardAt_ > time; }

 private:
  using Clock = std::chrono::steady_clock;

  void read();
  void waitForExit();
  void take(const std::string& line);
  void say(const std::string& line);
  std::string lastWords() const;

  const std::string host_;
  const std::filesystem::path worker_;
  const std::filesystem::path errors_;
  TalkingChild child_;
  const std::int64_t askedAt_;  ///< wall nanoseconds
  std::string unread_;
  std::string unsent_;
  std::optional<HostFacts> facts_;
  std::string problem_;
  std::vector<Log> logs_;
  std::size_t logBytes_ = 0;
  std::deque<std::string> answers_;
  double clockAhead_ = 0;
  bool ended_ = false;
  bool terminated_ = false;
  const Clock::time_point startedAt_ = Clock::now();
  Clock::time_point heardAt_ = Clock::now();
  Clock::time_point saidAt_ = Clock::now();
};

/// Starts a session with each host and waits until all have answered or failed. Failures name the host and a remedy.
Result<std::vector<std::unique_ptr<HostSession>>> openSessions(const std::vector<std::string>& hosts,
                                                               const std::filesystem::path& worker,
                                                               const HostRequest& request,
                                                               const std::filesystem::path& errorsFolder);

/// Asks all hosts to end what is left of the run and waits for them, some seconds at most; returns those that did not
/// answer. Their agents do it by themselves once they notice.
std::vector<std::string> endSessions(std::vector<std::unique_ptr<HostSession>>& sessions);

}  // namespace slipstream
