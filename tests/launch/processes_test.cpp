// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <csignal>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "engine/hosts/launcher_variables.h"
#include "engine/hosts/process.h"
#include "engine/hosts/run_folder.h"
#include "engine/launch/detach.h"
#include "engine/launch/live_progress.h"
#include "engine/launch/loopback_only.h"
#include "tests/support/environment_variable.h"

namespace slipstream {
namespace {

using test::EnvironmentVariable;

class Processes : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string text = (std::filesystem::temp_directory_path() / "slipstream-processes-XXXXXX").string();
    ASSERT_NE(::mkdtemp(text.data()), nullptr);
    folder = text;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  ProcessEnd endOf(ChildProcess& child) {
    const Stopwatch watch;
    while (watch.seconds() < 300) {
      if (const auto end = child.poll()) return *end;
      ::usleep(5000);
    }
    ADD_FAILURE() << "the process does not end";
    return {};
  }

  std::filesystem::path folder;
};

TEST_F(Processes, GetArgumentsAndVariablesAsTheyAre) {
  const std::string nasty = "a;touch " + (folder / "trap").string() + " $(id) 'x' \"y\"";
  ChildProcess child({{"printf", "%s|%s", nasty, ""}, {{"NASTY", nasty}}, folder / "output"});
  EXPECT_EQ(endOf(child).exitCode, 0);
  EXPECT_EQ(*readFile(folder / "output"), nasty + "|");
  EXPECT_FALSE(std::filesystem::exists(folder / "trap"));
}

TEST_F(Processes, DoNotGetWhatALauncherLeft) {
  const EnvironmentVariable size("OMPI_UNIVERSE_SIZE", "4");
  const EnvironmentVariable session("OMPI_MCA_ess", "pmi");
  const EnvironmentVariable daemon("PMIX_SERVER_URI41", "1.0;tcp4://127.0.0.1:9");
  const EnvironmentVariable chosen("OMPI_MCA_btl", "self,vader");
  const EnvironmentVariable workaround("PMIX_MCA_gds", "hash");
  const EnvironmentVariable rank("SLURM_PROCID", "0");
  const EnvironmentVariable job("SLURM_JOB_ID", "17");
  const std::string shown =
      "$OMPI_UNIVERSE_SIZE|$OMPI_MCA_ess|$PMIX_SERVER_URI41|$SLURM_PROCID|$OMPI_MCA_btl|$PMIX_MCA_gds|$SLURM_JOB_ID";
  ChildProcess child({{"sh", "-c", "printf %s \"" + shown + "\""}, {}, folder / "output"});
  EXPECT_EQ(endOf(child).exitCode, 0);
  EXPECT_EQ(*readFile(folder / "output"), "||||self,vader|hash|17");
}

TEST_F(Processes, LauncherVariablesAreNotThoseOfUsers) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_hnp_uri", "PMIX_RANK"}) {
    EXPECT_TRUE(isLauncherVariable(name)) << name;
  }
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_orte_rsh_agent",
                           "OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_btl_tcp_if_include", "PATH"}) {
    EXPECT_FALSE(isLauncherVariable(name)) << name;
  }
}

TEST_F(Processes, TellHowTheyEnded) {
  ChildProcess exits({{"sh", "-c", "exit 7"}, {}, folder / "output"});
  EXPECT_EQ(endOf(exits).exitCode, 7);
  ChildProcess sleeps({{"sleep", "60"}, {}, folder / "output"});
  EXPECT_FALSE(sleeps.poll());
  sleeps.signal(SIGTERM);
  EXPECT_EQ(endOf(sleeps).signal, SIGTERM);
}

TEST_F(Processes, ThatIgnoreADeadChildAreKnown) {
  ChildProcess careful({{"sleep", "60"}, {}, folder / "output"});
  EXPECT_FALSE(careful.ignoresDeadChild());
  ChildProcess careless({{"sh", "-c", "true & exec sleep 60"}, {}, folder / "output"});
  const Stopwatch watch;
  while (!careless.ignoresDeadChild() && watch.seconds() < 50) ::usleep(5000);
  EXPECT_TRUE(careless.ignoresDeadChild()) << "sleep never waits for the child of the shell that it was";
}

