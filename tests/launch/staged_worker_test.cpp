// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/staged_worker.h"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/hosts/ask_program.h"
#include "engine/launch/hosts_of_plan.h"
#include "engine/launch/worker_query.h"
#include "tests/support/environment_variable.h"
#include "tests/support/small_plan.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

TEST(StagedWorker, LibrariesAreReadFromWhatLddPrints) {
  const auto libraries = librariesIn(
      "\tlinux-vdso.so.1 (0x00007ffd)\n"
      "\tlibdnnl.so.2 => /usr/lib/with space/libdnnl.so.2 (0x00007f1a)\n"
      "\tlibgone.so.1 => not found\n"
      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f1b)\n");
  ASSERT_EQ(libraries.size(), 1U);
  EXPECT_EQ(libraries.at("libdnnl.so.2"), "/usr/lib/with space/libdnnl.so.2");
}

TEST(StagedWorker, WhatEveryHostHasOfItsOwnStaysThere) {
  const std::map<std::string, fs::path> worker{{"libdnnl.so.2", "/l/dnnl"},    {"libc.so.6", "/l/c"},
                                               {"libstdc++.so.6", "/l/cpp"},   {"libmpi.so.40", "/l/mpi"},
                                               {"libhwloc.so.15", "/l/hwloc"}, {"libcrypto.so.3", "/l/crypto"}};
  const auto staged = librariesToStage(worker, {{"libhwloc.so.15", "/l/hwloc"}, {"libc.so.6", "/l/c"}});
  EXPECT_THAT(staged, testing::UnorderedElementsAre(Key("libdnnl.so.2"), Key("libcrypto.so.3")));
}

TEST(StagedWorker, IsNotEnoughForProgramsOfTheirOwn) {
  RunPlan plan = test::smallPlan(2, 1);
  plan.local = false;
  plan.experiment.network.program = {"python3", "train.py"};
  const auto worker = workerOnHosts({plan}, true);
  ASSERT_FALSE(worker);
  EXPECT_THAT(toText(worker.error()), HasSubstr("leave --stage out"));
  EXPECT_TRUE(workerOnHosts({plan}, false));
}

/// A remote shell that runs the command here, in a folder that stands for another host's.
class StagedOnHosts : public testing::Test {
 protected:
  static std::filesystem::path remoteShell(const test::TextFiles& files) {
    const fs::path program = files.write("ssh",
                                         "#!/bin/sh\nhost=$1; shift\necho \"$host\" >>\"$0.log\"\n"
                                         "[ \"$host\" = dead ] && { echo 'no route' >&2; exit 255; }\n"
                                         "[ \"$host\" = silent ] && exec sleep 1000\n"
                                         "exec sh -c \"$(printf '%s' \"$*\" | sed \"s#/head/#/$host/#g\")\"\n");
    fs::permissions(program, fs::perms::owner_all);
    return program;
  }

  std::size_t calls() const {
    const std::string log = readFile(files_.path() / "ssh.log").value_or("");
    return static_cast<std::size_t>(std::count(log.begin(), log.end(), '\n'));
  }

  test::TextFiles files_;
  test::EnvironmentVariable stage_{"SLIPSTREAM_STAGE", (files_.path() / "head").string()};
  test::EnvironmentVariable shell_{"SLIPSTREAM_SSH", remoteShell(files_).string()};
};

TEST_F(StagedOnHosts, ACopyStartsAndIsMadeOnce) {
  const auto staged = stageHere(workerProgram());
  ASSERT_TRUE(staged) << toText(staged.error());
  EXPECT_EQ(staged->program.parent_path().parent_path(), files_.path() / "head");
  const auto made = fs::last_write_time(staged->program);
  const auto again = stageHere(workerProgram());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->folder, staged->folder);
  EXPECT_EQ(fs::last_write_time(again->program), made);
  const ProgramAnswer answer = askProgram({.words = {staged->program.string(), "--devices"}});
  EXPECT_EQ(answer.exitCode, 0) << answer.errors;
  EXPECT_THAT(answer.output, HasSubstr("cpu"));
}

TEST_F(StagedOnHosts, HostsAreSentWhatTheyLackAndNothingTwice) {
  const auto staged = stageHere(workerProgram());
  ASSERT_TRUE(staged) << toText(staged.error());
  ASSERT_TRUE(stageOnHosts(*staged, {"one", "two"}));
  EXPECT_EQ(calls(), 4U) << "each was asked, and sent it";
  const fs::path copy = files_.path() / "two" / staged->folder.filename();
  EXPECT_EQ(readFile(copy / "slipstream-worker").value_or("none"), readFile(workerProgram()).value_or(""));
  EXPECT_TRUE(fs::exists(copy / "lib"));
  ASSERT_TRUE(stageOnHosts(*staged, {"one", "two"}));
  EXPECT_EQ(calls(), 6U) << "each was asked";
}

TEST_F(StagedOnHosts, AHostThatCannotTakeItIsNamed) {
  const auto staged = stageHere(workerProgram());
  ASSERT_TRUE(staged) << toText(staged.error());
  files_.write("full", "a file where a folder should be");
  const Status sent = stageOnHosts(*staged, {"dead", "full", "good"});
  ASSERT_FALSE(sent);
  const std::string text = toText(sent.error());
  EXPECT_THAT(text, HasSubstr("host dead: the worker cannot be copied there: no route"));
  EXPECT_THAT(text, HasSubstr("host full"));
  EXPECT_THAT(text, Not(HasSubstr("good")));
}

TEST_F(StagedOnHosts, ASilentHostKeepsNobodyWaiting) {
  const auto staged = stageHere(workerProgram());
  ASSERT_TRUE(staged) << toText(staged.error());
  const Status sent = stageOnHosts(*staged, {"silent"}, std::chrono::seconds{1});
  ASSERT_FALSE(sent);
  EXPECT_THAT(toText(sent.error()),
              HasSubstr("host silent: the worker cannot be copied there: has been silent for 1 s; "
                        "check that `ssh silent true` asks nothing"));
}

TEST_F(StagedOnHosts, AFolderOfOthersIsNotTrusted) {
  fs::create_directories(files_.path() / "head");
  fs::permissions(files_.path() / "head", fs::perms::all);
  const auto staged = stageHere(workerProgram());
  ASSERT_FALSE(staged);
  EXPECT_THAT(toText(staged.error()), HasSubstr("is not a folder of yours alone"));
}

}  // namespace
}  // namespace slipstream
