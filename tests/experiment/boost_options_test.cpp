// SPDX-License-Identifier: GPL-3.0-or-later
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/boost/algorithms.h"
#include "engine/experiment/boost_resolve.h"

namespace slipstream {
namespace {

using testing::HasSubstr;

Result<BoostConfig> resolve(const std::string& level, const std::string& dictionary) {
  return resolveBoost(level, Json::parse(dictionary), "boost.dictionary");
}

std::string failureText(const std::string& level, const std::string& dictionary) {
  const auto config = resolve(level, dictionary);
  EXPECT_FALSE(config);
  return config ? "" : toText(config.error());
}

std::string whyOf(const BoostConfig& config, const std::string& subject) {
  for (const Decision& decision : config.decisions) {
    if (decision.subject == subject) return decision.state + ": " + decision.why.in();
  }
  return "";
}

/// The dictionary of the dimension-reduction tutorial, word for word but for Python's True.
constexpr const char* tutorial = R"({
  "boost": {"mode": "manual", "dim_reduce": true},
  "common": {"device_num": 8},
  "dim_reduce": {"rho": 0.55, "gamma": 0.9, "alpha": 0.001, "sigma": 0.4, "n_component": 24,
                 "pca_mat_path": null, "weight_load_dir": "./checkpoint_stage_1/checkpoint_pca", "timeout": 1200}})";

TEST(Boost, TheTutorialsDictionaryWorksAsItIs) {
  const auto config = resolve("O1", tutorial);
  ASSERT_TRUE(config) << toText(config.error());
  EXPECT_TRUE(config->isOn("dim_reduce"));
  EXPECT_EQ(config->deviceNumber, 8);
  EXPECT_EQ(config->of<DimReduceOptions>().nComponents, 24);
  EXPECT_EQ(config->of<DimReduceOptions>().timeout, 1200);
  EXPECT_THAT(whyOf(*config, "boost.dictionary.common.device_num"), HasSubstr("read as device_number"));
}

TEST(Boost, DimReduceTakesTheUpdateAndSaysSo) {
  const auto config = resolve("O2", tutorial);
  ASSERT_TRUE(config);
  EXPECT_FALSE(config->isOn("less_bn") || config->isOn("grad_freeze") || config->isOn("adasum"));
  EXPECT_THAT(whyOf(*config, "adasum"), HasSubstr("off: dim_reduce owns the update"));
}

TEST(Boost, TwoDemandedOwnersOfTheUpdateAreRefused) {
  for (const std::string owner : {"adasum", "grad_accumulation"}) {
    const std::string both = R"({"boost": {"mode": "manual", "dim_reduce": true, ")" + owner + R"(": true},
                                 "grad_accumulation": {"grad_accumulation_step": 4}})";
    EXPECT_THAT(failureText("O1", both),
                testing::AllOf(HasSubstr("boost.dictionary.boost." + owner), HasSubstr("cannot run beside dim_reduce"),
                               HasSubstr("switch one of the two off")));
  }
}

TEST(Boost, EnableAllPutsDimReduceBeforeTheOtherOwnersOfTheUpdate) {
  const auto config =
      resolve("O1", R"({"boost": {"mode": "enable_all"}, "grad_accumulation": {"grad_accumulation_step": 4}})");
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->isOn("dim_reduce") && config->isOn("less_bn") && config->isOn("grad_freeze"));
  EXPECT_FALSE(config->isOn("adasum") || config->isOn("grad_accumulation"));
  EXPECT_THAT(whyOf(*config, "grad_accumulation"), HasSubstr("off: dim_reduce owns the update"));
}

TEST(Boost, WhatTheDictionaryItselfDemandsRunsBesideDimReduce) {
  const auto config = resolve("O1", R"({"boost": {"mode": "manual", "dim_reduce": true, "grad_freeze": true}})");
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->isOn("dim_reduce") && config->isOn("grad_freeze"));
  EXPECT_FALSE(config->isOn("less_bn"));
  EXPECT_THAT(whyOf(*config, "less_bn"), HasSubstr("off: only the level asks for it"));
}

TEST(Boost, DimReduceSaysWhichKeysItsMethodDoesNotRead) {
  const auto config = resolve("O1", R"({"boost": {"mode": "manual", "dim_reduce": true},
    "dim_reduce": {"method": "sgd", "rho": 0.5, "max_search": 3, "weight_decay": 0.01}})");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->of<DimReduceOptions>().method, DimReduceMethod::sgd);
  EXPECT_EQ(config->of<DimReduceOptions>().weightDecay, 0.01);
  for (const char* key : {"rho", "max_search"}) {
    EXPECT_THAT(whyOf(*config, std::string("boost.dictionary.dim_reduce.") + key), HasSubstr("no effect: method sgd"));
  }
}

TEST(Boost, PlainO2RunsAllOfItsAlgorithms) {
  const auto config = resolve("O2", "{}");
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->isOn("less_bn") && config->isOn("grad_freeze") && config->isOn("adasum"));
}

