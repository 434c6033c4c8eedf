// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/mpirun_line.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/shell_line.h"
#include "engine/probe/environment_switches.h"
#include "tests/support/environment_variable.h"
#include "tests/support/small_plan.h"

namespace slipstream {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Key;
using testing::Not;
using testing::Pair;

LaunchSettings settings(int cores) {
  LaunchSettings made;
  made.runId = "r1";
  made.attempt = 2;
  made.hubEndpoint = "ipc:///private/hub";
  made.workerProgram = "/bin/worker program";
  made.privateFolder = "/private";
  made.sharedMemoryFolder = "/dev/shm/r1";
  made.logFolder = "/logs/r1";
  made.coresOnHost = cores;
  return made;
}

/// The value of an MCA parameter; empty where it is not set.
std::string mcaOf(const LaunchPlan& launch, const std::string& name) {
  for (std::size_t i = 0; i + 2 < launch.argv.size(); ++i) {
    if (launch.argv[i] == "--mca" && launch.argv[i + 1] == name) return launch.argv[i + 2];
  }
  return "";
}

RunPlan onServers(const std::vector<std::string>& hosts, int ranksEach) {
  RunPlan plan = test::smallPlan(static_cast<int>(hosts.size()) * ranksEach, 4);
  plan.local = false;
  for (RankPlacement& place : plan.places) {
    place.server = place.rank / ranksEach;
    place.host = hosts[static_cast<std::size_t>(place.server)];
  }
  return plan;
}

TEST(LaunchPlan, LocalRanksShareTheMachinePeacefully) {
  const LaunchPlan launch = launchPlan(test::smallPlan(8, 4), settings(2));
  EXPECT_EQ(launch.argv.front(), "mpirun");
  EXPECT_THAT(launch.argv, Contains("--oversubscribe"));
  EXPECT_EQ(mcaOf(launch, "mpi_yield_when_idle"), "1");
  EXPECT_EQ(mcaOf(launch, "odls_base_sigkill_timeout"), "0");
  EXPECT_EQ(mcaOf(launch, "orte_tmpdir_base"), "/private");
  EXPECT_EQ(mcaOf(launch, "btl_vader_backing_directory"), "/dev/shm/r1");
  EXPECT_THAT(launch.argv, Contains("/logs/r1/attempt-2:nocopy"));
  EXPECT_EQ(launch.argv.back(), "/bin/worker program") << "one argument, whatever it holds";
  EXPECT_EQ(launch.argv[launch.argv.size() - 2], "8");
  EXPECT_TRUE(launch.files.empty());
}

TEST(LaunchPlan, LocalRanksNeedNoOtherHostAndOpenNoPortToOne) {
  const LaunchPlan launch = launchPlan(test::smallPlan(2, 4), settings(2));
  EXPECT_EQ(mcaOf(launch, "plm"), "isolated") << "neither ssh nor Slurm";
  EXPECT_EQ(mcaOf(launch, "ras"), "^slurm,gridengine");
  EXPECT_EQ(mcaOf(launch, "btl"), "self,vader");
  EXPECT_EQ(mcaOf(launch, "pml"), "ob1");
  EXPECT_EQ(mcaOf(launch, "oob_tcp_if_include"), "lo");
}

TEST(LaunchPlan, RanksWithACoreEachDoNotYield) {
  EXPECT_EQ(mcaOf(launchPlan(test::smallPlan(2, 4), settings(8)), "mpi_yield_when_idle"), "0");
  EXPECT_EQ(mcaOf(launchPlan(test::smallPlan(2, 4), settings(2)), "mpi_yield_when_idle"), "1")
      << "the supervisor needs a core, too";
}

TEST(LaunchPlan, WorkersLearnTheirRunAndTheTutorialsVariables) {
  RunPlan plan = test::smallPlan(3, 4);
  plan.threadsPerRank = 4;
  const LaunchPlan launch = launchPlan(plan, settings(12));
  EXPECT_THAT(launch.environment, Contains(Pair("SLIPSTREAM_RUN", "r1")));
  EXPECT_THAT(launch.environment, Contains(Pair("SLIPSTREAM_HUB", "ipc:///private/hub")));
  EXPECT_THAT(launch.environment, Contains(Pair("SLIPSTREAM_ATTEMPT", "2")));
  EXPECT_THAT(launch.environment, Contains(Pair("OMP_NUM_THREADS", "4")));
  EXPECT_THAT(launch.environment, Contains(Pair("RANK_SIZE", "3")));
  EXPECT_THAT(launch.environment, Contains(Pair("DEVICE_NUM", "3")));
  for (const auto& [name, value] : launch.environment) EXPECT_THAT(launch.argv, Contains(name)) << "passed with -x";
}

TEST(LaunchPlan, ThreadsSpinLongWhereRanksTimesThreadsFitTheCoresAndBrieflyElsewhere) {
  const auto spinOf = [](int ranks, int threads, int cores, double others = 0) {
    RunPlan plan = test::smallPlan(ranks, 4);
    plan.threadsPerRank = threads;
    LaunchSettings machine = settings(cores);
    machine.othersRunning = others;
    const LaunchPlan launch = launchPlan(plan, machine);
    const auto found = launch.environment.find("GOMP_SPINCOUNT");
    return found == launch.environment.end() ? "" : found->second;
  };
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}) ::unsetenv(name);
  const std::string longSpin = spinOf(1, 2, 2), briefSpin = spinOf(2, 2, 2);
  EXPECT_GT(std::stol(longSpin), 100 * std::stol(briefSpin));
  EXPECT_EQ(spinOf(4, 2, 8), longSpin);
  EXPECT_EQ(spinOf(4, 2, 7), briefSpin) << "eight threads of seven cores wait for each other";
  EXPECT_EQ(spinOf(8, 1, 2), "") << "one thread waits for no other";
  EXPECT_EQ(spinOf(1, 2, 2, 1.1), longSpin) << "one other program leaves a core";
  EXPECT_EQ(spinOf(1, 2, 2, 8.0), briefSpin) << "others fill the machine";
}

