// SPDX-License-Identifier: GPL-3.0-or-later
// Plans on the hosts of a scheduler's allocation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/placement.h"
#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const std::map<std::string, std::string> twoNodes{{"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_TASKS_PER_NODE", "2,1"}};

std::string experiment(const std::string& more) {
  return R"({"network": "lenet5", "dataset": {"name": "digits", "batch_size": 8}, "train": {"steps": 4})" + more + "}";
}

class AllocatedPlans : public testing::Test {
 protected:
  Result<PlannedFile> plan(const std::string& text, const ExperimentOverrides& overrides,
                           std::map<std::string, std::string> variables) {
    return planFile(files_.write("case.json", text), overrides, test::environmentOf(std::move(variables)));
  }
  static std::vector<std::string> hostsOfRanks(const RunPlan& plan) {
    std::vector<std::string> hosts;
    for (const RankPlacement& place : plan.places) hosts.push_back(place.host);
    return hosts;
  }

  test::TextFiles files_;
};

TEST_F(AllocatedPlans, RanksAreTheTasksWhereNobodyGivesOthers) {
  const auto planned = plan(experiment(""), {}, twoNodes);
  ASSERT_TRUE(planned) << toText(planned.error());
  const RunPlan& plan = planned->plans.front();
  EXPECT_FALSE(plan.local);
  EXPECT_THAT(hostsOfRanks(plan), ElementsAre("n1", "n1", "n2"));
  std::vector<std::string> reasons;
  for (const Decision& decision : allDecisions(plan)) reasons.push_back(decision.why.in());
  EXPECT_THAT(reasons, Contains("3 ranks on 2 hosts of the allocation (SLURM_JOB_NODELIST)"));
}

TEST_F(AllocatedPlans, RanksThatAreGivenStayOnThisMachineAndThePlanSaysSo) {
  const auto planned = plan(experiment(R"(, "parallel": {"ranks": 2})"), {}, twoNodes);
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_TRUE(planned->plans.front().local);
  EXPECT_THAT(notesOf(planned->plans),
              Contains(HasSubstr("SLURM_JOB_NODELIST n[1-2]: not used: the file or a flag gives the ranks")));
  const auto sized = plan(experiment(""), {}, {{"SLURM_JOB_NODELIST", "n[1-"}, {"RANK_SIZE", "2"}});
  EXPECT_TRUE(sized) << "of what is not used nothing is wrong";
}

TEST_F(AllocatedPlans, AMalformedAllocationIsNamed) {
  const auto planned = plan(experiment(""), {}, {{"SLURM_JOB_NODELIST", "n[1-"}});
  ASSERT_FALSE(planned);
  EXPECT_THAT(toText(planned.error()), HasSubstr("SLURM_JOB_NODELIST: is not a host list"));
}

TEST_F(AllocatedPlans, HostsThatAreToBeNamedGetAnEvenShare) {
  ExperimentOverrides overrides;
  overrides.nodes = 2;
  const std::string four = experiment(R"(, "parallel": {"ranks": 4})");
  const auto planned = plan(four, overrides, {});
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_THAT(hostsOfRanks(planned->plans.front()), ElementsAre("node1", "node1", "node2", "node2"));
  overrides.nodes = 3;
  EXPECT_THAT(toText(plan(four, overrides, {}).error()), HasSubstr("cannot be spread evenly over the 3 hosts"));
  EXPECT_THAT(toText(plan(experiment(""), overrides, {}).error()), HasSubstr("give a multiple of the number of hosts"));
  overrides.nodes = 1;
  EXPECT_TRUE(plan(four, overrides, {})->plans.front().local);
}

TEST_F(AllocatedPlans, MoveToTheHostsOfAnotherAllocation) {
  const auto planned = plan(experiment(""), {}, twoNodes);
  RunPlan moved = planned.value().plans.front();
  ASSERT_TRUE(moveToAllocation(moved, {"SLURM_JOB_NODELIST", {{"n7", 1}, {"n9", 1}, {"n10", 1}}}));
  EXPECT_THAT(hostsOfRanks(moved), ElementsAre("n7", "n7", "n9"));
  ASSERT_TRUE(moveToAllocation(moved, {"SLURM_JOB_NODELIST", {{"n9", 1}, {"n7", 1}}}));
  EXPECT_THAT(hostsOfRanks(moved), ElementsAre("n7", "n7", "n9")) << "it has these hosts";
  const Status tooFew = moveToAllocation(moved, {"SLURM_JOB_NODELIST", {{"n1", 3}}});
  ASSERT_FALSE(tooFew);
  EXPECT_THAT(toText(tooFew.error()), HasSubstr("has fewer hosts than the run has its ranks on (2)"));
}

}  // namespace
}  // namespace slipstream
