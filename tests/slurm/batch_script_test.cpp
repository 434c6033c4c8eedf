// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/batch_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/small_plan.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

RunPlan onNodes(int nodes, int ranksEach) {
  RunPlan plan = test::smallPlan(nodes * ranksEach, 4);
  plan.local = nodes == 1;
  for (RankPlacement& place : plan.places) place.host = "node" + std::to_string(place.rank / ranksEach);
  return plan;
}

BatchJob jobIn(const std::string& folder) {
  return {"slipstream-3f2a", {"/opt/slip stream", "resume", "3f2a", "--store", folder}, folder + "/logs"};
}

TEST(BatchScript, SaysEverythingThatTheJobReliesOn) {
  SlurmRequest request{"gpu", "2:00:00", "lab", 2, "--gres=gpu:4  --constraint=a100"};
  ASSERT_TRUE(checkSlurmRequest(request, "/store"));
  EXPECT_EQ(batchScript(request, onNodes(2, 4), jobIn("/store")),
            "#!/bin/bash\n"
            "#SBATCH --job-name=slipstream-3f2a\n"
            "#SBATCH --partition=gpu\n"
            "#SBATCH --account=lab\n"
            "#SBATCH --time=2:00:00\n"
            "#SBATCH --nodes=2\n"
            "#SBATCH --ntasks-per-node=4\n"
            "#SBATCH --requeue\n"
            "#SBATCH --open-mode=append\n"
            "#SBATCH --signal=B:TERM@120\n"
            "#SBATCH --chdir=/store/logs\n"
            "#SBATCH --output=slurm.log\n"
            "#SBATCH --gres=gpu:4\n"
            "#SBATCH --constraint=a100\n"
            "exec '/opt/slip stream' resume 3f2a --store /store\n");
}

TEST(BatchScript, WhatNobodyAskedForIsSlurmsToChoose) {
  EXPECT_THAT(batchScript({}, onNodes(1, 2), jobIn("/store")),
              AllOf(Not(HasSubstr("partition")), Not(HasSubstr("time")), Not(HasSubstr("account")),
                    HasSubstr("--nodes=1\n"), HasSubstr("--ntasks-per-node=2\n")));
}

/// sbatch takes a backslash for itself inside quotation marks too, as a real one showed.
TEST(BatchScript, HostileFoldersStayOneWord) {
  const std::string script = batchScript({}, onNodes(1, 1), jobIn("/a b's \"c\" #d %j $(touch x) \\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH '--chdir=/a b'\\''s \"c\" #d %j $(touch x) \\\\n/logs'\n"));
  EXPECT_THAT(script, HasSubstr("--store '/a b'\\''s \"c\" #d %j $(touch x) \\n'\n"));
}

SlurmRequest asking(std::string SlurmRequest::*option, const std::string& value) {
  SlurmRequest request;
  request.*option = value;
  return request;
}

std::string problemsOf(const SlurmRequest& request, const std::string& store = "/store") {
  const Status checked = checkSlurmRequest(request, store);
  return checked ? "" : toText(checked.error());
}

TEST(BatchScript, RefusesWhatSbatchWouldTakeForSomethingElse) {
  EXPECT_THAT(problemsOf(asking(&SlurmRequest::partition, "a b")),
              HasSubstr("--partition: is not the name of a partition"));
  EXPECT_THAT(problemsOf(asking(&SlurmRequest::account, "a\nexec evil")), HasSubstr("--account"));
  EXPECT_THAT(problemsOf(asking(&SlurmRequest::time, "soon")), HasSubstr("--time: is not a time"));
  EXPECT_THAT(problemsOf(asking(&SlurmRequest::time, ":")), HasSubstr("--time: is not a time"));
  EXPECT_THAT(problemsOf(asking(&SlurmRequest::extra, "--comment=a\nexec evil")), HasSubstr("--extra: has line ends"));
  EXPECT_THAT(problemsOf(asking(&SlurmRequest::extra, "evil")), HasSubstr("--extra: is not an option of sbatch"));
  EXPECT_THAT(problemsOf(asking(&SlurmRequest::extra, "--no-requeue")), HasSubstr("is not for you to give"));
  EXPECT_THAT(problemsOf(asking(&SlurmRequest::extra, "--signal=USR1@10")), HasSubstr("is not for you to give"));
  EXPECT_THAT(problemsOf({}, "/a\nb"), HasSubstr("--store: has line ends"));
}

TEST(BatchScript, TakesTimesAsSlurmWritesThem) {
  for (const char* time :
       {"", "5", "30", "30:00", "2:00:00", "1-12", "1-12:30", "1-12:30:00", "0-0:05", "0", "UNLIMITED", "infinite"})
    EXPECT_THAT(problemsOf(asking(&SlurmRequest::time, time)), IsEmpty()) << time;
  for (const char* time :
       {"--1", "-1", "1-", "1-2-3", "1:2:3:4", "30:", ":30", "1-1:2:3:4", "1:1-2", "9999999999", "NO"})
    EXPECT_THAT(problemsOf(asking(&SlurmRequest::time, time)), HasSubstr("--time: is not a time")) << time;
}

/// Told to terminate as it begins, such a job would be queued again for ever.
TEST(BatchScript, RefusesTimesTooShortToGetAnywhere) {
  for (const char* time : {"1", "4", "4:59", "0:04:59", "0-0:04"})
    EXPECT_THAT(problemsOf(asking(&SlurmRequest::time, time)),
                AllOf(HasSubstr("--time: is too short"), HasSubstr("give it 5 minutes or more")))
        << time;
}

/// sbatch reads values that are glued to letters, letters in one word, and beginnings of names.
TEST(BatchScript, RefusesItsOwnOptionsHoweverTheyAreWritten) {
  for (const char* word : {"-a0-3", "-J2", "-D/tmp", "-e/x", "-Qa0-3", "-N2", "-t1", "-W", "--arr=0-3", "--ar=0-3",
                           "--no-req", "--sig=KILL", "--chd=/tmp", "--error=x", "--time-min=1", "--wait", "--"})
    EXPECT_THAT(problemsOf(asking(&SlurmRequest::extra, word)), HasSubstr("is not for you to give")) << word;
  for (const char* word : {"--exclusive", "--export=NONE", "--nodelist=a,e", "--ntasks-per-core=1", "-Ca100", "-qJ",
                           "-HCa100", "-wn1", "--wait-all-nodes=1", "--acctg-freq=30"})
    EXPECT_THAT(problemsOf(asking(&SlurmRequest::extra, word)), IsEmpty()) << word;
}

}  // namespace
}  // namespace slipstream
