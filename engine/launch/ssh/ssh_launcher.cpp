// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/ssh/ssh_launcher.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/hosts/host_session.h"
#include "engine/hosts/remote_shell.h"
#include "engine/hosts/route.h"
#include "engine/hosts/run_folder.h"
#include "engine/launch/hosts_of_plan.h"
#include "engine/launch/mpirun_job.h"
#include "engine/probe/this_host.h"
#include "engine/wire/link_keys.h"

namespace slipstream {
namespace {

/// Longer than a session takes to call a host silent.
constexpr double hostIsJudgedWithin = 10;

template <class T>
T valueOf(Result<T> result) {
  if (!result) throw Error(trim(toText(result.error())));
  return std::move(*result);
}

/// Networks that hosts are in, for Open MPI; none where one of them lies behind a router.
std::vector<std::string> networksOf(const std::vector<std::string>& hosts) {
  std::set<std::string> networks;
  for (const std::string& host : hosts) {
    if (isThisHost(host)) continue;  // it is in the networks of the others
    const auto route = routeTo(host);
    if (!route || route->network.empty()) return {};
    networks.insert(route->network);
  }
  return {networks.begin(), networks.end()};
}

class SshLauncher final : public Launcher {
 public:
  explicit SshLauncher(const LaunchedAttempt& attempt)
      : attempt_(attempt),
        hosts_(hostsOf(attempt.plan)),
        keys_(makeHubKeys()),
        folders_(attempt.runId, attempt.plan.ranks(), true),
        mpirun_(attempt_, folders_) {}

  HubAddress hubAddress() override { return {fmt::format("tcp://{}:*", valueOf(addressFor(hosts_))), keys_}; }

  void start(const std::string& hubEndpoint) override {
    openSessionsOfRun();
    LaunchSettings settings = mpirun_.settings(hubEndpoint);
    settings.coresOnHost = fewestCores();
    settings.networks = networksOf(hosts_);
    settings.remoteShell = remoteShellScript(attempt_.runId);
    settings.linkKeys = workerKeysText(keys_);
    mpirun_.start(launchPlan(attempt_.plan, settings), {});
  }

  std::optional<ProcessEnd> poll() override {
    for (const auto& session : sessions_) {
      session->poll();
      // What a scheduler tells a step of the job it means for the job.
      if (session->takeTermination()) std::raise(SIGTERM);
    }
    return mpirun_.poll();
  }

  bool ignoresDeadChild() const override { return mpirun_.ignoresDeadChild(); }

  std::optional<LostHost> lostHost() override { return lostWhileMpirunRuns(evidence()); }

  std::optional<LostHost> awaitLostHost() override {
    const auto since = std::chrono::steady_clock::now();
    const auto isUnheard = [&](const auto& session) { return !session->heardSince(since); };
    for (const Stopwatch watch; watch.seconds() < hostIsJudgedWithin;) {
      for (const auto& session : sessions_) session->poll();
      if (auto lost = lostWhereMpirunEnded(evidence())) return lost;
      if (std::ranges::none_of(sessions_, isUnheard)) break;
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    return std::nullopt;
  }

  std::string endEverywhere() override {
    killLeftoverProcesses(attempt_.runId);  // mpirun first, whose daemons end with it
    auto sweeps = sweepWhereBroken();
    auto silent = endSessions(sessions_);
    endSessions(sweeps);
    keepLogs();
    for (const auto& sweep : sweeps) {
      if (!sweep->facts()) silent.push_back(sweep->host());
    }
    sessions_.clear();
    if (silent.empty()) return "";
    return fmt::format("not reached at the end: {}; what runs there ends by itself within ten seconds",
                       fmt::join(silent, ", "));
  }

 private:
  HostEvidence evidence() {
    HostEvidence known{
        .hosts = hosts_, .silent = silentHost(), .endedDaemons = endedCommands(folders_.privateFolder())};
    if (!known.endedDaemons.empty() && !daemonEnd_) daemonEnd_.emplace();
    if (daemonEnd_) known.secondsSinceDaemonEnded = daemonEnd_->seconds();
    return known;
  }

  std::optional<LostHost> silentHost() const {
    for (const auto& session : sessions_) {
      const std::string problem = session->problem();
      if (!problem.empty()) return LostHost{session->host(), problem};
    }
    return std::nullopt;
  }

  void openSessionsOfRun() {
    HostRequest request;
    request.runId = attempt_.runId;
    request.folders = {folders_.privateFolder().string(), folders_.sharedMemoryFolder().string()};
    request.owner = readFile(folders_.privateFolder() / ownerFileName).value_or("");
    // Open MPI's daemons look for what their mpirun was given, although they start nobody.
    request.programs = {{remoteShellName, remoteShellScript(attempt_.runId)}};
    sessions_ = valueOf(openSessions(hosts_, attempt_.worker, request, folders_.privateFolder()));
  }

  /// Where a session has failed, another one ends what is left, its predecessor included.
  std::vector<std::unique_ptr<HostSession>> sweepWhereBroken() {
    HostRequest request;
    request.runId = attempt_.runId;
    std::vector<std::unique_ptr<HostSession>> sweeps;
    for (auto session = sessions_.begin(); session != sessions_.end();) {
      const std::string host = (*session)->host();
      if ((*session)->problem().empty()) {
        ++session;
        continue;
      }
      session = sessions_.erase(session);
      const auto errors = folders_.privateFolder() / fmt::format("sweep-{}.log", host);
      sweeps.push_back(std::make_unique<HostSession>(host, attempt_.worker, request, errors));
    }
    return sweeps;
  }

  int fewestCores() const {
    const auto fewer = [](const auto& one, const auto& other) { return one->facts()->cores < other->facts()->cores; };
    return (*std::ranges::min_element(sessions_, fewer))->facts()->cores;
  }

  /// Hosts that share the folder of logs with this machine have sent none.
  void keepLogs() {
    for (const auto& session : sessions_) {
      for (const HostSession::Log& log : session->takeLogs()) {
        const auto file = attempt_.logs.parent_path() / log.name;
        std::error_code problem;
        if (std::filesystem::exists(std::filesystem::symlink_status(file, problem))) continue;
        std::filesystem::create_directories(file.parent_path(), problem);
        std::ofstream(file, std::ios::binary) << log.text;
      }
    }
  }

  const LaunchedAttempt attempt_;
  const std::vector<std::string> hosts_;
  const HubKeys keys_;
  RunFolders folders_;
  MpirunJob mpirun_;
  std::optional<Stopwatch> daemonEnd_;                  ///< since the first daemon was seen to have ended
  std::vector<std::unique_ptr<HostSession>> sessions_;  ///< go before the folders that hold their logs
};

}  // namespace

std::unique_ptr<Launcher> makeSshLauncher(const LaunchedAttempt& attempt) {
  return std::make_unique<SshLauncher>(attempt);
}

}  // namespace slipstream
