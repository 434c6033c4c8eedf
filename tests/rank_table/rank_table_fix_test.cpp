// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rank_table/rank_table_fix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/rank_table/rank_table_edit.h"
#include "engine/rank_table/rank_table_tools.h"

namespace slipstream {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path tables = std::filesystem::path(SLIPSTREAM_SOURCE) / "tests/cases/rank_tables";

std::string caseText(const std::string& name) {
  const auto text = readFile(tables / name);
  EXPECT_TRUE(text) << name;
  return text.value_or("");
}

/// Of the first finding.
std::string firstFix(const std::string& text) {
  const auto fixes = rankTableFixes(text, readRankTable(text, "").findings);
  return fixes.empty() || !fixes.front() ? "" : toText(*fixes.front());
}

Json twoServers() {
  const auto made = rankTableOfHosts({"10.0.0.1:2", "10.0.0.2:2"}, {});
  return Json::parse(toJsonText(made->table));
}

std::vector<std::string> ranksOf(const Json& root) {
  std::vector<std::string> ranks;
  for (const ServerLine& server : rankTableLines(root)) {
    for (const DeviceLine& device : server.devices) ranks.push_back(device.rank);
  }
  return ranks;
}

TEST(RankTableFix, EveryRejectedCaseCanBeMended) {
  for (const auto& entry : std::filesystem::directory_iterator(tables)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("reject_")) continue;
    const FixedRankTable mended = mendRankTable(caseText(name));
    EXPECT_FALSE(mended.done.empty()) << name;
    EXPECT_NE(readRankTable(mended.text, name).verdict(), Verdict::reject) << name << "\n" << mended.text;
  }
}

TEST(RankTableFix, OneFixMakesItsFindingVanish) {
  for (const auto& entry : std::filesystem::directory_iterator(tables)) {
    const std::string name = entry.path().filename().string();
    if (name == "expected.json") continue;
    const std::string text = caseText(name);
    const auto findings = readRankTable(text, "").findings;
    const auto fixes = rankTableFixes(text, findings);
    ASSERT_EQ(fixes.size(), findings.size());
    for (std::size_t i = 0; i < fixes.size(); ++i) {
      if (!fixes[i]) continue;
      const auto fixed = fixedRankTable(text, *fixes[i]);
      ASSERT_TRUE(fixed) << name << ": " << toText(*fixes[i]);
      for (const Finding& left : readRankTable(*fixed, "").findings) {
        EXPECT_FALSE(left.path == findings[i].path && left.problem == findings[i].problem)
            << name << ": " << toText(*fixes[i]) << "\n"
            << *fixed;
      }
    }
  }
}

TEST(RankTableFix, SaysItsResult) {
  EXPECT_EQ(firstFix(caseText("reject_rank_gap.json")), "Renumber ranks 0 to 1");
  EXPECT_EQ(firstFix(caseText("reject_server_count.json")), "Set server_count to 1");
  EXPECT_EQ(firstFix(caseText("reject_initializing.json")), "Mark as completed");
  EXPECT_EQ(firstFix(caseText("reject_comments.json")), "Remove comments and surplus commas");
  EXPECT_EQ(firstFix(caseText("reject_legacy_group_list.json")), "Convert to version 1.0");
  EXPECT_EQ(firstFix(caseText("reject_masked_device_ip.json")), "Use placeholder 198.18.0.1");
  EXPECT_EQ(firstFix("{\"version\": "), "") << "only its author knows how it goes on";
}

TEST(RankTableFix, ProposalsDoNotContradictEachOther) {
  Json root = twoServers();
  for (int device = 0; device < 2; ++device) setCell(root, {1, device}, RankTableCell::address, "198.18.0.1");
  const std::string text = rankTableText(root);
  const auto fixes = rankTableFixes(text, readRankTable(text, "").findings);
  ASSERT_EQ(fixes.size(), 2U);
  EXPECT_EQ(toText(*fixes[0]), "Use 198.18.0.3") << ".2 is taken";
  EXPECT_EQ(toText(*fixes[1]), "Use 198.18.0.4");
  EXPECT_EQ(readRankTable(mendRankTable(text).text, "").verdict(), Verdict::accept);
}

TEST(RankTableFix, AStalePlaceIsRefused) {
  const auto fixed =
      fixedRankTable("{}", {RankTableFixKind::useAddress, "server_list[4].device[0].device_ip", "1.1.1.1"});
  ASSERT_FALSE(fixed);
  EXPECT_THAT(toText(fixed.error()), HasSubstr("is no longer in the table"));
}

TEST(RankTableEdit, TextIsWrittenAsTablesAreWritten) {
  const auto made = rankTableOfHosts({"10.0.0.1:2", "b:1"}, {});
  const std::string text = toJsonText(made->table);
  EXPECT_EQ(rankTableText(Json::parse(text)), text);
}

