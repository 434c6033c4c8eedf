// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_tools.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

using test::CaseCounter;

/// hccl_tools is given the addresses by device number, we by place in the table.
RankTableRequest requestOf(const nlohmann::json& example) {
  RankTableRequest request;
  request.devices = example["device_num"];
  request.server = example.value("server_ip", "10.155.111.140");
  if (example.contains("visible_devices"))
    request.visibleDevices = split(example["visible_devices"].get<std::string>(), ',');
  return request;
}

TEST(RankTableGolden, TablesOfOneServer) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto examples = test::readGolden(folder, "files.json")["hccl_tools"];
  CaseCounter counter("files.json hccl_tools", examples.size());
  for (const auto& example : examples) {
    counter.used();
    RankTableRequest request = requestOf(example);
    const auto bare = generateRankTable(request);
    ASSERT_TRUE(bare) << toText(bare.error());
    for (const RankDevice& device : bare->table.servers.front().devices) {
      request.addresses.push_back(example["device_ips"][std::to_string(device.deviceId)]);
    }
    const auto made = generateRankTable(request);
    ASSERT_TRUE(made) << toText(made.error());
    EXPECT_EQ(made->fileName, example["file"].get<std::string>());
    EXPECT_EQ(nlohmann::json::parse(toJsonText(made->table)), example["table"]);
  }
  counter.finish();
}

TEST(RankTableGolden, RequestsThatHcclToolsRefuses) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto examples = test::readGolden(folder, "files.json")["hccl_invalid"];
  CaseCounter counter("files.json hccl_invalid", examples.size());
  for (const auto& example : examples) {
    counter.used();
    const auto made = generateRankTable(requestOf(example));
    ASSERT_FALSE(made) << example;
    // The decisive words of the reference's message.
    const std::string error = example["error"];
    const std::string ours = toText(made.error());
    constexpr std::pair<const char*, const char*> words[] = {
        {"crosses", "crosses"},           {"boundary", "boundary"},           {"within [0,8]", "within [0,8]"},
        {"greater than", "greater than"}, {"fewer visible", "fewer devices"}, {"only [0,8)", "or 0-7"}};
    for (const auto& [theirs, own] : words) {
      if (error.find(theirs) == std::string::npos) continue;
      EXPECT_NE(ours.find(own), std::string::npos) << ours;
    }
  }
  counter.finish();
}

TEST(RankTableGolden, MergedTables) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto examples = test::readGolden(folder, "files.json")["merge_hccl"];
  CaseCounter counter("files.json merge_hccl", examples.size());
  for (const auto& example : examples) {
    counter.used();
    std::vector<RankTable> tables;
    std::vector<std::string> names;
    for (const auto& table : example["in"]) {
      const auto reading = readRankTable(table.dump(), "in");
      ASSERT_EQ(reading.verdict(), Verdict::accept);
      tables.push_back(reading.table);
      names.push_back("table " + std::to_string(names.size()));
    }
    const auto merged = mergeRankTables(tables, names);
    ASSERT_TRUE(merged) << toText(merged.error());
    EXPECT_EQ(merged->fileName, example["file"].get<std::string>());
    EXPECT_EQ(nlohmann::json::parse(toJsonText(merged->table)), example["table"]);
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
