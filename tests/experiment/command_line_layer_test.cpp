// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/check_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using test::environmentOf;
using testing::HasSubstr;

constexpr const char* plain = R"({"network": "mlp", "dataset": {"name": "digits", "train_samples": 640}})";
constexpr const char* table = R"({"version": "1.0", "server_count": "1", "status": "completed", "server_list": [
  {"server_id": "127.0.0.1", "device": [{"device_id": "0", "rank_id": "0"}, {"device_id": "1", "rank_id": "1"},
                                        {"device_id": "2", "rank_id": "2"}]}]})";

/// Flags, settings and variables above a file: one layer each.
class CommandLineLayer : public testing::Test {
 protected:
  Result<PlannedFile> plan(const std::string& text, const ExperimentOverrides& overrides = {},
                           std::map<std::string, std::string> variables = {}) {
    return planFile(files_.write("case.json", text), overrides, environmentOf(std::move(variables)));
  }

  RunPlan one(const std::string& text, const ExperimentOverrides& overrides = {}) {
    auto planned = plan(text, overrides);
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return planned->plans.front();
  }

  std::string problems(const std::string& text, const ExperimentOverrides& overrides = {},
                       std::map<std::string, std::string> variables = {}) {
    const auto planned = plan(text, overrides, std::move(variables));
    return planned ? "" : toText(planned.error());
  }

  static std::string whyOf(const RunPlan& plan, const std::string& subject) {
    for (const Decision& decision : allDecisions(plan)) {
      if (decision.subject == subject) return decision.why.in();
    }
    return "";
  }

  ExperimentOverrides onTable() {
    ExperimentOverrides overrides;
    overrides.rankTable = files_.write("table.json", table).string();
    return overrides;
  }

  test::TextFiles files_;
};

TEST_F(CommandLineLayer, RanksBesideARankTableAreSoManyOfIt) {
  ExperimentOverrides flags = onTable();
  flags.ranks = 2;
  EXPECT_EQ(one(plain, flags).ranks(), 2);
  ExperimentOverrides mixed = onTable();
  mixed.settings = {"parallel.ranks=2"};
  EXPECT_EQ(one(plain, mixed).ranks(), 2);
  EXPECT_THAT(whyOf(one(plain, mixed), "parallel.rank_table"), HasSubstr("the first 2 of its 3 ranks"));
  ExperimentOverrides settings;
  settings.settings = {"parallel.rank_table=" + *onTable().rankTable, "parallel.ranks=2"};
  EXPECT_EQ(one(plain, settings).ranks(), 2);
  settings.settings = {R"(parallel={"ranks": 2})", "parallel.rank_table=" + *onTable().rankTable};
  EXPECT_EQ(one(plain, settings).ranks(), 2);
}

TEST_F(CommandLineLayer, WhatAFlagReplacesIsSaid) {
  files_.write("table.json", table);
  ExperimentOverrides overrides;
  overrides.ranks = 2;
  const RunPlan replaced =
      one(R"({"network": "mlp", "dataset": "digits", "parallel": {"rank_table": "table.json"}})", overrides);
  EXPECT_EQ(replaced.experiment.parallel.rankTablePath, "");
  EXPECT_EQ(whyOf(replaced, "parallel.rank_table"), "not used: --ranks replaces it");
  ExperimentOverrides steps;
  steps.settings = {"train.steps=3"};
  const RunPlan shorter = one(R"({"network": "mlp", "dataset": "digits", "train": {"epochs": 2}})", steps);
  EXPECT_EQ(whyOf(shorter, "train.epochs"), "not used: --set train.steps replaces it");
}

TEST_F(CommandLineLayer, FlagsThatContradictEachOtherAreRefused) {
  ExperimentOverrides overrides;
  overrides.ranks = 2;
  overrides.settings = {"parallel.ranks=3"};
  EXPECT_THAT(problems(plain, overrides), HasSubstr("--ranks: says again what --set parallel.ranks says"));
  overrides = {};
  overrides.settings = {"seed=1", "seed=2"};
  EXPECT_THAT(problems(plain, overrides), HasSubstr("--set seed: is given twice (found 2)"));
  overrides.settings = {"train.steps=3", "train.epochs=1"};
  EXPECT_THAT(problems(plain, overrides), HasSubstr("--set train.epochs: conflicts with --set train.steps"));
  overrides.settings = {"network=mlp", "network.hidden=[20]"};
  EXPECT_EQ(problems(plain, overrides), "") << "a part of what was set before";
}