TEST(RankTableEdit, WhatIsNotTouchedStays) {
  Json root = Json::parse(caseText("warn_unknown_keys.json"));
  const Json before = root;
  setCell(root, {0, 0}, RankTableCell::rank, "7");
  EXPECT_EQ(root["pod"], before["pod"]);
  EXPECT_EQ(root["server_list"][0]["device"][0]["rank_id"], "7");
}

TEST(RankTableEdit, ANumberStaysANumber) {
  Json root = Json::parse(caseText("accept_bare_numbers.json"));
  setCell(root, {0, 0}, RankTableCell::rank, "5");
  EXPECT_EQ(root["server_list"][0]["device"][0]["rank_id"], 5);
  setCell(root, {0, 0}, RankTableCell::rank, "x");
  EXPECT_EQ(root["server_list"][0]["device"][0]["rank_id"], "x");
}

TEST(RankTableEdit, ANewServerLooksLikeTheOneBeforeIt) {
  Json root = twoServers();
  EXPECT_EQ(addServer(root), (RankTablePosition{2, -1}));
  const RankTableReading reading = readRankTable(root);
  EXPECT_EQ(reading.verdict(), Verdict::accept);
  EXPECT_EQ(reading.table.servers[2].id, "10.0.0.3");
  EXPECT_EQ(reading.table.servers[2].devices.size(), 2U);
  EXPECT_EQ(reading.table.servers[2].devices[1].rank, 5);
}

/// Every one of 3,008 findings asks for the same renumbering; it is made, and told, once.
TEST(RankTableFix, ManyCopiesOfADeviceAreRenumberedOnce) {
  Json root = Json::parse(toJsonText(rankTableOfHosts({"10.0.0.1:1"}, {"1.1.1.1"})->table));
  Json& devices = root["server_list"][0]["device"];
  const Json copy = devices[0];
  while (devices.size() < 3008) devices.push_back(copy);
  const FixedRankTable mended = mendRankTable(root.dump());
  EXPECT_EQ(readRankTable(mended.text, "").verdict(), Verdict::accept);
  EXPECT_EQ(std::ranges::count_if(mended.done,
                                  [](const std::string& words) { return words.find("Renumber") != std::string::npos; }),
            2);
  EXPECT_EQ(readRankTable(mended.text, "").table.servers[0].devices.back().deviceId, 3007);
}

TEST(RankTableEdit, LinesMoveAndGo) {
  Json root = twoServers();
  moveServers(root, {1}, 0);
  EXPECT_THAT(ranksOf(root), ElementsAre("2", "3", "0", "1"));
  moveDevices(root, {{0, 0}, {0, 1}}, {1, 1});
  EXPECT_THAT(ranksOf(root), ElementsAre("0", "2", "3", "1"));
  moveDevices(root, {{1, 0}}, {1, 4});
  EXPECT_THAT(ranksOf(root), ElementsAre("2", "3", "1", "0"));
  removeLines(root, {{0, -1}, {1, 0}, {1, 2}});
  EXPECT_THAT(ranksOf(root), ElementsAre("3", "0"));
  EXPECT_EQ(root["server_count"], "1");
}

TEST(RankTableEdit, GapsCloseInTheOrderOfRanks) {
  Json root = twoServers();
  const char* ranks[] = {"8", "3", "", "3"};
  for (int device = 0; device < 4; ++device)
    setCell(root, {device / 2, device % 2}, RankTableCell::rank, ranks[device]);
  closeRankGaps(root);
  EXPECT_THAT(ranksOf(root), ElementsAre("3", "0", "1", "2"));
  renumberRanks(root);
  EXPECT_THAT(ranksOf(root), ElementsAre("0", "1", "2", "3"));
}

TEST(RankTableEdit, OfCopiesTheOneInItsPlaceKeepsTheRank) {
  Json root = twoServers();
  for (int device = 0; device < 4; ++device) setCell(root, {device / 2, device % 2}, RankTableCell::rank, "2");
  closeRankGaps(root);
  EXPECT_THAT(ranksOf(root), ElementsAre("0", "1", "2", "3"));
}

TEST(RankTableEdit, ARankThatFitsStaysWithTheFirstThatHasIt) {
  Json root = twoServers();
  const char* ranks[] = {"0", "0", "3", "x"};
  for (int device = 0; device < 4; ++device)
    setCell(root, {device / 2, device % 2}, RankTableCell::rank, ranks[device]);
  closeRankGaps(root);
  EXPECT_THAT(ranksOf(root), ElementsAre("0", "1", "3", "2"));
}

TEST(RankTableEdit, AddressesGoOnBehindTheirLast) {
  EXPECT_EQ(freeAddressAfter("10.0.0.254", {"10.0.1.1"}), "10.0.1.2");
  EXPECT_EQ(freeAddressAfter("255.255.255.255", {}), "");
  EXPECT_EQ(freeAddressAfter("10.*.*.*", {}), "");
}