TEST(LaunchPlan, TheHostWithTheMostRanksDecidesHowLongThreadsSpin) {
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}) ::unsetenv(name);
  RunPlan plan = onServers({"10.0.0.1", "10.0.0.2"}, 2);
  plan.threadsPerRank = 2;
  const auto fitting = launchPlan(plan, settings(4)).environment;
  plan.places[2].server = 0;
  plan.places[2].host = "10.0.0.1";
  EXPECT_NE(launchPlan(plan, settings(4)).environment.at("GOMP_SPINCOUNT"), fitting.at("GOMP_SPINCOUNT"));
}

TEST(LaunchPlan, WhoChoseHowThreadsWaitIsHeard) {
  RunPlan plan = test::smallPlan(1, 4);
  plan.threadsPerRank = 2;
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}) ::unsetenv(name);
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}) {
    ::setenv(name, "1000", 1);
    EXPECT_THAT(launchPlan(plan, settings(2)).environment, Not(Contains(Key("GOMP_SPINCOUNT")))) << name;
    ::unsetenv(name);
  }
}

TEST(LaunchPlan, WorkersLearnWhetherToRecord) {
  ::unsetenv(recordingVariable);
  EXPECT_THAT(launchPlan(test::smallPlan(1, 4), settings(2)).environment, Not(Contains(Key(recordingVariable))));
  ::setenv(recordingVariable, "off", 1);
  const LaunchPlan launch = launchPlan(test::smallPlan(1, 4), settings(2));
  EXPECT_THAT(launch.environment, Contains(Pair(recordingVariable, "off")));
  EXPECT_THAT(launch.argv, Contains(recordingVariable)) << "remote hosts have only what is named";
  ::unsetenv(recordingVariable);
}

TEST(LaunchPlan, ProgramsLearnWhereDataIs) {
  const test::EnvironmentVariable data("DATA_PATH", "/data");
  RunPlan plan = test::smallPlan(1, 4);
  EXPECT_THAT(launchPlan(plan, settings(2)).argv, Not(Contains("DATA_PATH")));
  plan.experiment.network.program = {"python3", "train.py"};
  const LaunchPlan launch = launchPlan(plan, settings(2));
  EXPECT_THAT(launch.environment, Contains(Pair("DATA_PATH", "/data")));
  EXPECT_THAT(launch.argv, Contains("DATA_PATH")) << "remote hosts have only what is named";
}

TEST(RecordsPasses, UnlessItIsOffAndRefusesAnythingElse) {
  ::unsetenv(recordingVariable);
  EXPECT_EQ(recordsPasses(), true);
  for (const bool on : {true, false}) {
    ::setenv(recordingVariable, on ? "on" : "off", 1);
    EXPECT_EQ(recordsPasses(), on);
  }
  ::setenv(recordingVariable, "0", 1);
  const auto refused = recordsPasses();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].where, recordingVariable);
  EXPECT_EQ(refused.error()[0].value, "0");
  ::unsetenv(recordingVariable);
}

