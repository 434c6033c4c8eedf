// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/host_agent.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/hosts/host_facts.h"
#include "engine/hosts/host_links.h"
#include "engine/hosts/host_messages.h"
#include "engine/hosts/run_folder.h"
#include "engine/scheduler/scheduler.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int beatMilliseconds = 1000;
constexpr double longestSilence = 10;
constexpr std::uintmax_t longestLog = 1 << 20;

/// Standard input by lines.
class Input {
 public:
  /// The next line; nothing where none came in time, or at the end (`ended`).
  std::optional<std::string> line(int milliseconds) {
    if (auto ready = takeLine()) return ready;
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) <= 0) return std::nullopt;
    std::array<char, 4096> part{};
    const auto count = ::read(STDIN_FILENO, part.data(), part.size());
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) ended_ = true;
    if (count > 0) text_.append(part.data(), static_cast<std::size_t>(count));
    return takeLine();
  }
  bool ended() const { return ended_; }

 private:
  std::optional<std::string> takeLine() {
    const auto end = text_.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string first = text_.substr(0, end);
    text_.erase(0, end + 1);
    return first;
  }

  std::string text_;
  bool ended_ = false;
};

/// What nobody reads any more is of no use.
void say(const std::string& line) {
  const std::string text = line + "\n";
  std::size_t sent = 0;
  while (sent < text.size()) {
    const auto count = ::write(STDOUT_FILENO, text.data() + sent, text.size() - sent);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
}

void writePrograms(const std::map<std::string, std::string>& programs, const fs::path& folder) {
  for (const auto& [name, text] : programs) {
    if (const Status written = writeFile(folder / name, text); !written) throw Error(trim(toText(written.error())));
    fs::permissions(folder / name, fs::perms::owner_all);
  }
}

/// The folders of the run that this host does not share with the supervisor's. Throws Error where one cannot be made.
std::vector<std::unique_ptr<OwnFolder>> makeFolders(const HostRequest& request) {
  std::vector<std::unique_ptr<OwnFolder>> made;
  for (const std::string& folder : request.folders) {
    const auto owner = readFile(fs::path(folder) / ownerFileName);
    if (owner && *owner == request.owner) continue;
    auto own = makeOwnFolder(folder, request.runId);
    if (own->path() != fs::path(folder)) throw Error(folder + " is somebody else's on this host");
    if (folder == request.folders.front()) writePrograms(request.programs, folder);
    made.push_back(std::move(own));
  }
  return made;
}

/// The end of each log that Open MPI's daemon has written here.
void sendLogs(const fs::path& folder) {
  std::error_code problem;
  for (fs::recursive_directory_iterator entry(folder, problem), end; entry != end; entry.increment(problem)) {
    if (!entry->is_regular_file(problem)) continue;
    std::string text = readFile(entry->path()).value_or("");
    if (text.size() > longestLog) text.erase(0, text.size() - longestLog);
    const Json log{{"log", fs::relative(entry->path(), folder, problem).string()}, {"text", text}};
    say(log.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
}

volatile std::sig_atomic_t toldToTerminate = 0;

/// What the scheduler says to a step of a job is for the supervisor to judge. On SIGTERM from anybody else an agent
/// ends.
void passTerminationOn() {
  if (!isTerminatedWithJob()) return;
  std::signal(SIGTERM, [](int) { toldToTerminate = 1; });
}

void sayTermination() {
  if (toldToTerminate == 0) return;
  toldToTerminate = 0;
  say(Json{{terminatedKey, true}}.dump());
}

/// Returns when the session has ended. What is asked meanwhile about links to other hosts is answered.
void keepAlive(Input& input) {
  LinkEnd linkEnd;
  const Stopwatch watch;
  double heardAt = 0;
  double saidAt = -1;
  while (!input.ended() && watch.seconds() - heardAt < longestSilence) {
    if (watch.seconds() - saidAt >= beatMilliseconds / 1000.0) {
      say(aliveLine);
      saidAt = watch.seconds();
    }
    const auto line = input.line(beatMilliseconds);
    sayTermination();
    if (line) heardAt = watch.seconds();
    if (line == endLine) return;
    if (!line || *line == aliveLine) continue;
    const std::string answer = linkEnd.answer(*line);
    if (!answer.empty()) say(answer);
  }
}

void keepRun(const HostRequest& request, const std::string& facts, Input& input) {
  passTerminationOn();
  adoptOrphans();
  killEarlierSessions();
  killLeftoverProcesses(request.runId);
  removeAbandonedFolders();
  const auto folders = makeFolders(request);
  say(facts);
  keepAlive(input);
  killLeftoverProcesses(request.runId);
  for (const auto& folder : folders) sendLogs(folder->path() / "logs");
}

/// Counting data and opening devices may take longer than a silence that is waited for.
HostFacts factsWithHeartbeats(const HostRequest& request, const std::string& openMpi) {
  std::mutex mutex;
  std::condition_variable_any done;
  const std::jthread beat([&](const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (!done.wait_for(lock, stop, std::chrono::milliseconds(beatMilliseconds), [] { return false; }) &&
           !stop.stop_requested()) {
      say(aliveLine);
    }
  });
  return factsOfThisHost(request, openMpi);
}

}  // namespace

int serveHost(const std::string& openMpi) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);  // what is left of the run still has to be ended
  constexpr int requestMilliseconds = 10'000;
  Input input;
  std::optional<std::string> asked;
  for (const Stopwatch watch; !asked && !input.ended() && watch.seconds() * 1000 < requestMilliseconds;) {
    asked = input.line(requestMilliseconds);
  }
  const auto request = parseHostRequest(asked.value_or(""));
  if (!request) {
    say(problemLine(trim(toText(request.error()))));
    return 2;
  }
  const std::string facts = toJsonLine(factsWithHeartbeats(*request, openMpi));
  try {
    if (!request->runId.empty()) {
      keepRun(*request, facts, input);
    } else {
      say(facts);
      if (request->measures) keepAlive(input);
    }
  } catch (const Error& error) {
    say(problemLine(error.what()));
    return 1;
  }
  return 0;
}

}  // namespace slipstream
