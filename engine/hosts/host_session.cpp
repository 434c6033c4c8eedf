// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/host_session.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/hosts/host_messages.h"
#include "engine/hosts/remote_shell.h"
#include "engine/hosts/run_folder.h"
#include "engine/probe/this_host.h"
#include "engine/scheduler/scheduler.h"

namespace slipstream {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds sayEvery{1};
constexpr std::chrono::seconds longestSilence{8};
constexpr std::chrono::seconds answerWithin{20};    // or a heartbeat
constexpr std::chrono::seconds longestAnswer{120};  // to count data and to open devices
constexpr std::size_t longestLine = std::size_t{8} << 20;
constexpr std::size_t mostLogs = 4096;
constexpr std::size_t mostLogBytes = std::size_t{256} << 20;
constexpr std::chrono::seconds endWithin{7};  // longer than a sweep of processes
constexpr std::chrono::milliseconds pause{10};
constexpr int shellFailed = 255;
constexpr int notFound = 127;
constexpr int notExecutable = 126;

std::vector<std::string> wordsFor(const std::string& host, const std::filesystem::path& worker,
                                  const std::string& runId) {
  std::vector<std::string> command{worker.string(), "--host"};
  if (!runId.empty()) command.insert(command.begin(), {"env", fmt::format("{}={}@{}", sessionVariable, runId, host)});
  return host.empty() || isThisHost(host) ? command : onHost(host, command);
}

/// Names from another host become files only where they stay below the folder of logs.
bool staysBelow(const std::filesystem::path& name) {
  return !name.empty() && name.is_relative() &&
         std::ranges::none_of(name, [](const auto& part) { return part == ".." || part == "."; });
}

std::string remedyFor(const HostSession& session, int exitCode) {
  const Scheduler* scheduler = schedulerOfThisProcess();
  const bool isScheduled = scheduler != nullptr && scheduler->shell && !environment("SLIPSTREAM_SSH");
  if (isScheduled && exitCode != notFound && exitCode != notExecutable) {
    return fmt::format("use hosts of this job of {}, or reach {} by ssh: SLIPSTREAM_SSH=ssh", scheduler->name,
                       session.host());
  }
  if (exitCode == shellFailed || !session.ended()) {
    return fmt::format(
        "make sure that 'ssh {} true' ends without a question: no password, no unknown host key; or write 127.0.0.1 "
        "for it in the rank table, if its ranks are to be on this machine",
        session.host());
  }
  return "install the same build in the same place on this host";
}

}  // namespace

HostSession::HostSession(std::string host, const std::filesystem::path& worker, const HostRequest& request,
                         const std::filesystem::path& errors)
    : host_(std::move(host)),
      worker_(worker),
      errors_(errors),
      child_(wordsFor(host_, worker, request.runId), errors),
      askedAt_(wallNanoseconds()) {
  say(toJsonLine(request));
}

void HostSession::poll() {
  read();
  if (ended_ || Clock::now() - saidAt_ < sayEvery) return;
  say(aliveLine);
}

