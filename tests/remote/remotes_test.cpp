// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/remotes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/base/files.h"
#include "engine/remote/connection.h"
#include "tests/support/environment_variable.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::TemporaryFolder;

TEST(Remotes, APlaceIsAHostAndAFolder) {
  const auto whole = makeRemote("lab", "me@cluster.example:/scratch/me/store");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->host, "me@cluster.example");
  EXPECT_EQ(whole->store, "/scratch/me/store");
  const auto brief = makeRemote("lab", "cluster");
  ASSERT_TRUE(brief);
  EXPECT_EQ(brief->host, "cluster");
  EXPECT_EQ(brief->store, "");
  const auto address = makeRemote("lab", "me@[fe80::1%eth0]:store");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->host, "me@fe80::1%eth0");
  EXPECT_EQ(address->store, "store");
}

TEST(Remotes, WhatSshOrAShellWouldTakeForSomethingElseIsRefused) {
  for (const char* name : {"", "-x", "a b", "../x", "a;b", "abcdefghijklmnopqrstuvwxyzabcdefgh"}) {
    EXPECT_FALSE(makeRemote(name, "host")) << name;
  }
  for (const char* place :
       {"", "-oProxyCommand=x", "me@-oProxyCommand=x", "a b", "a;b", "$(x)", "host:~/store", "host:a\nb", "host:-x"}) {
    EXPECT_FALSE(makeRemote("lab", place)) << place;
  }
  const auto both = makeRemote("a b", "-x");
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().size(), 2U) << "all at once";
}

TEST(Remotes, AnAddressWithoutBracketsIsRefused) {
  for (const char* place : {"fe80::1:/folder", "me@fe80::1:/folder", "fe80::1", "fe80::1%eth0:store"}) {
    const auto unclear = makeRemote("lab", place);
    ASSERT_FALSE(unclear) << place;
    EXPECT_EQ(unclear.error().front().remedy, "write it in brackets: [fe80::1]:/folder");
  }
  EXPECT_TRUE(makeRemote("lab", "host:/a:b"));
}

TEST(Remotes, AKnownNameStaysWithItsMachine) {
  const TemporaryFolder folder;
  const test::EnvironmentVariable config("XDG_CONFIG_HOME", folder.path().string());
  Remote lab = *makeRemote("lab", "me@[fe80::1]:/store");
  ASSERT_TRUE(addRemote(lab));
  lab.program = "/opt/slipstream";
  EXPECT_TRUE(addRemote(lab)) << "another program of the same machine";
  for (const char* place : {"me@other:/store", "me@[fe80::1]:/other"}) {
    const Status added = addRemote(*makeRemote("lab", place));
    ASSERT_FALSE(added) << place;
    EXPECT_NE(added.error().front().remedy.find("slipstream remote remove lab"), std::string::npos);
  }
  Remote slurm = lab;
  slurm.slurm = true;
  EXPECT_FALSE(addRemote(slurm));
  EXPECT_EQ(*loadRemotes(), std::vector<Remote>{lab});
}

TEST(Remotes, TheLineThatAddsOneSaysAllOfIt) {
  Remote lab = *makeRemote("lab", "cluster:/store");
  lab.slurm = true;
  lab.program = "/my bin/slipstream";
  const std::string line = addingLine(lab);
  for (const char* part :
       {"slipstream remote add lab ", "cluster:/store", "--slurm", "--program '/my bin/slipstream'"}) {
    EXPECT_NE(line.find(part), std::string::npos) << line;
  }
  const std::string address = addingLine(*makeRemote("lab", "me@[fe80::1]:/store"));
  EXPECT_NE(address.find("me@[fe80::1]:/store"), std::string::npos) << address;
}

TEST(Remotes, AreKeptInAFileOfTheUserAlone) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "config" / "remotes.json";
  EXPECT_TRUE(loadRemotes(file)->empty());
  Remote lab = *makeRemote("lab", "me@cluster:store");
  lab.slurm = true;
  const Remote other = *makeRemote("another", "host");
  ASSERT_TRUE(saveRemotes({lab, other}, file));
  EXPECT_EQ(*loadRemotes(file), (std::vector<Remote>{other, lab}));
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST(Remotes, AFileThatSomebodySpoiltIsRefusedWithItsPlace) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "remotes.json";
  ASSERT_TRUE(writeFile(file, "[]"));
  EXPECT_FALSE(loadRemotes(file));
  ASSERT_TRUE(writeFile(file, R"({"remotes": [{"name": "lab", "host": "-oProxyCommand=x"}]})"));
  const auto spoilt = loadRemotes(file);
  ASSERT_FALSE(spoilt);
  EXPECT_NE(spoilt.error().front().where.find(file.string()), std::string::npos);
}

TEST(RemoteConnection, NoWordIsReadByAShell) {
  const test::EnvironmentVariable ssh("SLIPSTREAM_SSH", "/bin/myssh");
  Remote lab = *makeRemote("lab", "me@cluster:/my store");
  const RemoteConnection connection(lab);
  EXPECT_EQ(
      connection.wordsFor({"show", "last; rm -rf ~"}),
      (std::vector<std::string>{"/bin/myssh", "me@cluster", "slipstream show 'last; rm -rf ~' --store '/my store'"}));
}

/// A program that stands for ssh, of another machine where slipstream is a script.
class AskedRemotes : public testing::Test {
 protected:
  void stand(const std::string& script) const {
    ASSERT_TRUE(writeFile(file_, "#!/bin/sh\n" + script + "\n"));
    std::filesystem::permissions(file_, std::filesystem::perms::owner_all);
  }
  Result<std::string> ask(const RemoteTimeouts& timeouts = {}) const {
    return RemoteConnection(*makeRemote("lab", "me@cluster"), timeouts).ask({"logs", "last"});
  }
  std::string problem(const RemoteTimeouts& timeouts = {}) const {
    const auto answer = ask(timeouts);
    return answer ? "" : toText(answer.error());
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "ssh";
  test::EnvironmentVariable ssh_{"SLIPSTREAM_SSH", file_.string()};
};

TEST_F(AskedRemotes, AnswerWithWhatTheirCommandPrints) {
  stand("echo \"$2\"");
  EXPECT_EQ(ask().value(), "slipstream logs last\n");
}

TEST_F(AskedRemotes, ThatAreSilentAreNamedWithARemedy) {
  stand("echo begun; exec sleep 1000");
  EXPECT_EQ(problem({.silence = std::chrono::seconds{1}}),
            "remote lab: has been silent for 1 s (found me@cluster); check the name and the network; where it asks for "
            "something, log in once: slipstream remote check lab\n");
}

TEST_F(AskedRemotes, SayWhatFailedThere) {
  stand("echo 'ssh: no route to host' >&2; exit 255");
  EXPECT_THAT(problem(), testing::HasSubstr("no route to host (found me@cluster); check the name and the network"));
  stand("echo 'sh: slipstream: not found' >&2; exit 127");
  EXPECT_THAT(problem(), testing::HasSubstr("install the same build there"));
  stand("echo 'no run is called last' >&2; exit 2");
  EXPECT_THAT(problem(),
              testing::HasSubstr("no run is called last (found me@cluster); try it there: slipstream logs last"));
}

}  // namespace
}  // namespace slipstream