TEST(LaunchPlan, ARunKeepsToTheInstructionSetOfItsPlan) {
  RunPlan plan = test::smallPlan(1, 4);
  plan.instructionSet = "avx512";
  EXPECT_THAT(launchPlan(plan, settings(2)).environment, Contains(Pair(matrixUnitVariable, "off")));
  plan.instructionSet = "avx512_amx";
  EXPECT_THAT(launchPlan(plan, settings(2)).environment, Not(Contains(Key(matrixUnitVariable))));
}

TEST(LaunchPlan, RootSaysTwiceThatItMeansIt) {
  EXPECT_THAT(launchPlan(test::smallPlan(1, 4), settings(2)).environment, Not(Contains(Key("OMPI_ALLOW_RUN_AS_ROOT"))));
  LaunchSettings root = settings(2);
  root.asRoot = true;
  const LaunchPlan launch = launchPlan(test::smallPlan(1, 4), root);
  EXPECT_THAT(launch.environment, Contains(Pair("OMPI_ALLOW_RUN_AS_ROOT", "1")));
  EXPECT_THAT(launch.environment, Contains(Pair("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")));
}

TEST(LaunchPlan, SeveralHostsGetOneLineARankInRankOrder) {
  RunPlan plan = onServers({"10.0.0.1", "10.0.1.2"}, 2);
  std::swap(plan.places[1].host, plan.places[2].host);
  LaunchSettings reached = settings(4);
  reached.networks = {"10.0.0.0/20", "10.9.0.0/16"};
  reached.remoteShell = "#!/bin/sh\n";
  reached.linkKeys = "a b c";
  const LaunchPlan launch = launchPlan(plan, reached);
  EXPECT_EQ(launch.files.at("hosts"), "10.0.0.1\n10.0.1.2\n10.0.0.1\n10.0.1.2\n");
  EXPECT_EQ(mcaOf(launch, "rmaps"), "seq");
  EXPECT_THAT(launch.argv, Contains("/private/hosts"));
  EXPECT_EQ(mcaOf(launch, "btl_tcp_if_include"), "10.0.0.0/20,10.9.0.0/16");
  EXPECT_EQ(mcaOf(launch, "oob_tcp_keepalive_time"), "2");
  EXPECT_EQ(mcaOf(launch, "plm_rsh_agent"), "/private/remote-shell");
  EXPECT_EQ(launch.files.at("remote-shell"), "#!/bin/sh\n");
  EXPECT_EQ(launch.environment.at("SLIPSTREAM_LINK_KEYS"), "a b c");
  EXPECT_THAT(launch.argv, Contains("SLIPSTREAM_LINK_KEYS")) << "by name";
  EXPECT_THAT(launch.argv, Not(Contains(testing::HasSubstr("a b c"))));
  EXPECT_THAT(launch.environment, Not(Contains(Key("SERVER_ID")))) << "it differs from host to host";
}

TEST(LaunchPlan, HostsOfUnknownNetworksLeaveOutVirtualInterfaces) {
  const LaunchPlan launch = launchPlan(onServers({"node1", "node2"}, 1), settings(4));
  EXPECT_EQ(mcaOf(launch, "btl_tcp_if_include"), "");
  EXPECT_THAT(mcaOf(launch, "btl_tcp_if_exclude"), testing::HasSubstr("docker0"));
}

TEST(LaunchPlan, EveryServerHasItsView) {
  RunPlan plan = onServers({"10.0.0.1", "10.0.0.2"}, 2);
  plan.experiment.parallel.rankTablePath = "/tables/two.json";
  const auto views = serverViews(plan);
  ASSERT_EQ(views.size(), 2U);
  EXPECT_EQ(views[1].host, "10.0.0.2");
  EXPECT_THAT(views[1].ranks, ElementsAre(2, 3));
  EXPECT_THAT(views[1].environment, Contains(Pair("SERVER_ID", "1")));
  EXPECT_THAT(views[1].environment, Contains(Pair("DEVICE_NUM", "2")));
  EXPECT_THAT(views[1].environment, Contains(Pair("RANK_SIZE", "4")));
  EXPECT_THAT(views[1].environment, Contains(Pair("RANK_TABLE_FILE", "/tables/two.json")));
}

TEST(LaunchPlan, ShellLinesQuoteWhatAShellWouldRead) {
  EXPECT_EQ(shellLine({"mpirun", "a b", "$(x)", "it's", ""}), R"(mpirun 'a b' '$(x)' 'it'\''s' '')");
  EXPECT_EQ(shellLine({"a\x1b[31mb\n", "\xE9'\\"}), R"($'a\x1b[31mb\n' $'\xe9\'\\')");
}

}  // namespace
}  // namespace slipstream