TEST_F(Processes, ThatCannotStartSayWhy) {
  EXPECT_THROW(ChildProcess({{"no-such-program"}, {}, folder / "output"}), Error);
  ASSERT_TRUE(writeFile(folder / "text", "not a program"));
  EXPECT_THROW(ChildProcess({{(folder / "text").string()}, {}, folder / "output"}), Error);
}

/// Makes a folder one that a supervisor before the last boot has left. From then on every process of this machine may
/// remove it, also before the writing is over, which then fails.
void leaveToAnyone(const std::filesystem::path& folder, const std::string& run) {
  static_cast<void>(writeFile(folder / "owner", "1\n1\nanother boot\n" + hostName() + "\n" + run + "\n"));
}

/// What a supervisor of this process id and run writes of itself.
std::string ownerText(pid_t process, const std::string& run) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string status;
  std::getline(file, status);
  const auto fields = split(trim(status.substr(status.rfind(')') + 1)), ' ');
  const std::string place = thisProcess().bootId;
  const auto blank = place.find(' ');
  return std::to_string(process) + "\n" + fields.at(19) + "\n" + place.substr(0, blank) + "\n" + hostName() + "\n" +
         run + "\n" + place.substr(blank + 1) + "\n";
}

std::ptrdiff_t openFiles() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

TEST_F(Processes, ThatCannotStartLeaveNoFileOpen) {
  const auto before = openFiles();
  EXPECT_THROW(ChildProcess({{"sleep", "0"}, {}, folder / "no/such/folder/output"}), Error);
  ASSERT_TRUE(writeFile(folder / "text", "not a program"));
  EXPECT_THROW(ChildProcess({{(folder / "text").string()}, {}, folder / "output"}), Error);
  EXPECT_EQ(openFiles(), before);
}

TEST_F(Processes, OfARunAreFoundByItsIdAloneAndSwept) {
  const std::string id = "sweep-test-" + std::to_string(::getpid());
  ChildProcess stopped({{"sleep", "60"}, {{runVariable, id}}, folder / "output"});
  ChildProcess other({{"sleep", "60"}, {{runVariable, id + "0"}}, folder / "output"});
  stopped.signal(SIGSTOP);
  EXPECT_THAT(processesOfRun(id), ::testing::ElementsAre(stopped.pid()));
  EXPECT_EQ(killLeftoverProcesses(id), 1);
  EXPECT_TRUE(processesOfRun(id).empty());
  EXPECT_EQ(endOf(stopped).signal, SIGKILL);
  EXPECT_FALSE(other.poll());
}

