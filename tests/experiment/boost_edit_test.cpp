// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/boost/algorithms.h"
#include "engine/experiment/boost_resolve.h"
#include "engine/experiment/experiment_scope.h"

namespace slipstream {
namespace {

BoostConfig resolved(const std::string& text) {
  const Json keys = keysIn(*parseJson(text, ""), {});
  return *resolveBoost(keys["boost"]["level"], keys["boost"]["dictionary"], "");
}

TEST(BoostEdit, OneSwitchLeavesTheOthersAsTheLevelSays) {
  const auto text = switchAlgorithm(R"({"boost": "O2"})", {}, "adasum", false);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, R"({"boost": {"level": "O2", "dictionary": {"boost": {"mode": "manual", "adasum": false}}}})");
  const BoostConfig config = resolved(*text);
  EXPECT_FALSE(config.isOn("adasum"));
  EXPECT_TRUE(config.isOn("less_bn"));
  EXPECT_TRUE(config.isOn("grad_freeze"));
}

TEST(BoostEdit, AllOnAndAllOffStayWhatTheyWereForTheOthers) {
  const auto text = switchAlgorithm(R"({"boost": {"level": "O1", "dictionary": {"boost": {"mode": "disable_all"}}}})",
                                    {}, "less_bn", true);
  ASSERT_TRUE(text);
  const BoostConfig config = resolved(*text);
  EXPECT_TRUE(config.isOn("less_bn"));
  EXPECT_FALSE(config.isOn("grad_freeze"));
  EXPECT_FALSE(config.isOn("adasum"));
}

TEST(BoostEdit, InModeManualOnlyTheSwitchChanges) {
  const std::string text = R"({"boost": {"level": "O2", "dictionary": {"boost": {"mode": "manual", "adasum": true}}}})";
  EXPECT_EQ(*switchAlgorithm(text, {}, "adasum", false),
            R"({"boost": {"level": "O2", "dictionary": {"boost": {"mode": "manual", "adasum": false}}}})");
}

}  // namespace
}  // namespace slipstream
