// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/rank_table.h"

#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/plan/check_file.h"
#include "engine/rank_table/rank_table_tools.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::HasSubstr;

const std::filesystem::path cases = std::filesystem::path(SLIPSTREAM_SOURCE) / "tests/cases/rank_tables";

std::string textOf(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += finding.path + ": " + problemOf(finding).in() + " [" + finding.value + "] " + finding.remedy.in() + "\n";
  }
  return text;
}

TEST(RankTable, EveryKindOfTableGetsItsVerdict) {
  std::ifstream file(cases / "expected.json");
  const Json expected = Json::parse(file);
  ASSERT_GT(expected.size(), 15U);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cases)) {
    if (entry.path().filename() != "expected.json") ++files;
  }
  EXPECT_EQ(files, expected.size()) << "every case is expected to say something";
  for (const auto& [name, expectation] : expected.items()) {
    const FileCheck check = checkFile(cases / name, test::environmentOf());
    EXPECT_EQ(nameOf(check.verdict), expectation["verdict"].get<std::string>()) << name << "\n"
                                                                                << textOf(check.findings);
    for (const auto& word : expectation["words"]) {
      EXPECT_THAT(textOf(check.findings), HasSubstr(word.get<std::string>())) << name;
    }
  }
}

/// What is wrong with these ranks of one server's devices, in the words of a list.
std::vector<std::string> faultsOfRanks(const std::vector<std::string>& ranks) {
  Json devices = Json::array();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    devices.push_back(
        {{"device_id", std::to_string(i)}, {"device_ip", "192.168.1." + std::to_string(i)}, {"rank_id", ranks[i]}});
  }
  const Json table{{"version", "1.0"},
                   {"server_count", "1"},
                   {"server_list", {{{"server_id", "10.0.0.1"}, {"device", devices}}}},
                   {"status", "completed"}};
  std::vector<std::string> problems;
  for (const Finding& finding : readRankTable(table).findings) problems.push_back(finding.problem.in());
  return problems;
}

/// For each rank that is missing another is used again, out of range or unreadable.
TEST(RankTable, EachMistakeInRanksIsSaidOnce) {
  using testing::ElementsAre;
  EXPECT_THAT(faultsOfRanks({"1", "0"}), ElementsAre());
  EXPECT_THAT(faultsOfRanks({"1"}), ElementsAre("rank 1 is out of range and rank 0 is missing"));
  EXPECT_THAT(faultsOfRanks({"0", "0"}), ElementsAre("rank 0 is used twice and rank 1 is missing"));
  EXPECT_THAT(faultsOfRanks({"0", "7"}), ElementsAre("rank 7 is out of range and rank 1 is missing"));
  EXPECT_THAT(faultsOfRanks({"0", "0", "0"}),
              ElementsAre("rank 0 is used twice", "rank 0 is used 3 times", "ranks 1, 2 of 0 to 2 are missing"));
  EXPECT_THAT(faultsOfRanks({"0", "0", "5"}),
              ElementsAre("rank 0 is used twice", "rank 5 is out of range", "ranks 1, 2 of 0 to 2 are missing"));
  EXPECT_THAT(faultsOfRanks({"0", "x"}), ElementsAre("is not a whole number from 0")) << "its rank is not known";
}

TEST(RankTable, TablesOfOthersGetTheirVerdicts) {
  const auto folder = std::filesystem::path(SLIPSTREAM_SOURCE) / "../shared/data/rank_tables";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no folder " << folder;
  const std::map<std::string, Verdict> expected{
      {"01", Verdict::accept}, {"02", Verdict::accept}, {"03", Verdict::accept}, {"04", Verdict::accept},
      {"05", Verdict::accept}, {"06", Verdict::accept}, {"07", Verdict::reject}, {"08", Verdict::reject},
      {"09", Verdict::warn},   {"10", Verdict::reject}, {"11", Verdict::reject}, {"12", Verdict::reject},
      {"13", Verdict::reject}};
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto found = expected.find(entry.path().filename().string().substr(0, 2));
    if (found == expected.end()) continue;
    ++seen;
    EXPECT_EQ(checkFile(entry.path(), test::environmentOf()).verdict, found->second) << entry.path();
  }
  EXPECT_EQ(seen, expected.size());
}