TEST(Boost, BothSpellingsOfOneKeyAreAContradiction) {
  EXPECT_THAT(failureText("O1", R"({"common": {"device_num": 4, "device_number": 8}})"),
              HasSubstr("boost.dictionary.common.device_num: is another spelling of device_number"));
}

TEST(Boost, UnknownKeysAreReportedWithTheNearestWordOrTheRightSection) {
  EXPECT_THAT(failureText("O1", R"({"grad_freeze": {"freeze_pp": 0.5}})"), HasSubstr("did you mean freeze_p?"));
  EXPECT_THAT(failureText("O1", R"({"common": {"rho": 0.5}})"), HasSubstr("move it to the section dim_reduce"));
  EXPECT_THAT(failureText("O1", R"({"bost": {}})"), HasSubstr("did you mean boost?"));
}

TEST(Boost, EveryFailureIsListed) {
  const std::string text = failureText("O9", R"({"boost": {"mode": "enable_list", "adasum": 1},
    "dim_reduce": {"rho": 1.0, "n_components": 0, "timeout": "long"}, "common": {"gradient_split_groups": "x"}})");
  for (const char* place : {"boost.level:", "boost.dictionary.boost.mode:", "boost.dictionary.boost.adasum:",
                            "boost.dictionary.dim_reduce.rho:", "boost.dictionary.dim_reduce.n_components:",
                            "boost.dictionary.dim_reduce.timeout:", "boost.dictionary.common.gradient_split_groups:"}) {
    EXPECT_THAT(text, HasSubstr(place));
  }
}

TEST(Boost, SettingsWithoutEffectAreReported) {
  const auto off = resolve("O1", R"({"dim_reduce": {"rho": 0.3}, "boost": {"adasum": true}})");
  ASSERT_TRUE(off);
  EXPECT_EQ(off->of<DimReduceOptions>().rho, 0.55);
  EXPECT_FALSE(off->isOn("adasum"));
  EXPECT_THAT(whyOf(*off, "boost.dictionary.dim_reduce.rho"), HasSubstr("no effect: dim_reduce is off"));
  EXPECT_THAT(whyOf(*off, "boost.dictionary.boost.adasum"), HasSubstr("no effect: switches are read in mode manual"));
  const auto none = resolve("O0", R"({"boost": {"mode": "enable_all"}})");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->isOn("adasum"));
  EXPECT_THAT(whyOf(*none, "boost.dictionary.boost.mode"), HasSubstr("level O0"));
}

TEST(Boost, OneMicroBatchIsNoAccumulation) {
  const auto config = resolve("O1", R"({"boost": {"mode": "manual", "grad_accumulation": true}})");
  ASSERT_TRUE(config);
  EXPECT_FALSE(config->isOn("grad_accumulation"));
  EXPECT_THAT(whyOf(*config, "grad_accumulation"), HasSubstr("grad_accumulation_step is 1"));
}

TEST(Boost, OneSplitIndexMayBeWrittenAsANumber) {
  const auto config = resolve("O1", R"({"common": {"gradient_split_groups": 80}})");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->gradientSplitGroups, std::vector<int>{80});
}

TEST(Boost, OnlyADictionaryDemandsAnAlgorithm) {
  EXPECT_FALSE(resolve("O2", "{}")->isRequested("adasum"));
  EXPECT_FALSE(resolve("O2", R"({"boost": {"mode": "enable_all"}})")->isRequested("adasum"));
  const auto config = resolve("O2", R"({"boost": {"mode": "manual", "adasum": true}, "common": {"device_num": 8}})");
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->isRequested("adasum"));
  EXPECT_FALSE(config->isRequested("grad_freeze"));
  EXPECT_TRUE(config->written.contains("common.device_number"));
}

TEST(Boost, OurOwnSection) {
  const auto config = resolve("O2", R"({"adasum": {"mode": "gradients", "scope": "servers", "exchange": "gram"}})");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->of<AdasumOptions>().mode, AdasumMode::gradients);
  EXPECT_EQ(config->of<AdasumOptions>().scope, AdasumScope::servers);
  EXPECT_EQ(config->of<AdasumOptions>().exchange, AdasumExchange::gram);
}

TEST(Boost, EveryKnobHasHelp) {
  for (const BoostOption& option : boostOptions()) EXPECT_FALSE(option.help.empty()) << option.key;
  EXPECT_FALSE(boostSections().empty());
}

/// The README of an algorithm is its help page.
TEST(Boost, EveryKnobIsOnItsHelpPage) {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    const auto page = readFile(SLIPSTREAM_SOURCE "/engine/boost/" + algorithm.folder + "/README.md");
    ASSERT_TRUE(page) << algorithm.folder;
    for (const BoostOption& option : algorithm.options) {
      const std::regex word("`(" + option.section + "\\.)?" + option.key + "\\b");
      EXPECT_TRUE(std::regex_search(*page, word))
          << option.key << " is not in engine/boost/" << algorithm.folder << "/README.md";
    }
  }
}

}  // namespace
}  // namespace slipstream
