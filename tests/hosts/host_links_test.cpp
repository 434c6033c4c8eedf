// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/host_links.h"

#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/hosts/host_check.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::HasSubstr;

TEST(RoundsOfPairs, HaveEveryPairOfFewHostsOnceAndEachHostOnceARound) {
  for (std::size_t hosts = 2; hosts <= 8; ++hosts) {
    std::set<std::pair<std::size_t, std::size_t>> seen;
    for (const HostPairs& round : roundsOfPairs(hosts)) {
      std::set<std::size_t> busy;
      for (const auto& pair : round) {
        EXPECT_LT(pair.first, pair.second);
        EXPECT_TRUE(seen.insert(pair).second) << "twice";
        EXPECT_TRUE(busy.insert(pair.first).second && busy.insert(pair.second).second) << hosts << " hosts";
      }
    }
    EXPECT_EQ(seen.size(), hosts * (hosts - 1) / 2);
  }
  EXPECT_TRUE(roundsOfPairs(1).empty());
  EXPECT_TRUE(roundsOfPairs(0).empty());
}

TEST(RoundsOfPairs, HaveNeighboursAloneOfMany) {
  for (const std::size_t hosts : {9U, 10U, 101U}) {
    std::set<std::size_t> senders;
    for (const HostPairs& round : roundsOfPairs(hosts)) {
      std::set<std::size_t> busy;
      for (const auto& [from, to] : round) {
        EXPECT_EQ(to, (from + 1) % hosts);
        EXPECT_TRUE(senders.insert(from).second);
        EXPECT_TRUE(busy.insert(from).second && busy.insert(to).second) << hosts << " hosts";
      }
    }
    EXPECT_EQ(senders.size(), hosts);
    EXPECT_LE(roundsOfPairs(hosts).size(), 3U);
  }
}

class Links : public ::testing::Test {
 protected:
  /// Two agents of this machine, which reach each other over the loopback.
  std::vector<std::unique_ptr<HostSession>> open() {
    HostRequest request;
    request.measures = true;
    auto sessions = openSessions({"localhost", "127.0.0.1"}, agent_, request, folder_.path());
    EXPECT_TRUE(sessions);
    return sessions ? std::move(*sessions) : std::vector<std::unique_ptr<HostSession>>{};
  }

  const std::filesystem::path agent_ = std::filesystem::path(SLIPSTREAM_BUILD) / "bin/host_agent_process";
  test::TemporaryFolder folder_;
};

TEST_F(Links, AreMeasuredBetweenHosts) {
  auto sessions = open();
  ASSERT_EQ(sessions.size(), 2U);
  for (int round = 0; round < 2; ++round) {
    const auto links = measureLinks(sessions);
    ASSERT_EQ(links.size(), 1U);
    EXPECT_EQ(links[0].problem, "");
    EXPECT_EQ(links[0].from, "localhost");
    EXPECT_EQ(links[0].to, "127.0.0.1");
    EXPECT_GT(links[0].latency, 0);
    EXPECT_GT(links[0].bandwidth, 1e6);
  }
  EXPECT_TRUE(endSessions(sessions).empty());
}

TEST_F(Links, AHostThatCannotBeReachedIsNamedWithItsPartner) {
  auto sessions = open();
  ASSERT_EQ(sessions.size(), 2U);
  sessions[1]->ask(R"({"listen": "127.0.0.1"})");
  sessions[0]->ask(R"({"send_to": "127.0.0.1", "port": 1, "token": "x"})");
  EXPECT_EQ(endSessions(sessions).size(), 0U);
  const auto answer = sessions[0]->takeAnswer();
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, HasSubstr("cannot connect to 127.0.0.1"));
  const std::string text = toText(findLinkProblems({{"a", "b", 0, 0, "it cannot connect to b"}, {"a", "c", 1, 1, ""}}));
  EXPECT_THAT(text, HasSubstr("host a: its ranks cannot reach that host's: it cannot connect to b (found b)"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

}  // namespace
}  // namespace slipstream
