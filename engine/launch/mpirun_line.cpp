// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/mpirun_line.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/plan/placement.h"
#include "engine/plan/thread_environment.h"
#include "engine/probe/environment_switches.h"
#include "engine/probe/processor.h"
#include "engine/scheduler/scheduler.h"
#include "engine/wire/link_keys.h"

// Options and why each is there: measured with Open MPI 4.1.4 on Debian 12.

namespace slipstream {
namespace {

constexpr const char* hostFileName = "hosts";
constexpr const char* dataVariable = "DATA_PATH";

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

/// Open MPI tries every interface that it finds, also bridges of containers that lead nowhere.
void restrictInterfaces(const LaunchSettings& settings, std::vector<std::string>& argv) {
  const bool known = !settings.networks.empty();
  const std::string list = known ? fmt::format("{}", fmt::join(settings.networks, ",")) : "lo,docker0,virbr0";
  for (const char* layer : {"oob_tcp_if_", "btl_tcp_if_"})
    mca(argv, std::string(layer) + (known ? "include" : "exclude"), list);
}

/// Hosts are the plan's, whatever allocation the environment speaks of.
void readNoAllocation(std::vector<std::string>& argv) {
  std::vector<std::string> readers;
  for (const Scheduler& scheduler : schedulers()) {
    if (scheduler.openMpiReader != nullptr) readers.emplace_back(scheduler.openMpiReader);
  }
  mca(argv, "ras", "^" + join(readers, ","));
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
  mca(launch.argv, "plm", "rsh");
  mca(launch.argv, "plm_rsh_agent", settings.privateFolder + "/" + remoteShellName);
  mca(launch.argv, "plm_rsh_no_tree_spawn", "1");        // hosts need not reach each other by ssh
  mca(launch.argv, "orte_leave_session_attached", "1");  // the end of a daemon is that of its shell
  // All shells stay, and mpirun waits for one to end before it starts more than these.
  mca(launch.argv, "plm_rsh_num_concurrent", std::to_string(ranksOfServers(plan.places).size()));
  readNoAllocation(launch.argv);
  restrictInterfaces(settings, launch.argv);
  mca(launch.argv, "oob_tcp_keepalive_time", "2");
  mca(launch.argv, "oob_tcp_keepalive_intvl", "1");
  mca(launch.argv, "oob_tcp_keepalive_probes", "3");
  mca(launch.argv, "rmaps", "seq");
  launch.argv.insert(launch.argv.end(), {"--hostfile", settings.privateFolder + "/" + hostFileName});
  launch.files[hostFileName] = sequentialHosts(plan);
  launch.files[remoteShellName] = settings.remoteShell;
}

/// Starts every rank by itself, whatever the environment speaks of or lacks (an allocation, ssh), and opens no port to
/// other machines. One thread starts all ranks: they are killed when the thread that started them ends.
void stayOnThisHost(std::vector<std::string>& argv) {
  mca(argv, "plm", "isolated");
  readNoAllocation(argv);
  mca(argv, "btl", "self,vader");
  mca(argv, "pml", "ob1");  // the one of these transports: others look for fabrics first, for a fifth of a second
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
  // Where a program's own samples may be.
  if (const auto data = environment(dataVariable); data && plan.experiment.network.isProgram()) {
    variables[dataVariable] = *data;
  }
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
  // Named in the line, so that only its value is secret.
  if (!settings.linkKeys.empty()) {
    launch.argv.insert(launch.argv.end(), {"-x", workerKeysVariable});
    launch.environment[workerKeysVariable] = settings.linkKeys;
  }
  if (settings.asRoot) {
    launch.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1";
    launch.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1";
  }
  launch.argv.insert(launch.argv.end(), {"-np", std::to_string(plan.ranks()), settings.workerProgram});
  const NetworkSpec& network = plan.experiment.network;
  if (network.isProgram()) {
    // One word of JSON, which mpirun takes for no option of its own.
    launch.argv.insert(launch.argv.end(), {"--program", network.folder, nlohmann::json(network.program).dump()});
  }
  return launch;
}

}  // namespace slipstream