TEST(RankTable, ShippedTablesAreThoseOfTheTutorials) {
  const auto folder = std::filesystem::path(SLIPSTREAM_SOURCE) / "experiments/rank_tables";
  const auto eight = loadRankTable(folder / "rank_table_8pcs.json");
  const auto sixteen = loadRankTable(folder / "rank_table_16pcs.json");
  ASSERT_TRUE(eight && sixteen);
  EXPECT_EQ(eight->ranks(), 8);
  EXPECT_EQ(sixteen->servers.size(), 2U);
  EXPECT_EQ(sixteen->servers[1].devices[7], (RankDevice{7, "192.4.27.9", 15}));
}

TEST(RankTable, IsWrittenStrictlyAndReadsBackAsTheSame) {
  const auto table = loadRankTable(cases / "accept_interleaved_ranks.json");
  ASSERT_TRUE(table);
  const std::string text = toJsonText(*table);
  const RankTableReading again = readRankTable(text, "again");
  EXPECT_EQ(again.verdict(), Verdict::accept);
  EXPECT_EQ(again.table, *table);
  const Json root = Json::parse(text);
  EXPECT_TRUE(root["server_count"].is_string());
  EXPECT_TRUE(root["server_list"][0]["device"][0]["rank_id"].is_string());
}

TEST(RankTable, LineEndsDoNotMatter) {
  const auto text = readFile(cases / "accept_two_servers.json");
  ASSERT_TRUE(text);
  std::string windows;
  for (const char letter : *text) windows += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
  EXPECT_EQ(readRankTable(windows, "windows").verdict(), Verdict::accept);
}

TEST(RankTable, HostNamesAreWordsThatNoShellAndNoOptionParserMinds) {
  for (const char* good : {"node_0", "n1.cluster.local", "10", "a-b"}) EXPECT_TRUE(isHostName(good)) << good;
  for (const char* bad : {"", "a;touch x", "-oProxyCommand=x", "a b", "$(x)", "10.*.*.*", "a\nb", "ü", "a/b"}) {
    EXPECT_FALSE(isHostName(bad)) << bad;
  }
  EXPECT_TRUE(isAddress("10.0.0.1"));
  EXPECT_TRUE(isAddress("fe80::1"));
  EXPECT_FALSE(isAddress("10.0.0.256"));
  EXPECT_FALSE(isAddress(std::string("10.0.0.1\0;x", 11)));
}

std::string problemOf(const Result<NamedRankTable>& result) {
  return result ? "" : toText(result.error());
}

TEST(RankTableTools, RequestsThatMakeNoTable) {
  EXPECT_THAT(problemOf(generateRankTable({"[0,0)", {}, "a", {}})), HasSubstr("is empty"));
  EXPECT_THAT(problemOf(generateRankTable({"[0,12)", {}, "a", {}})), HasSubstr("within [0,8]"));
  EXPECT_THAT(problemOf(generateRankTable({"0,8", {}, "a", {}})), HasSubstr("within [0,8]"));
  EXPECT_THAT(problemOf(generateRankTable({"0,0", {}, "a", {}})), HasSubstr("names a device twice"));
  EXPECT_THAT(problemOf(generateRankTable({"3-1", {}, "a", {}})), HasSubstr("swap the two"));
  EXPECT_THAT(problemOf(generateRankTable({"-1", {}, "a", {}})), HasSubstr("within [0,8]"));
  EXPECT_THAT(problemOf(generateRankTable({"3-4", {}, "a", {}})), HasSubstr("crosses the boundary"));
  EXPECT_THAT(problemOf(generateRankTable({"0-9223372036854775807", {}, "a", {}})), HasSubstr("within [0,8]"));
  EXPECT_THAT(problemOf(generateRankTable({"[0,)", {}, "a", {}})), HasSubstr("not an interval"));
  EXPECT_THAT(problemOf(generateRankTable({"one", {}, "a", {}})), HasSubstr("neither an interval nor a list"));
  EXPECT_THAT(problemOf(generateRankTable({"[0,2)", {}, "a;touch x", {}})),
              HasSubstr("neither an address nor a host name"));
  EXPECT_THAT(problemOf(generateRankTable({"[0,2)", {"0", "0"}, "a", {}})), HasSubstr("--visible-devices"));
  EXPECT_THAT(problemOf(generateRankTable({"[0,2)", {}, "a", {"1.1.1.1"}})),
              HasSubstr("is not the number of devices, 2"));
  EXPECT_THAT(problemOf(generateRankTable({"[0,2)", {}, "a", {"1.1.1.1", "1.1.1.1"}})), HasSubstr("appears twice"));
}