TEST(RankTableLines, PathsNameLines) {
  EXPECT_EQ(rankTablePath("server_list[1].device[3].rank_id").place, (RankTablePosition{1, 3}));
  EXPECT_EQ(rankTablePath("server_list[1].device[3].rank_id").cell, RankTableCell::rank);
  EXPECT_EQ(rankTablePath("server_list[12].server_id").place, (RankTablePosition{12, -1}));
  EXPECT_EQ(rankTablePath("server_list[0].device").key, "device");
  EXPECT_EQ(rankTablePath("server_list").place, RankTablePosition{});
  EXPECT_EQ(rankTablePath("server_list[").place, RankTablePosition{});
}

TEST(RankTableLines, WrongLinesAreShownToo) {
  const auto lines = rankTableLines(Json::parse(caseText("reject_wrong_types.json")));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].id, "[\"x\"]");
  EXPECT_EQ(lines[0].devices[0], (DeviceLine{"-1", "", "192.168.1.1"}));
  EXPECT_EQ(lines[1].id, "7");
}

TEST(RankTableLines, ExtrasAreReadAndNothingInsideStringsIsOne) {
  EXPECT_EQ(withoutExtras("[1, // one\n 2,]"), "[1, \n 2]");
  EXPECT_EQ(withoutExtras(R"(["//", ",]", "\",]"])"), R"(["//", ",]", "\",]"])");
  EXPECT_TRUE(readGenerously("{\"a\": [1, /* two */],}"));
  EXPECT_FALSE(readGenerously("{\"a\": "));
  EXPECT_FALSE(readGenerously(std::string(100000, '[')));
}

TEST(RankTableFix, OneKindLeavesTheOthers) {
  const std::string text = R"({"version": "7.0", "server_count": "3", "status": "completed", "server_list": [
    {"server_id": "10.0.0.1", "device": [{"device_id": "0", "device_ip": "192.168.1.1", "rank_id": "0"}]}]})";
  const FixedRankTable counted = mendRankTable(text, RankTableFixKind::countServers);
  ASSERT_EQ(counted.done.size(), 1U);
  EXPECT_NE(counted.text.find("7.0"), std::string::npos);
  EXPECT_EQ(readRankTable(mendRankTable(text).text, "").verdict(), Verdict::accept);
}

/// An unknown key is a warning, which "fix" on the command line leaves alone; a slip of the pen is renamed, so that its
/// address is not replaced by a placeholder.
TEST(RankTableFix, KeysThatAreNearlyRightAreRenamedAndOthersGoWhereThatIsAskedFor) {
  const std::string text = R"({"version": "1.0", "server_count": "1", "status": "completed", "server_list": [
    {"server_id": "10.0.0.1", "colour": "red",
     "device": [{"device_id": "0", "devce_ip": "10.1.1.1", "rank_id": "0"}]}]})";
  const FixedRankTable errors = mendRankTable(text);
  EXPECT_EQ(errors.done, std::vector<std::string>{"server_list[0].device[0].devce_ip: Rename to device_ip"});
  const RankTableReading reading = readRankTable(errors.text, "");
  EXPECT_EQ(reading.table.servers[0].devices[0].ip, "10.1.1.1");
  EXPECT_EQ(reading.verdict(), Verdict::warn) << "the colour";
  EXPECT_EQ(readRankTable(mendRankTable(text, {}, FixScope::warningsToo).text, "").verdict(), Verdict::accept);
  EXPECT_EQ(mendRankTable(text, RankTableFixKind::removeKey).text.find("colour"), std::string::npos)
      << "a kind that is named is mended, whatever it is";
}

/// A comment has to go before keys can be read at all.
TEST(RankTableFix, KeysAreRenamedInATableWithCommentsToo) {
  const std::string text = R"({"version": "1.0", "server_count": "1", "status": "completed", // one server
    "server_list": [{"server_id": "10.0.0.1",
                     "device": [{"device_id": "0", "devce_ip": "10.1.1.1", "rank_id": "0"}]}]})";
  EXPECT_EQ(readRankTable(mendRankTable(text).text, "").table.servers[0].devices[0].ip, "10.1.1.1");
}

TEST(RankTableFix, AKeyIsNotRenamedOverAnother) {
  const std::string text = R"({"version": "1.0", "server_count": "1", "status": "completed", "server_list": [
    {"server_id": "10.0.0.1", "device": [{"device_id": "0", "device_ip": "10.1.1.1", "devce_ip": "10.1.1.2",
                                          "rank_id": "0"}]}]})";
  EXPECT_EQ(mendRankTable(text).text, text);
  const FixedRankTable all = mendRankTable(text, {}, FixScope::warningsToo);
  EXPECT_EQ(all.done, std::vector<std::string>{"server_list[0].device[0].devce_ip: Remove devce_ip"});
}

TEST(RankTableFindings, HaveCodesThatStay) {
  EXPECT_EQ(codeOf(RankTableFault::syntax), "RT-101");
  EXPECT_EQ(codeOf(RankTableFault::serverCount), "RT-108");
  EXPECT_EQ(codeOf(RankTableFault::rank), "RT-118");
  EXPECT_EQ(codeOf(RankTableFault::other), "");
}

}  // namespace
}  // namespace slipstream
