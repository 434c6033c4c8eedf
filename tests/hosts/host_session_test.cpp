// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/host_session.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/hosts/run_folder.h"
#include "tests/support/environment_variable.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Of this process alone: another test at the same time would see its processes, and end them.
const std::string runId = fmt::format("{:08x}", ::getpid());

class Sessions : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string text = (fs::temp_directory_path() / "slipstream-hosts-XXXXXX").string();
    ASSERT_NE(::mkdtemp(text.data()), nullptr);
    folder = text;
    request.runId = runId;
    request.folders = {(folder / "private").string()};
  }
  void TearDown() override { fs::remove_all(folder); }

  std::unique_ptr<HostSession> open() const {
    return std::make_unique<HostSession>("", agent, request, folder / "errors");
  }

  static bool waitFor(const std::function<bool()>& condition, double seconds = 60) {
    for (const Stopwatch watch; watch.seconds() < seconds;) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return false;
  }

  static bool answers(HostSession& session) {
    return waitFor([&] {
      session.poll();
      return session.facts().has_value() || !session.problem().empty();
    });
  }

  /// Stands for ssh: runs its command here, as a process that outlives it.
  std::string shell() const {
    const fs::path script = folder / "ssh";
    EXPECT_TRUE(writeFile(script, "#!/bin/sh\nshift\nsh -c \"$*\"\nexit $?\n"));
    fs::permissions(script, fs::perms::owner_all);
    return script.string();
  }

  const fs::path agent = fs::path(SLIPSTREAM_BUILD) / "bin/host_agent_process";
  fs::path folder;
  HostRequest request;
};

TEST_F(Sessions, AHostSaysWhatItIsAndWhatDataItHas) {
  ASSERT_TRUE(writeFile(folder / "data", "12345"));
  request.runId.clear();
  request.data = {(folder / "data").string(), (folder / "nothing").string(), folder.string()};
  auto session = open();
  ASSERT_TRUE(answers(*session)) << session->problem();
  const HostFacts& facts = session->facts().value();
  EXPECT_GE(facts.cores, 1);
  EXPECT_GT(facts.memory, 0);
  EXPECT_EQ(facts.openMpi, "Open MPI v0.0.0");
  EXPECT_EQ(facts.build.size(), 64U);
  EXPECT_EQ(facts.data.at(request.data[0]), (DataFacts{true, 1, 5}));
  EXPECT_EQ(facts.data.at(request.data[1]), DataFacts{});
  EXPECT_TRUE(facts.data.at(request.data[2]).present);
  EXPECT_LT(std::abs(session->clockAhead()), 30);
}

TEST_F(Sessions, AHostKeepsTheRunsFolderAndEndsWhatIsLeft) {
  request.programs = {{"script", "#!/bin/sh\n"}};
  auto session = open();
  ASSERT_TRUE(answers(*session)) << session->problem();
  const fs::path own = request.folders[0];
  EXPECT_EQ(::access((own / "script").c_str(), X_OK), 0);
  fs::create_directories(own / "logs/attempt-1/1/rank.0");
  ASSERT_TRUE(writeFile(own / "logs/attempt-1/1/rank.0/stdout", "rank 0 is here\n"));
  const ChildProcess left({{"/bin/sleep", "1000"}, {{runVariable, runId}}, folder / "sleep.log"});
  ASSERT_EQ(processesOfRun(runId).size(), 1U);

  session->end();
  EXPECT_TRUE(waitFor([&] {
    session->poll();
    return session->ended();
  }));
  const auto logs = session->takeLogs();
  ASSERT_EQ(logs.size(), 1U);
  EXPECT_EQ(logs[0].name, fs::path("attempt-1/1/rank.0/stdout"));
  EXPECT_EQ(logs[0].text, "rank 0 is here\n");
  EXPECT_TRUE(waitFor([&] { return !fs::exists(own); }));
  EXPECT_TRUE(waitFor([&] { return const_cast<ChildProcess&>(left).poll().has_value(); }));
}

TEST_F(Sessions, AFolderThatIsTheSupervisorsStaysWhereItIs) {
  const OwnFolder own(request.folders[0], runId);
  request.owner = readFile(own.path() / ownerFileName).value_or("");
  auto session = open();
  ASSERT_TRUE(answers(*session)) << session->problem();
  session->end();
  EXPECT_TRUE(waitFor([&] {
    session->poll();
    return session->ended();
  }));
  EXPECT_TRUE(fs::exists(own.path()));
}

TEST_F(Sessions, ASilentSessionHasEndedForTheHost) {
  auto session = open();
  ASSERT_TRUE(answers(*session)) << session->problem();
  const ChildProcess left({{"/bin/sleep", "1000"}, {{runVariable, runId}}, folder / "sleep.log"});
  const Stopwatch watch;
  EXPECT_TRUE(waitFor([&] { return !fs::exists(request.folders[0]); }, 120));
  EXPECT_GT(watch.seconds(), 9);
  EXPECT_TRUE(waitFor([&] { return const_cast<ChildProcess&>(left).poll().has_value(); }));
}

/// The one process that this one has started.
pid_t onlyChild() {
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  pid_t child = 0;
  children >> child;
  return child;
}

TEST_F(Sessions, WhatASchedulerTellsAHostIsPassedOn) {
  const test::EnvironmentVariable job("SLURM_JOB_ID", "17");
  auto session = open();
  ASSERT_TRUE(answers(*session)) << session->problem();
  EXPECT_FALSE(session->takeTermination());
  ASSERT_GT(onlyChild(), 0);
  ::kill(onlyChild(), SIGTERM);
  EXPECT_TRUE(waitFor([&] {
    session->poll();
    return session->takeTermination();
  }));
  EXPECT_FALSE(session->takeTermination()) << "once";
  EXPECT_FALSE(session->ended());
  EXPECT_TRUE(fs::exists(request.folders[0]));
}

TEST_F(Sessions, ADroppedSessionLeavesNothing) {
  const test::EnvironmentVariable program("SLIPSTREAM_SSH", shell());
  auto session = std::make_unique<HostSession>("b", agent, request, folder / "errors");
  ASSERT_TRUE(answers(*session)) << session->problem();
  EXPECT_TRUE(fs::exists(request.folders[0]));
  session.reset();
  EXPECT_TRUE(waitFor([&] { return !fs::exists(request.folders[0]); }, 120));
}

TEST_F(Sessions, ABuildThatIsNotThereIsNamedWithItsRemedy) {
  const test::EnvironmentVariable program("SLIPSTREAM_SSH", shell());
  const auto sessions = openSessions({"b"}, folder / "no-worker", request, folder);
  ASSERT_FALSE(sessions);
  EXPECT_THAT(toText(sessions.error()), HasSubstr("host b"));
  EXPECT_THAT(toText(sessions.error()), HasSubstr("no-worker is not there"));
  EXPECT_THAT(toText(sessions.error()), HasSubstr("install the same build"));
}

}  // namespace
}  // namespace slipstream