TEST(RankTableTools, DevicesAreWrittenAsAnIntervalARangeOrAList) {
  const auto idsOf = [](const std::string& devices) {
    const auto made = generateRankTable({devices, {}, "a", {}});
    EXPECT_TRUE(made) << devices << toText(made ? Failures{} : made.error());
    std::vector<int> ids;
    for (const RankDevice& device : made->table.servers.front().devices) ids.push_back(device.deviceId);
    return ids;
  };
  using testing::ElementsAre;
  EXPECT_EQ(idsOf("0-7"), idsOf("[0,8)"));
  EXPECT_EQ(idsOf("0,1,2,3,4,5,6,7"), idsOf("[0,8)"));
  EXPECT_THAT(idsOf("0,1,2"), ElementsAre(0, 1, 2));
  EXPECT_THAT(idsOf("4-5, 7"), ElementsAre(4, 5, 7));
  EXPECT_THAT(idsOf("3"), ElementsAre(3));
}

TEST(RankTableTools, ProductsAreBoundedAsFactorsAre) {
  EXPECT_THAT(problemOf(rankTableOfHosts({"n[1-4096]:4096"}, {})), HasSubstr("is more than 65536 devices"));
  std::vector<std::string> many;
  for (int i = 0; i < 40; ++i) many.push_back(fmt::format("n{}-[1-4096]", i));
  EXPECT_THAT(problemOf(rankTableOfHosts(many, {})), HasSubstr("more than 65536 hosts"));
  std::string tasks = "1(x4096)";
  for (int i = 0; i < 40; ++i) tasks += ",1(x4096)";
  const auto slurm = slurmHosts("n[1-2]", tasks);
  ASSERT_FALSE(slurm);
  EXPECT_THAT(toText(slurm.error()), HasSubstr("counts more than 65536 nodes"));
}

TEST(RankTableTools, PlaceholdersOfLargeTablesDiffer) {
  for (const std::string hosts : {"n[1-600]:8", "n[1-2]:300"}) {
    const auto made = rankTableOfHosts({hosts}, {});
    ASSERT_TRUE(made) << toText(made.error());
    EXPECT_EQ(readRankTable(toJsonText(made->table), "made").verdict(), Verdict::accept) << hosts;
    EXPECT_THAT(made->table.servers.back().devices.back().ip, testing::StartsWith("198.1"));
  }
}

TEST(RankTableTools, TablesFromHostsPassTheirOwnCheck) {
  const auto made = rankTableOfHosts({"a:4", "b:2", "n[08-09", "11]:1"}, {});
  ASSERT_TRUE(made) << toText(made.error());
  EXPECT_EQ(made->table.servers.size(), 5U);
  EXPECT_EQ(made->table.ranks(), 9);
  EXPECT_EQ(made->table.servers[2].id, "n08");
  EXPECT_EQ(readRankTable(toJsonText(made->table), "made").verdict(), Verdict::accept);
  EXPECT_THAT(problemOf(rankTableOfHosts({"a:x"}, {})), HasSubstr("number of devices"));
  EXPECT_THAT(problemOf(rankTableOfHosts({"a:1", "a:1"}, {})), HasSubstr("appears twice"));
  EXPECT_THAT(problemOf(rankTableOfHosts({"n[9-1]:1"}, {})), HasSubstr("is not a host list"));
}

