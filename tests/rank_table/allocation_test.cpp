// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/allocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<AllocatedHost> hostsIn(std::map<std::string, std::string> variables) {
  const auto allocation = findAllocation(test::environmentOf(std::move(variables)));
  return allocation && *allocation ? (*allocation)->hosts : std::vector<AllocatedHost>();
}

std::string problemIn(std::map<std::string, std::string> variables) {
  const auto allocation = findAllocation(test::environmentOf(std::move(variables)));
  return allocation ? "" : toText(allocation.error());
}

TEST(Allocation, SlurmNamesNodesAndTasks) {
  EXPECT_THAT(
      hostsIn({{"SLURM_JOB_NODELIST", "n[1-3,7]"}, {"SLURM_TASKS_PER_NODE", "2(x3),4"}}),
      ElementsAre(AllocatedHost{"n1", 2}, AllocatedHost{"n2", 2}, AllocatedHost{"n3", 2}, AllocatedHost{"n7", 4}));
  EXPECT_THAT(hostsIn({{"SLURM_JOB_NODELIST", "gpu[08-09].cluster"}}),
              ElementsAre(AllocatedHost{"gpu08.cluster", 1}, AllocatedHost{"gpu09.cluster", 1}))
      << "where nobody says how many tasks there are";
}

TEST(Allocation, OtherSchedulersListHostsInAFile) {
  const test::TextFiles files;
  const auto pbs = files.write("pbs", "b\na\nb\n\n").string();
  EXPECT_THAT(hostsIn({{"PBS_NODEFILE", pbs}}), ElementsAre(AllocatedHost{"b", 2}, AllocatedHost{"a", 1}));
  EXPECT_THAT(hostsIn({{"LSB_DJOB_HOSTFILE", pbs}}), ElementsAre(AllocatedHost{"b", 2}, AllocatedHost{"a", 1}));
  const auto grid = files.write("pe", "a 4 all.q@a UNDEFINED\nb 2 all.q@b <NULL>\n").string();
  EXPECT_THAT(hostsIn({{"PE_HOSTFILE", grid}}), ElementsAre(AllocatedHost{"a", 4}, AllocatedHost{"b", 2}));
}

TEST(Allocation, AnEnvironmentWithoutOneHasNone) {
  const auto allocation = findAllocation(test::environmentOf());
  ASSERT_TRUE(allocation);
  EXPECT_FALSE(*allocation);
}

TEST(Allocation, WhatIsMalformedIsNamedWithItsVariable) {
  EXPECT_THAT(problemIn({{"SLURM_JOB_NODELIST", "n[1-"}}), HasSubstr("SLURM_JOB_NODELIST: is not a host list"));
  EXPECT_THAT(problemIn({{"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_TASKS_PER_NODE", "2(x"}}),
              HasSubstr("SLURM_TASKS_PER_NODE: is not a list of task counts"));
  EXPECT_THAT(problemIn({{"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_TASKS_PER_NODE", "2(x3)"}}),
              HasSubstr("SLURM_TASKS_PER_NODE: counts 3 nodes, the list has 2 nodes"));
  EXPECT_THAT(problemIn({{"SLURM_JOB_NODELIST", "n1 --wrap=$(id)"}}), HasSubstr("neither an address nor a host name"));
  EXPECT_THAT(problemIn({{"PBS_NODEFILE", "/nowhere/nodes"}}),
              AllOf(HasSubstr("PBS_NODEFILE"), HasSubstr("cannot be read")));
  const test::TextFiles files;
  const auto odd = files.write("odd", "a\nb 2\n").string();
  EXPECT_THAT(problemIn({{"LSB_DJOB_HOSTFILE", odd}}), HasSubstr("LSB_DJOB_HOSTFILE " + odd + ":2: is not one host"));
  const auto none = files.write("none", "a none\n").string();
  EXPECT_THAT(problemIn({{"PE_HOSTFILE", none}}),
              HasSubstr(none + ":1: does not begin with a host and a number of ranks"));
  EXPECT_THAT(problemIn({{"PBS_NODEFILE", files.write("empty", "\n").string()}}), HasSubstr("lists no host"));
}

}  // namespace
}  // namespace slipstream