TEST_F(Processes, FoldersArePrivateAndGo) {
  std::filesystem::path privateFolder;
  {
    const RunFolders folders("folder-test", 2);
    privateFolder = folders.privateFolder();
    struct stat status {};
    ASSERT_EQ(::stat(privateFolder.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
    EXPECT_LT(folders.hubEndpoint().size(), 108U);
    removeAbandonedFolders();
    EXPECT_TRUE(std::filesystem::exists(privateFolder)) << "its owner lives";
  }
  EXPECT_FALSE(std::filesystem::exists(privateFolder));
}

TEST_F(Processes, ARunHasOneSupervisorOnAMachine) {
  const std::string id = "claim-test-" + std::to_string(::getpid());
  {
    const auto claim = claimRun(id);
    EXPECT_FALSE(otherSupervisorOf(id)) << "it is this process";
    removeAbandonedFolders();
    EXPECT_TRUE(std::filesystem::exists(claim->path()));
    ChildProcess other({{"sleep", "1000"}, {}, folder / "output"});
    ASSERT_TRUE(writeFile(claim->path() / "owner", ownerText(other.pid(), id)));
    const auto found = otherSupervisorOf(id);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->pid, other.pid());
    EXPECT_FALSE(otherSupervisorOf(id + "0"));
    EXPECT_THROW(claimRun(id), Error);
    EXPECT_TRUE(std::filesystem::exists(claim->path())) << "of the other one";
    leaveToAnyone(claim->path(), id);
    EXPECT_FALSE(otherSupervisorOf(id)) << "it is gone";
  }
  EXPECT_TRUE(claimRun(id)) << "nobody has it any more";
}

/// A run that somebody carries on has processes that are nobody's to kill, whatever an earlier supervisor has left.
TEST_F(Processes, WhatADeadSupervisorLeftIsRemovedAndTheRunGoesOn) {
  const std::string id = "left-test-" + std::to_string(::getpid());
  ChildProcess other({{"sleep", "1000"}, {}, folder / "output"});
  ChildProcess rank({{"sleep", "1000"}, {{runVariable, id}}, folder / "output"});
  const auto claim = claimRun(id);
  ASSERT_TRUE(writeFile(claim->path() / "owner", ownerText(other.pid(), id)));
  const auto left = std::filesystem::path("/tmp") / ("slipstream-" + std::to_string(::getuid()) + "-" + id);
  ASSERT_EQ(::mkdir(left.c_str(), 0700), 0);
  leaveToAnyone(left, id);
  // Another test may have the lock: then nothing is removed.
  for (int tries = 0; tries < 20 && std::filesystem::exists(left); ++tries) removeAbandonedFolders();
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_FALSE(rank.poll()) << "it was killed";
}

// Another supervisor looks for abandoned folders while this one removes its own, which is deep, as Open MPI's is.
TEST_F(Processes, FoldersGoAlsoWhileOthersLookForAbandonedOnes) {
  std::atomic<bool> over = false;
  std::thread other([&] {
    // A moment without the lock: who takes it again at once keeps everybody else waiting for seconds.
    for (; !over; ::usleep(100)) removeAbandonedFolders();
  });
  int left = 0;
  for (int time = 0; time < 30; ++time) {
    std::filesystem::path path;
    {
      const RunFolders folders("raced-test", 2);
      path = folders.privateFolder();
      for (int branch = 0; branch < 40; ++branch) {
        const auto deep = path / std::to_string(branch) / "session" / "job";
        std::filesystem::create_directories(deep);
        ASSERT_TRUE(writeFile(deep / "contact", "x"));
      }
    }
    if (std::filesystem::exists(path)) ++left;
  }
  over = true;
  other.join();
  EXPECT_EQ(left, 0);
}

TEST_F(Processes, FoldersOfTheDeadAreRemovedByLaterOnes) {
  const RunFolders folders("abandoned-test", 2);
  leaveToAnyone(folders.privateFolder(), "");
  removeAbandonedFolders();
  EXPECT_FALSE(std::filesystem::exists(folders.privateFolder()));
}

TEST_F(Processes, ScratchFoldersArePrivateAndThoseOfTheDeadAreRemoved) {
  const auto scratch = makeScratchFolder();
  struct stat status {};
  ASSERT_EQ(::stat(scratch->path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  EXPECT_NE(makeScratchFolder()->path(), scratch->path());
  removeAbandonedFolders();
  EXPECT_TRUE(std::filesystem::exists(scratch->path())) << "its owner lives";
  leaveToAnyone(scratch->path(), "");
  removeAbandonedFolders();
  EXPECT_FALSE(std::filesystem::exists(scratch->path()));
}

TEST_F(Processes, ScratchFoldersLieWhereTmpdirSays) {
  const EnvironmentVariable here("TMPDIR", folder.string());
  const auto scratch = makeScratchFolder();
  EXPECT_EQ(scratch->path().parent_path(), folder);
  ASSERT_TRUE(writeFile(scratch->path() / "owner", "1\n1\nanother boot\n" + hostName() + "\n"));
  removeAbandonedFolders();
  EXPECT_FALSE(std::filesystem::exists(scratch->path()));
  const EnvironmentVariable nowhere("TMPDIR", (folder / "nowhere").string());
  EXPECT_THROW(makeScratchFolder(), Error);
}

TEST_F(Processes, FoldersWhoseMakerDiedOverThemAreRemoved) {
  const auto half = RunFolders("half-made-test", 2).privateFolder();
  ASSERT_FALSE(std::filesystem::exists(half));
  ASSERT_EQ(::mkdir(half.c_str(), 0700), 0);
  removeAbandonedFolders();
  EXPECT_FALSE(std::filesystem::exists(half));
}

TEST_F(Processes, FoldersWithoutRoomAreRefusedAndLeaveNothing) {
  const auto path = RunFolders("room-test", 1).privateFolder();
  try {
    const RunFolders folders("room-test", 1 << 30);
    FAIL() << "no machine has room for so many ranks";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("XDG_RUNTIME_DIR"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Processes, AFolderWhoseNameIsTakenGetsAnother) {
  const auto path = RunFolders("taken-test", 2).privateFolder();
  ASSERT_TRUE(writeFile(path, "somebody else's, as far as one can tell"));
  {
    const RunFolders folders("taken-test", 2);
    EXPECT_NE(folders.privateFolder(), path);
    EXPECT_TRUE(std::filesystem::is_directory(folders.privateFolder()));
    EXPECT_LT(folders.hubEndpoint().size(), 108U);
  }
  EXPECT_EQ(readFile(path).value_or(""), "somebody else's, as far as one can tell");
  std::filesystem::remove(path);
}

// One who clears abandoned folders at that moment would take the folder without an owner for one of them.
TEST_F(Processes, AFolderLosesItsOwnerUnderTheLockOnly) {
  const auto lockFile = std::filesystem::path("/tmp") / ("slipstream-" + std::to_string(::getuid()) + ".lock");
  auto folders = std::make_unique<RunFolders>("leaving-test", 2);
  const auto path = folders->privateFolder();
  ASSERT_TRUE(writeFile(path / "left", "by a rank"));
  const int held = ::open(lockFile.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  ASSERT_GE(held, 0);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  std::thread leaves([&folders] { folders.reset(); });
  ::usleep(300'000);
  EXPECT_TRUE(std::filesystem::exists(path / "owner"));
  ::close(held);
  leaves.join();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Processes, WithoutTheLoopbackModuleTheCauseIsNamed) {
  using ::testing::HasSubstr;
  const auto blank = folder / "a blank";
  std::filesystem::create_directory(blank);
  EXPECT_THAT(findLoopbackModuleIn({folder, blank}).problem, HasSubstr("is not beside the program"));
  ASSERT_TRUE(writeFile(blank / "slipstream-loopback.so", ""));
  const LoopbackModule refused = findLoopbackModuleIn({folder, blank});
  EXPECT_THAT(refused.problem, HasSubstr("has a blank or a colon"));
  std::map<std::string, std::string> variables;
  listenOnLoopbackOnly(variables, refused);
  EXPECT_TRUE(variables.empty());
  ASSERT_TRUE(writeFile(folder / "slipstream-loopback.so", ""));
  const LoopbackModule found = findLoopbackModuleIn({folder, blank});
  EXPECT_EQ(found.problem, "");
  listenOnLoopbackOnly(variables, found);
  EXPECT_THAT(variables["LD_PRELOAD"], ::testing::StartsWith((folder / "slipstream-loopback.so").string()));
}

TEST_F(Processes, FoldersAreGuardedByOneLockInASessionAndInCron) {
  const auto lockFile = std::filesystem::path("/tmp") / ("slipstream-" + std::to_string(::getuid()) + ".lock");
  for (const auto& runtime : {std::optional<std::string>(folder.string()), std::optional<std::string>()}) {
    const EnvironmentVariable variable("XDG_RUNTIME_DIR", runtime);
    const RunFolders folders("locked-test", 2);
    const int held = ::open(lockFile.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    ASSERT_GE(held, 0) << lockFile << " was made with the folders";
    ASSERT_EQ(::flock(held, LOCK_EX), 0);
    // Abandoned only under the lock: before, a program that another test has started would remove it.
    ASSERT_TRUE(writeFile(folders.privateFolder() / "owner", "1\n1\nanother boot\n" + hostName() + "\n"));
    std::thread removes([] { removeAbandonedFolders(); });
    ::usleep(300'000);
    EXPECT_TRUE(std::filesystem::exists(folders.privateFolder())) << "somebody else has the lock";
    ::close(held);
    removes.join();
    EXPECT_FALSE(std::filesystem::exists(folders.privateFolder()));
  }
}

TEST_F(Processes, ADetachedBodyAnnouncesAndGoesOnInItsOwnSession) {
  const DetachedStart start = runDetached(folder / "output", [&](const Announce& announce) {
    announce("run 17");
    ::usleep(200'000);
    return writeFile(folder / "session", std::to_string(::getsid(0))) ? 0 : 1;
  });
  EXPECT_EQ(start.announced, "run 17");
  EXPECT_EQ(start.exitCode, 0);
  const Stopwatch watch;
  while (!std::filesystem::exists(folder / "session") && watch.seconds() < 300) ::usleep(5000);
  EXPECT_NE(readFile(folder / "session").value_or(""), std::to_string(::getsid(0)));
}

TEST_F(Processes, ADetachedBodyThatEndsAtOnceTellsItsExitCodeAndWhy) {
  const DetachedStart broken =
      runDetached(folder / "broken", [](const Announce&) -> int { throw Error("the disk is gone"); });
  EXPECT_EQ(broken.announced, "");
  EXPECT_EQ(broken.exitCode, 1);
  EXPECT_THAT(broken.output, ::testing::HasSubstr("the disk is gone"));
  const DetachedStart refused = runDetached(folder / "refused", [](const Announce&) {
    std::fputs("the run is alive\n", stderr);
    return 2;
  });
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_EQ(refused.output, "the run is alive\n");
}

class Reports final : public RunObserver {
 public:
  void attemptStarted(int, std::int64_t) override {}
  void step(const StepReport& report) override { steps.push_back(report); }
  void evaluated(std::int64_t step, double accuracy) override { accuracies.emplace_back(step, accuracy); }
  void event(const Event&) override {}
  std::vector<StepReport> steps;
  std::vector<std::pair<std::int64_t, double>> accuracies;
};

TEST(LiveProgress, AStepIsReportedOnceAllRanksHaveDoneItWithTheMeanLoss) {
  Reports reports;
  LiveProgress progress(2, reports);
  progress.metrics(0, {{"loss", "step_seconds"}, {0, 1}, {0, 0}, {1.0, 0.1, 2.0, 0.2}});
  EXPECT_TRUE(reports.steps.empty());
  progress.metrics(1, {{"loss", "step_seconds"}, {0}, {0}, {3.0, 0.3}});
  ASSERT_EQ(reports.steps.size(), 1U);
  EXPECT_DOUBLE_EQ(reports.steps[0].loss, 2.0);
  EXPECT_DOUBLE_EQ(progress.medianStepSeconds(), 0.2);
  progress.metrics(0, {{"accuracy"}, {1}, {0}, {0.75}});
  ASSERT_EQ(reports.accuracies.size(), 1U);
  EXPECT_DOUBLE_EQ(reports.accuracies[0].second, 0.75);
}

TEST(LiveProgress, TheMeanLossDoesNotDependOnWhichRankReportsFirst) {
  const std::vector<double> losses{0.1, 1e16, -1e16};
  const auto meanOf = [&](const std::vector<int>& order) {
    Reports reports;
    LiveProgress progress(3, reports);
    for (const int rank : order) progress.metrics(rank, {{"loss"}, {0}, {0}, {losses[static_cast<std::size_t>(rank)]}});
    return reports.steps.at(0).loss;
  };
  EXPECT_EQ(meanOf({0, 1, 2}), meanOf({2, 1, 0}));
}

TEST(LiveProgress, AnEvaluationIsReportedAfterTheStepsBeforeIt) {
  Reports reports;
  LiveProgress progress(2, reports);
  progress.metrics(0, {{"loss"}, {7}, {0}, {1.0}});
  progress.metrics(0, {{"accuracy"}, {8}, {0}, {0.75}});
  EXPECT_TRUE(reports.accuracies.empty()) << "rank 1 has not said yet what its step 7 was";
  progress.metrics(1, {{"loss"}, {7}, {0}, {3.0}});
  ASSERT_EQ(reports.steps.size(), 1U);
  ASSERT_EQ(reports.accuracies.size(), 1U);
  EXPECT_EQ(reports.accuracies[0].first, 8);
}

}  // namespace
}  // namespace slipstream