TEST(RankTableTools, SlurmSaysHowManyTasksEachNodeHas) {
  const auto hosts = slurmHosts("n[1-2],gpu07", "4(x2),3");
  ASSERT_TRUE(hosts) << toText(hosts.error());
  EXPECT_THAT(*hosts, testing::ElementsAre("n1:4", "n2:4", "gpu07:3"));
  EXPECT_EQ(slurmHosts("n[1-2]", "8")->back(), "n2:8");
  const auto problem = [](const std::string& nodes, const std::string& tasks) {
    const auto made = slurmHosts(nodes, tasks);
    return made ? "" : toText(made.error());
  };
  EXPECT_THAT(problem("n[1-2]", "4(x3)"), HasSubstr("counts 3 nodes, the list has 2 nodes"));
  EXPECT_THAT(problem("", "4"), HasSubstr("SLURM_JOB_NODELIST: is empty"));
  for (const char* tasks : {"", "x", "0", "4(x", "4(x0)", "4(y2)", "4(x99999999)"}) {
    EXPECT_THAT(problem("a", tasks), HasSubstr("is not a list of task counts")) << tasks;
  }
}

TEST(RankTableTools, MergingRefusesWhatComesTwice) {
  const auto one = rankTableOfHosts({"10.0.0.1:2"}, {"1.1.1.1", "1.1.1.2"});
  const auto two = rankTableOfHosts({"10.0.0.2:2"}, {"1.1.1.2", "1.1.1.3"});
  ASSERT_TRUE(one && two);
  const std::string text = problemOf(mergeRankTables({one->table, two->table, one->table}, {"x", "y", "z"}));
  EXPECT_THAT(text, HasSubstr("y: device_ip: is in an earlier table too (found 1.1.1.2)"));
  EXPECT_THAT(text, HasSubstr("z: server_id: is in an earlier table too (found 10.0.0.1)"));
}

TEST(RankTableTools, MergingRefusesWhatItsCheckWouldReject) {
  const auto one = generateRankTable({"0-1", {}, "10.0.0.1", {}});
  const auto two = generateRankTable({"0-1", {}, "10.0.0.2", {}});
  ASSERT_TRUE(one && two);
  EXPECT_EQ(readRankTable(toJsonText(one->table), "one").verdict(), Verdict::warn);
  const std::string text = problemOf(mergeRankTables({one->table, two->table}, {"x", "y"}));
  EXPECT_THAT(text,
              HasSubstr("the merged table: server_list[1].device[1].device_ip: is missing, but devices of several"));
}

TEST(RankTableTools, OtherVersionsAreImported) {
  for (const char* name : {"reject_legacy_group_list.json", "reject_version_2.json", "reject_version_1_2.json"}) {
    const auto text = readFile(cases / name);
    ASSERT_TRUE(text);
    const auto table = importRankTable(*text, name);
    ASSERT_TRUE(table) << toText(table.error());
    EXPECT_EQ(table->ranks(), 2) << name;
    EXPECT_EQ(readRankTable(toJsonText(*table), name).verdict(), Verdict::accept) << name;
  }
  EXPECT_FALSE(importRankTable("{}", "x"));
  EXPECT_FALSE(importRankTable(R"({"group_list": [{"instance_list": 5}, 7]})", "x"));
  EXPECT_FALSE(importRankTable(R"({"server_list": [5], "version": "1.2"})", "x"));
}

TEST(RankTableTools, HostFilesKeepTheOrderOfRanksOrSayThatTheyCannot) {
  const auto inOrder = loadRankTable(cases / "accept_two_servers.json");
  ASSERT_TRUE(inOrder);
  EXPECT_EQ(*hostFileText(*inOrder), "10.0.0.1 slots=2\n10.0.0.2 slots=2\n");
  const auto interleaved = loadRankTable(cases / "accept_interleaved_ranks.json");
  ASSERT_TRUE(interleaved);
  EXPECT_THAT(toText(hostFileText(*interleaved).error()), HasSubstr("use --to rankfile"));
  EXPECT_EQ(*rankFileText(*interleaved), "rank 0=10.0.0.1 slot=0\nrank 1=10.0.0.2 slot=0\nrank 2=10.0.0.1 slot=1\n");
  RankTable evil = *inOrder;
  evil.servers[0].id = "a;touch x";
  EXPECT_FALSE(hostFileText(evil));
  EXPECT_FALSE(rankFileText(evil));
}

}  // namespace
}  // namespace slipstream
