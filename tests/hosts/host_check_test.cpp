// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/host_check.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/hosts/process.h"
#include "engine/hosts/remote_shell.h"
#include "engine/hosts/route.h"
#include "tests/support/environment_variable.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

HostFacts facts() {
  HostFacts made;
  made.build = "b1";
  made.openMpi = "Open MPI v4.1.4";
  made.instructionSet = "avx2";
  made.cores = 4;
  made.memory = 8'000'000'000;
  made.sharedMemory = 1'000'000'000;
  made.data["/data"] = {true, 2, 100};
  return made;
}

std::string problemsAfter(const std::function<void(CheckedHost&)>& change) {
  CheckedHost host{"b", facts(), 0, 2};
  change(host);
  return toText(findHostProblems({{"a", facts(), 0, 2}, host}, facts(), {1'000'000'000, "avx2"}));
}

TEST(HostCheck, LikeHostsAreReady) {
  EXPECT_EQ(problemsAfter([](CheckedHost&) {}), "");
  EXPECT_TRUE(findHostRemarks({{"a", facts(), 0.2, 4}}).empty());
}

TEST(HostCheck, EveryDifferenceThatMattersIsNamedWithItsHost) {
  const std::vector<std::pair<std::function<void(CheckedHost&)>, const char*>> cases{
      {[](CheckedHost& host) { host.facts.build = "b2"; }, "another build"},
      {[](CheckedHost& host) { host.facts.openMpi = "Open MPI v5.0.0"; }, "Open MPI v5.0.0"},
      {[](CheckedHost& host) { host.facts.data.clear(); }, "the data are not there"},
      {[](CheckedHost& host) { host.facts.data["/data"].bytes = 99; }, "2 files, 99 B"},
      {[](CheckedHost& host) { host.facts.memory = 1'500'000'000; }, "need 2.00 GB of memory"},
      {[](CheckedHost& host) { host.facts.sharedMemory = 1000; }, "/dev/shm"},
      {[](CheckedHost& host) { host.facts.instructionSet = "avx512"; }, "other bits"},
      {[](CheckedHost& host) { host.facts.wayBack = "10.0.0.1:5: no answer within 3 s"; }, "SLIPSTREAM_ADDRESS"},
  };
  for (const auto& [change, expected] : cases) {
    const std::string text = problemsAfter(change);
    EXPECT_THAT(text, HasSubstr("host b"));
    EXPECT_THAT(text, HasSubstr(expected));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  }
}

TEST(HostCheck, AllProblemsAreNamedAtOnce) {
  const std::string text = problemsAfter([](CheckedHost& host) {
    host.facts.build = "b2";
    host.facts.data.clear();
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
}

TEST(HostCheck, ClocksAndCoresAreRemarks) {
  EXPECT_THAT(findHostRemarks({{"b", facts(), -2.5, 8}}),
              ElementsAre(HasSubstr("2.5 s behind"), HasSubstr("8 ranks share 4 cores")));
}

TEST(Route, TheLoopbackReachesItselfAndUnknownNamesDoNotResolve) {
  const auto route = routeTo("127.0.0.1");
  ASSERT_TRUE(route);
  EXPECT_EQ(*route, (Route{"127.0.0.1", "127.0.0.0/8"}));
  const auto unknown = routeTo("no-such-host.invalid");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(toText(unknown.error()), HasSubstr("no-such-host.invalid"));
}

TEST(Route, TheUsersAddressIsTaken) {
  const test::EnvironmentVariable chosen("SLIPSTREAM_ADDRESS", "10.9.8.7");
  EXPECT_EQ(addressFor({"no-such-host.invalid"}).value(), "10.9.8.7");
}

TEST(RemoteShell, HandsACommandOverAsOneWordThatNoShellReadsAnew) {
  const test::EnvironmentVariable program("SLIPSTREAM_SSH", "/opt/ssh");
  EXPECT_THAT(onHost("b", {"/a b/worker", "$(x)"}), ElementsAre("/opt/ssh", "b", "'/a b/worker' '$(x)'"));
  EXPECT_THAT(remoteShellScript("r1"), HasSubstr("\n/opt/ssh \"$host\" \"env SLIPSTREAM_RUN=r1 $*\""));
}

TEST(RemoteShell, CommandsThatHaveEndedAreKnownWithTheirHosts) {
  const test::TemporaryFolder folder;
  const auto ssh = folder.path() / "ssh", script = folder.path() / "script";
  const test::EnvironmentVariable program("SLIPSTREAM_SSH", ssh.string());
  ASSERT_TRUE(writeFile(ssh, "#!/bin/sh\n[ \"$2\" = 'env SLIPSTREAM_RUN=r1 orted --mca x y' ] && exit 7\n"));
  ASSERT_TRUE(writeFile(script, remoteShellScript("r1")));
  std::filesystem::permissions(ssh, std::filesystem::perms::owner_all);
  EXPECT_TRUE(endedCommands(folder.path()).empty());
  for (const std::string host : {"h2", "h3"}) {
    ChildProcess call({{"/bin/sh", script.string(), host, "orted", "--mca", "x", "y"}, {}, folder.path() / "log"});
    std::optional<ProcessEnd> end;
    while (!(end = call.poll())) std::this_thread::sleep_for(std::chrono::milliseconds{5});
    EXPECT_EQ(end->exitCode, 7) << host << ", whose end mpirun judges";
  }
  const auto ended = endedCommands(folder.path());
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_EQ(ended[0].host, "h2");
  EXPECT_EQ(ended[0].exitCode, 7);
  EXPECT_EQ(ended[1].host, "h3");
}

/// As Slurm tells every process of a job.
TEST(RemoteShell, AScriptThatIsToldToTerminateWaitsForItsCommand) {
  const test::TemporaryFolder folder;
  const auto ssh = folder.path() / "ssh", script = folder.path() / "script", begun = folder.path() / "begun";
  const test::EnvironmentVariable program("SLIPSTREAM_SSH", ssh.string());
  ASSERT_TRUE(writeFile(ssh, "#!/bin/sh\ntouch " + begun.string() + "\nsleep 1\nexit 3\n"));
  ASSERT_TRUE(writeFile(script, remoteShellScript("r1")));
  std::filesystem::permissions(ssh, std::filesystem::perms::owner_all);
  ChildProcess call({{"/bin/sh", script.string(), "h2", "orted"}, {}, folder.path() / "log"});
  while (!std::filesystem::exists(begun)) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  call.signal(SIGTERM);
  std::optional<ProcessEnd> end;
  while (!(end = call.poll())) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  EXPECT_EQ(end->signal, 0);
  EXPECT_EQ(end->exitCode, 3);
  ASSERT_EQ(endedCommands(folder.path()).size(), 1U);
}

TEST(RemoteShell, InsideAJobOfSlurmItIsAStepOfTheJob) {
  const test::EnvironmentVariable none("SLIPSTREAM_SSH", std::nullopt);
  const test::EnvironmentVariable job("SLURM_JOB_ID", "17");
  const auto words = onHost("n2", {"/a b/worker", "--host"});
  EXPECT_EQ(words.front(), "srun");
  EXPECT_THAT(words, Contains("--overlap"));
  ASSERT_GE(words.size(), 5U);
  EXPECT_THAT(std::vector(words.end() - 5, words.end()),
              ElementsAre("--nodelist", "n2", "sh", "-c", "exec '/a b/worker' --host"));
  EXPECT_THAT(remoteShellScript("r1"),
              HasSubstr("--nodelist \"$host\" sh -c \"exec env --block-signal=TERM SLIPSTREAM_RUN=r1 $*\""));
  const test::EnvironmentVariable other("SLIPSTREAM_SSH", "/opt/ssh");
  EXPECT_EQ(onHost("n2", {"true"}).front(), "/opt/ssh");
}

TEST(RemoteShell, InsideAJobOfASchedulerWithoutOneItIsSsh) {
  const test::EnvironmentVariable none("SLIPSTREAM_SSH", std::nullopt);
  const test::EnvironmentVariable slurm("SLURM_JOB_ID", std::nullopt);
  const test::EnvironmentVariable job("PBS_JOBID", "17.head");
  EXPECT_EQ(onHost("n2", {"true"}).front(), "ssh");
  EXPECT_THAT(remoteShellScript("r1"), HasSubstr("\"env SLIPSTREAM_RUN=r1 $*\""));
}

}  // namespace
}  // namespace slipstream
