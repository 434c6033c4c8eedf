// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/plan/placement.h"
#include "engine/plan/run_plan.h"
#include "engine/plan/thread_environment.h"
#include "engine/probe/environment_switches.h"
#include "engine/probe/processor.h"
#include "engine/rank_table/rank_table.h"

// Options and why each is there: measured with Open MPI 4.1.4 on Debian 12.

namespace slipstream {
namespace {

constexpr const char* hostFileName = "hosts";

void mca(std::vector<std::string>& argv, const std::string& name, const std::string& value) {
  argv.insert(argv.end(), {"--mca", name, value});
}

/// Waiting ranks give their core away as soon as the ranks and the supervisor are more than the cores: 8 ranks on 2
/// cores are 13 times slower without it. Open MPI's own guess is wrong where hosts declare slots.
const char* yieldWhenIdle(int ranksOnHost, int cores) {
  return ranksOnHost + 1 > cores ? "1" : "0";
}

int mostRanksOnAHost(const RunPlan& plan) {
  if (plan.local) return plan.ranks();
  const auto counts = ranksOfServers(plan.places);
  return *std::max_element(counts.begin(), counts.end());
}

/// The /24 networks of the hosts where the table gives IPv4 addresses; else what to leave out. Without it Open MPI
/// tries every bridge of a container host.
void restrictInterfaces(const RunPlan& plan, std::vector<std::string>& argv) {
  std::set<std::string> networks;
  for (const RankPlacement& place : plan.places) {
    const auto dot = place.host.rfind('.');
    const bool ipv4 = isAddress(place.host) && dot != std::string::npos && place.host.find(':') == std::string::npos;
    if (!ipv4) {
      for (const char* layer : {"oob_tcp_if_exclude", "btl_tcp_if_exclude"}) mca(argv, layer, "lo,docker0,virbr0");
      return;
    }
    networks.insert(place.host.substr(0, dot) + ".0/24");
  }
  const std::string list = fmt::format("{}", fmt::join(networks, ","));
  for (const char* layer : {"oob_tcp_if_include", "btl_tcp_if_include"}) mca(argv, layer, list);
}

/// One host line a rank, in rank order: the only mapper that keeps the rank table's order and binds nothing.
std::string sequentialHosts(const RunPlan& plan) {
  std::string text;
  for (const RankPlacement& place : plan.places) text += place.host + "\n";
  return text;
}

/// A cut cable is noticed within seconds, and names its host.
void reachHosts(const RunPlan& plan, const LaunchSettings& settings, LaunchPlan& launch) {
  mca(launch.argv, "btl", "self,vader,tcp");
  mca(launch.argv, "plm_rsh_agent",
      "ssh -x -o BatchMode=yes -o ConnectTimeout=5 -o ServerAliveInterval=3 -o ServerAliveCountMax=3");
  restrictInterfaces(plan, launch.argv);
  mca(launch.argv, "oob_tcp_keepalive_time", "2");
  mca(launch.argv, "oob_tcp_keepalive_intvl", "1");
  mca(launch.argv, "oob_tcp_keepalive_probes", "3");
  mca(launch.argv, "rmaps", "seq");
  launch.argv.insert(launch.argv.end(), {"--hostfile", settings.privateFolder + "/" + hostFileName});
  launch.files[hostFileName] = sequentialHosts(plan);
}

/// Starts every rank by itself, whatever allocation the environment speaks of (Slurm's variables, a missing ssh), and
/// opens no port to other machines. One thread starts all ranks: they are killed when the thread that started them
/// ends.
void stayOnThisHost(std::vector<std::string>& argv) {
  mca(argv, "plm", "isolated");
  mca(argv, "ras", "^slurm,gridengine");
  mca(argv, "btl", "self,vader");
  mca(argv, "oob_tcp_if_include", "lo");
  mca(argv, "odls_base_num_threads", "0");
}

/// What ends the job at once and leaves nothing behind: no grace between TERM and KILL (the supervisor holds the
/// state), and every temporary file in folders that the supervisor removes.
void keepTidy(const LaunchSettings& settings, std::vector<std::string>& argv) {
  mca(argv, "odls_base_sigkill_timeout", "0");
  mca(argv, "orte_tmpdir_base", settings.privateFolder);
  mca(argv, "btl_vader_backing_directory", settings.sharedMemoryFolder);
  mca(argv, "osc_sm_backing_directory", settings.sharedMemoryFolder);
}

std::map<std::string, std::string> workerEnvironment(const RunPlan& plan, const LaunchSettings& settings) {
  std::map<std::string, std::string> variables{
      {"SLIPSTREAM_RUN", settings.runId},
      {"SLIPSTREAM_HUB", settings.hubEndpoint},
      {"SLIPSTREAM_ATTEMPT", std::to_string(settings.attempt)},
  };
  variables.merge(
      threadEnvironment(plan.threadsPerRank, {settings.coresOnHost, mostRanksOnAHost(plan), settings.othersRunning}));
  // The launcher gives remote hosts what it names, and nothing else of this process's environment.
  if (const auto recording = environment(recordingVariable)) variables[recordingVariable] = *recording;
  // A run keeps its bits on a processor that has more than the one that it began on.
  if (excludesMatrixUnit(plan.instructionSet)) variables[matrixUnitVariable] = "off";
  // On several hosts the values differ from host to host and cannot be passed through one mpirun.
  if (plan.local) variables.merge(std::map<std::string, std::string>(serverViews(plan).front().environment));
  return variables;
}

}  // namespace

LaunchPlan launchPlan(const RunPlan& plan, const LaunchSettings& settings) {
  LaunchPlan launch;
  launch.environment = workerEnvironment(plan, settings);
  launch.argv = {"mpirun", "--oversubscribe", "--bind-to", "none"};
  mca(launch.argv, "mpi_yield_when_idle", yieldWhenIdle(mostRanksOnAHost(plan), settings.coresOnHost));
  keepTidy(settings, launch.argv);
  if (plan.local) {
    stayOnThisHost(launch.argv);
  } else {
    reachHosts(plan, settings, launch);
  }
  launch.argv.insert(launch.argv.end(),
                     {"--output-filename", fmt::format("{}/attempt-{}:nocopy", settings.logFolder, settings.attempt)});
  for (const auto& [name, value] : launch.environment) launch.argv.insert(launch.argv.end(), {"-x", name});
  if (settings.asRoot) {
    launch.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1";
    launch.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1";
  }
  launch.argv.insert(launch.argv.end(), {"-np", std::to_string(plan.ranks()), settings.workerProgram});
  return launch;
}

namespace {

std::string quoted(const std::string& word) {
  constexpr const char* harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
  if (printable(word) == word) return "'" + join(split(word, '\''), "'\\''") + "'";
  // Bash's form for what a terminal would obey instead of showing it.
  std::string escaped;
  for (const char letter : word) escaped += (letter == '\'' || letter == '\\' ? "\\" : "") + std::string(1, letter);
  return "$'" + printable(escaped) + "'";
}

}  // namespace

std::string shellLine(const std::vector<std::string>& words) {
  std::vector<std::string> safe;
  for (const std::string& word : words) safe.push_back(quoted(word));
  return join(safe, " ");
}

std::vector<ServerView> serverViews(const RunPlan& plan) {
  std::map<int, ServerView> byServer;
  for (const RankPlacement& place : plan.places) {
    ServerView& view = byServer[place.server];
    view.host = place.host;
    view.ranks.push_back(place.rank);
  }
  std::vector<ServerView> views;
  for (auto& [server, view] : byServer) {
    view.environment = {{"RANK_SIZE", std::to_string(plan.ranks())},
                        {"DEVICE_NUM", std::to_string(view.ranks.size())},
                        {"SERVER_ID", std::to_string(server)}};
    const std::string& table = plan.experiment.parallel.rankTablePath;
    if (!table.empty()) view.environment["RANK_TABLE_FILE"] = table;
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace slipstream
