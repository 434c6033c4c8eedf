// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/dry_run.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/hosts/process.h"
#include "engine/hosts/remote_shell.h"
#include "engine/hosts/run_folder.h"
#include "engine/launch/failure_cause.h"
#include "engine/launch/mpirun_line.h"
#include "engine/launch/supervisor.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/placement.h"
#include "engine/plan/plan_file.h"
#include "engine/probe/this_host.h"
#include "engine/runs/run_logs.h"

namespace slipstream {
namespace {

constexpr std::chrono::seconds timeout{30};
constexpr std::chrono::milliseconds waitingInterval{20};
constexpr std::size_t lastWords = 8;

LaunchSettings settingsFor(const std::string& runId, const RunFolders& folders) {
  LaunchSettings settings;
  settings.runId = runId;
  settings.hubEndpoint = folders.hubEndpoint();
  settings.workerProgram = workerProgram().string();
  settings.privateFolder = folders.privateFolder().string();
  settings.sharedMemoryFolder = folders.sharedMemoryFolder().string();
  settings.logFolder = (folders.privateFolder() / "logs" / runId).string();
  settings.coresOnHost = coresOnHost();
  settings.asRoot = ::geteuid() == 0;
  return settings;
}

/// What is still there when the time is up is killed when this object goes.
ProcessEnd waitFor(ChildProcess& mpirun) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  while (std::chrono::steady_clock::now() < until) {
    if (const auto end = mpirun.poll()) return *end;
    std::this_thread::sleep_for(waitingInterval);
  }
  return {1, 0};
}

std::optional<RankReport> reportIn(const RankLog& log) {
  const nlohmann::json said = nlohmann::json::parse(readFile(log.file).value_or(""), nullptr, false);
  if (!said.is_object()) return std::nullopt;
  return RankReport{log.rank, said.value("host", ""), said.value("pid", 0L), said.value("threads", 0),
                    said.value("cores", 0)};
}

std::vector<RankReport> reportsIn(const std::filesystem::path& folder, const std::string& runId) {
  std::vector<RankReport> reports;
  for (const RankLog& log : rankLogs(folder, runId)) {
    if (log.stream != "stdout") continue;
    if (auto report = reportIn(log)) reports.push_back(std::move(*report));
  }
  return reports;
}

}  // namespace

LaunchPlan exampleLaunch(const RunPlan& plan) {
  LaunchSettings settings;
  settings.runId = "RUN";
  settings.hubEndpoint = plan.local ? "ipc://PRIVATE/hub" : "tcp://ADDRESS:PORT";
  settings.workerProgram = workerProgram().string();
  settings.privateFolder = "PRIVATE";
  settings.sharedMemoryFolder = "/dev/shm/RUN";
  settings.logFolder = "STORE/logs/RUN";
  settings.coresOnHost = coresOnHost();
  settings.asRoot = ::geteuid() == 0;
  if (!plan.local) settings.remoteShell = remoteShellScript("RUN");
  return launchPlan(plan, settings);
}

Result<DryRun> dryRun(const RankTable& table, const std::string& source, bool forceLocal) {
  SLIPSTREAM_TRY(placement, placeTable(table, source, forceLocal, coresOnHost()));
  DryRun dry;
  dry.plan.places = std::move(placement.places);
  dry.plan.local = placement.local;
  dry.plan.threadsPerRank = placement.threadsPerRank;
  dry.plan.decisions = std::move(placement.decisions);
  for (const RankPlacement& place : dry.plan.places) dry.hosts.push_back(placement.local ? hostName() : place.host);
  LaunchSettings settings;
  settings.runId = "RUN";
  settings.workerProgram = workerProgram().filename().string();
  settings.privateFolder = settings.sharedMemoryFolder = "RUN";
  settings.logFolder = "RUN/logs";
  settings.coresOnHost = coresOnHost();
  dry.command = shellLine(launchPlan(dry.plan, settings).argv);
  return dry;
}

Result<std::vector<RankReport>> askRanks(const RunPlan& plan) {
  SLIPSTREAM_CHECK(programsAreThere(workerProgram()));
  static std::atomic<int> asked = 0;
  const std::string runId = fmt::format("dry-{}-{}", ::getpid(), ++asked);
  const RunFolders folders(runId, plan.ranks());
  LaunchPlan launch = launchPlan(plan, settingsFor(runId, folders));
  launch.argv.emplace_back("--where");
  SLIPSTREAM_CHECK(makeFolder(folders.privateFolder() / "logs" / runId));
  const auto output = folders.privateFolder() / "mpirun.log";
  ProcessEnd end;
  {
    ChildProcess mpirun({launch.argv, launch.environment, output});
    end = waitFor(mpirun);
  }
  killLeftoverProcesses(runId);
  std::vector<RankReport> reports = reportsIn(folders.privateFolder(), runId);
  if (std::ssize(reports) == plan.ranks()) return reports;
  return fail("mpirun", toText(end), fmt::format("{} of {} reported", reports.size(), counted(plan.ranks(), "rank")),
              "see its last words: " + lastLines(endOfFile(output), lastWords));
}

}  // namespace slipstream