TEST_F(CommandLineLayer, NamesAreNeitherEmptyNorEndlessNorForeign) {
  const auto named = [](const std::string& name) {
    ExperimentOverrides overrides;
    overrides.name = name;
    return overrides;
  };
  EXPECT_EQ(one(plain, named("Zürich 层")).experiment.name, "Zürich 层");
  EXPECT_EQ(problems(plain, named(std::string(200, 'x'))), "");
  EXPECT_THAT(problems(plain, named(std::string(201, 'x'))), HasSubstr("--name: is 201 characters long"));
  EXPECT_THAT(problems(plain, named("")), HasSubstr("--name: is empty"));
  EXPECT_THAT(problems(plain, named(" ")), HasSubstr("--name: is empty"));
  EXPECT_THAT(problems(plain, named("a\xFF")), HasSubstr("--name: holds bytes that are not UTF-8 (found a\\xff)"));
  const std::string variants = R"({"network": "mlp", "variants": [{"name": ")" + std::string(201, 'x') + R"("}]})";
  EXPECT_THAT(problems(variants), HasSubstr("variants[0].name: is 201 characters long"));
}

TEST_F(CommandLineLayer, ForeignBytesNeverReachARecord) {
  ExperimentOverrides overrides;
  overrides.settings = {"dataset.path=/data/\xE9t\xE9"};
  EXPECT_THAT(problems(plain, overrides), HasSubstr("--set dataset.path: holds bytes that are not UTF-8"));
  EXPECT_THAT(problems(R"({"network": "mlp"})", {}, {{"DATA_PATH", "/\xE9"}}), HasSubstr("DATA_PATH: holds bytes"));
  const auto unused = plan(plain, {}, {{"DATA_PATH", "/\xE9"}});
  ASSERT_TRUE(unused);
  EXPECT_THAT(toJsonText(unused->plans[0]), HasSubstr("\\\\xe9")) << "a variable that is not used is still recorded";
}

TEST_F(CommandLineLayer, LocalWithoutARankTableSaysThatItDoesNothing) {
  ExperimentOverrides overrides;
  overrides.local = true;
  const auto planned = plan(plain, overrides);
  ASSERT_TRUE(planned);
  EXPECT_THAT(notesOf(planned->plans), testing::ElementsAre(HasSubstr("--local on: no effect")));
}

TEST_F(CommandLineLayer, HostsAreARankTableWithoutAFile) {
  ExperimentOverrides hosts;
  hosts.hosts = "10.9.8.1:2,n[1-2]:3";
  const RunPlan plan = one(plain, hosts);
  ASSERT_EQ(plan.ranks(), 8);
  EXPECT_FALSE(plan.local);
  EXPECT_EQ(plan.places[1].host, "10.9.8.1");
  EXPECT_EQ(plan.places[4].host, "n1");
  EXPECT_EQ(plan.places[4].deviceId, 2);
  EXPECT_EQ(plan.places[7].host, "n2");
  EXPECT_EQ(plan.places[7].server, 2);
  EXPECT_THAT(whyOf(plan, "parallel.hosts"), HasSubstr("8 ranks on 3 servers"));
  hosts.ranks = 4;
  EXPECT_EQ(one(plain, hosts).ranks(), 4);
  hosts.local = true;
  EXPECT_TRUE(one(plain, hosts).local);
}

TEST_F(CommandLineLayer, HostsReplaceWhatTheFileSaysOfRanks) {
  files_.write("table.json", table);
  ExperimentOverrides hosts;
  hosts.hosts = "localhost:4";
  const RunPlan overTable =
      one(R"({"network": "mlp", "dataset": "digits", "parallel": {"rank_table": "table.json"}})", hosts);
  EXPECT_EQ(overTable.ranks(), 4);
  EXPECT_TRUE(overTable.local);
  EXPECT_EQ(whyOf(overTable, "parallel.rank_table"), "not used: --hosts replaces it");
  EXPECT_EQ(one(R"({"network": "mlp", "dataset": "digits", "parallel": {"ranks": 2}})", hosts).ranks(), 4);
  const auto withVariables = plan(plain, hosts, {{"RANK_TABLE_FILE", "/none.json"}});
  ASSERT_TRUE(withVariables);
  EXPECT_EQ(withVariables->plans.front().ranks(), 4);
}