void HostSession::read() {
  std::array<char, 65536> part{};
  while (!ended_) {
    const auto count = ::recv(child_.socket(), part.data(), part.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {
      ended_ = true;
      waitForExit();
      break;
    }
    heardAt_ = Clock::now();
    if (unread_.size() <= longestLine) unread_.append(part.data(), static_cast<std::size_t>(count));
  }
  for (auto end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n')) {
    const std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    take(line);
  }
  if (unread_.size() > longestLine) problem_ = "sends what is no answer";
}

/// It has closed its output, so it is about to: how it ends says what was wrong.
void HostSession::waitForExit() {
  constexpr int mostPauses = 100;
  for (int pauses = 0; pauses < mostPauses && !child_.process().poll(); ++pauses) std::this_thread::sleep_for(pause);
}

void HostSession::take(const std::string& line) {
  const Json said = Json::parse(line, nullptr, false);
  if (!said.is_object()) return;  // a heartbeat, or what a login script prints
  if (said.contains("problem") && said["problem"].is_string()) problem_ = said["problem"].get<std::string>();
  terminated_ = terminated_ || said.contains(terminatedKey);
  if (said.contains("log") && said.contains("text") && said["log"].is_string() && said["text"].is_string()) {
    const std::filesystem::path name = said["log"].get<std::string>();
    logBytes_ += line.size();
    const bool few = logs_.size() < mostLogs && logBytes_ < mostLogBytes;
    if (few && staysBelow(name)) logs_.push_back({name, said["text"].get<std::string>()});
    return;
  }
  if (facts_) answers_.push_back(line);
  if (facts_ || !said.contains("build")) return;
  auto facts = parseHostFacts(line);
  if (!facts) {
    problem_ = facts.error().front().problem;
    return;
  }
  constexpr double nanosecondsPerSecond = 1e9;
  const double middle = 0.5 * (static_cast<double>(askedAt_) + static_cast<double>(wallNanoseconds()));
  clockAhead_ = (static_cast<double>(facts->wallNanoseconds) - middle) / nanosecondsPerSecond;
  facts_ = std::move(*facts);
}

void HostSession::say(const std::string& line) {
  saidAt_ = Clock::now();
  unsent_ += line + "\n";
  const auto sent = ::send(child_.socket(), unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent > 0) unsent_.erase(0, static_cast<std::size_t>(sent));
}

std::string HostSession::lastWords() const {
  const auto lines = split(trim(readFile(errors_).value_or("")), '\n');
  return lines.empty() ? "" : trim(lines.back());
}

std::string HostSession::problem() const {
  if (!problem_.empty()) return problem_;
  if (ended_) {
    const std::string words = lastWords();
    if (exitCode() == notFound || exitCode() == notExecutable) {
      return fmt::format("{} is not there{}", worker_.string(), words.empty() ? "" : " (" + words + ")");
    }
    return words.empty() ? "the connection ended" : words;
  }
  if (!facts_ && Clock::now() - startedAt_ > longestAnswer) return "does not answer within two minutes";
  if (Clock::now() - heardAt_ > (facts_ ? longestSilence : answerWithin)) {
    return facts_ ? "has been silent for 8 s" : "does not answer within 20 s";
  }
  return "";
}

int HostSession::exitCode() const {
  const auto end = child_.process().poll();
  return end ? end->exitCode : 0;
}

void HostSession::end() {
  say(endLine);
}

std::optional<std::string> HostSession::takeAnswer() {
  if (answers_.empty()) return std::nullopt;
  std::string first = std::move(answers_.front());
  answers_.pop_front();
  return first;
}

std::vector<HostSession::Log> HostSession::takeLogs() {
  return std::exchange(logs_, {});
}

Result<std::vector<std::unique_ptr<HostSession>>> openSessions(const std::vector<std::string>& hosts,
                                                               const std::filesystem::path& worker,
                                                               const HostRequest& request,
                                                               const std::filesystem::path& errorsFolder) {
  std::vector<std::unique_ptr<HostSession>> sessions;
  for (const std::string& host : hosts) {
    const auto errors = errorsFolder / fmt::format("host-{}.log", host.empty() ? "this" : host);
    sessions.push_back(std::make_unique<HostSession>(host, worker, request, errors));
  }
  const auto isOpen = [](const auto& session) {
    session->poll();
    return !session->facts() && session->problem().empty();
  };
  while (std::ranges::count_if(sessions, isOpen) > 0) std::this_thread::sleep_for(pause);
  Failures failures;
  for (const auto& session : sessions) {
    if (session->facts()) continue;
    failures.push_back({"host " + session->host(), "", session->problem(), remedyFor(*session, session->exitCode())});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return sessions;
}

std::vector<std::string> endSessions(std::vector<std::unique_ptr<HostSession>>& sessions) {
  for (const auto& session : sessions) session->end();
  const Stopwatch watch;
  const auto isOpen = [](const auto& session) {
    session->poll();
    return !session->ended();
  };
  while (std::ranges::count_if(sessions, isOpen) > 0 &&
         watch.seconds() < std::chrono::duration<double>(endWithin).count()) {
    std::this_thread::sleep_for(pause);
  }
  std::vector<std::string> silent;
  for (const auto& session : sessions) {
    if (!session->ended()) silent.push_back(session->host());
  }
  return silent;
}

}  // namespace slipstream