TEST_F(CommandLineLayer, HostsThatCannotBeAreNamedWhereTheyAreWritten) {
  ExperimentOverrides hosts;
  hosts.hosts = "a:4,a:4";
  EXPECT_THAT(problems(plain, hosts), HasSubstr("--hosts: appears twice (found a)"));
  hosts.hosts = "a:many";
  EXPECT_THAT(problems(plain, hosts), HasSubstr("--hosts: gives no number of devices (found a:many)"));
  hosts.hosts = "a;reboot:1";
  EXPECT_THAT(problems(plain, hosts), HasSubstr("--hosts: is neither an address nor a host name"));
  hosts.hosts = "a:4,b:4";
  hosts.rankTable = files_.write("table.json", table).string();
  EXPECT_THAT(problems(plain, hosts), HasSubstr("--hosts: conflicts with --rank-table"));
  EXPECT_THAT(problems(R"({"network": "mlp", "parallel": {"hosts": "-:1"}})"), HasSubstr("parallel.hosts: "));
  EXPECT_THAT(problems(R"({"network": "mlp", "parallel": {"hosts": "a:1", "rank_table": "table.json"}})"),
              HasSubstr("parallel.hosts: conflicts with parallel.rank_table"));
}

TEST_F(CommandLineLayer, WhoeverNamesABrokenTableIsNamed) {
  const std::string broken = files_.write("broken.json", R"({"server_list": []})").string();
  EXPECT_THAT(problems(plain, {}, {{"RANK_TABLE_FILE", "/none.json"}}),
              HasSubstr("RANK_TABLE_FILE /none.json: cannot be read"));
  EXPECT_THAT(problems(plain, {}, {{"RANK_TABLE_FILE", broken}}),
              HasSubstr("RANK_TABLE_FILE " + broken + ": server_list: "));
  ExperimentOverrides overrides;
  overrides.rankTable = broken;
  EXPECT_THAT(problems(plain, overrides), HasSubstr("--rank-table " + broken));
  EXPECT_THAT(problems(R"({"network": "mlp", "parallel": {"rank_table": "broken.json"}})"),
              HasSubstr("parallel.rank_table " + broken));
}

TEST_F(CommandLineLayer, TablesAndExperimentsAreNotTakenForEachOther) {
  const FileCheck check = checkRankTableFile(files_.write("experiment.json", plain));
  EXPECT_EQ(check.verdict, Verdict::reject);
  ASSERT_EQ(check.findings.size(), 1U);
  EXPECT_THAT(check.findings[0].problem.in(), HasSubstr("is an experiment"));
  EXPECT_THAT(check.findings[0].remedy.in(), HasSubstr("slipstream check"));
  EXPECT_NE(checkRankTableFile(*onTable().rankTable).verdict, Verdict::reject);
  EXPECT_EQ(checkRankTableFile(files_.write("empty.json", "{}")).verdict, Verdict::reject);
  EXPECT_THAT(problems(table), HasSubstr("is a rank table, not an experiment"));
  ExperimentOverrides overrides;
  overrides.rankTable = (files_.path() / "experiment.json").string();
  EXPECT_THAT(problems(plain, overrides), HasSubstr("experiment.json: is an experiment, not a rank table"));
}

TEST_F(CommandLineLayer, NumbersTooLargeAreToldTheirRange) {
  ExperimentOverrides overrides;
  overrides.settings = {"seed=99999999999999999999999"};
  EXPECT_THAT(problems(plain, overrides), HasSubstr("--set seed: must be at least 0 and at most 9200000000000000000"));
  overrides.settings = {"train.steps=1e30"};
  EXPECT_THAT(problems(plain, overrides), HasSubstr("--set train.steps: must be at least 1 and at most 1000000000000"));
}

TEST_F(CommandLineLayer, WhatBeginsWithABraceIsADictionaryAndNoFile) {
  for (const char* setting :
       {R"(boost_config_dict={"boost": {"mode": "manual", "adasum": true}})",
        R"(boost_config_dict={'boost': {'mode': 'manual', 'adasum': True}})",
        R"(boost.dictionary= {'boost': {'mode': 'manual', 'adasum': True,},} # as in a script)"}) {
    ExperimentOverrides overrides;
    overrides.ranks = 2;
    overrides.settings = {"boost_level=O1", setting};
    EXPECT_TRUE(one(plain, overrides).experiment.boost.isOn("adasum")) << setting;
  }
  ExperimentOverrides broken;
  broken.settings = {"boost_config_dict={\"boost\": {\"mode\": }"};
  EXPECT_THAT(problems(plain, broken), HasSubstr("--set boost_config_dict:1:20: "));
  EXPECT_THAT(problems(plain, broken), testing::Not(HasSubstr("file")));
}

TEST_F(CommandLineLayer, OneRankIsNotOneRanks) {
  for (const Decision& decision : allDecisions(one(plain))) {
    EXPECT_EQ((" " + decision.why.in()).find(" 1 ranks"), std::string::npos) << decision.why.in();
    EXPECT_EQ((" " + decision.why.in()).find(" 1 servers"), std::string::npos) << decision.why.in();
  }
  EXPECT_THAT(whyOf(one(plain), "threads_per_rank"), HasSubstr("for 1 rank on a machine"));
}

}  // namespace
}  // namespace slipstream
