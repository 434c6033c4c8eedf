// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/python_literals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/config/json.h"

namespace slipstream {
namespace {

TEST(PythonLiterals, ADictionaryBecomesJsonOfTheSameLength) {
  const std::string python = R"({
    'boost': {
        "mode": "manual",   # 'the switches' below
        'adasum': True, "less_bn": False,
    },
    "common": {"gradient_split_groups": [50, 100,], "note": "None # True, ]"},
    "dim_reduce": {"pca_mat_path": None},
})";
  const std::string json = pythonAsJson(python);
  EXPECT_EQ(json.size(), python.size());
  EXPECT_EQ(std::count(json.begin(), json.end(), '\n'), std::count(python.begin(), python.end(), '\n'));
  const auto value = parseJson(json, "dictionary");
  ASSERT_TRUE(value) << toText(value.error());
  EXPECT_EQ(*value, Json::parse(R"({"boost": {"mode": "manual", "adasum": true, "less_bn": false},
      "common": {"gradient_split_groups": [50, 100], "note": "None # True, ]"},
      "dim_reduce": {"pca_mat_path": null}})"));
}

TEST(PythonLiterals, WhatWouldBeAnotherTextStays) {
  EXPECT_EQ(pythonAsJson(R"({'a': 'say "so"'})"), R"({"a": 'say "so"'})");
  EXPECT_EQ(pythonAsJson(R"([Truest, isNone, 'open)"), R"([Truest, isNone, 'open)");
}

TEST(PythonLiterals, OnlyDictionariesOfAnExperimentAreRead) {
  for (const char* key : {R"("boost_config_dict")", R"('boost_config_dict')", R"("boost")", R"("dictionary")"}) {
    const std::string text = std::string(R"({"network": "mlp", )") + key + R"( : # pasted
      {'boost': {'mode': 'manual', 'adasum': True,}}, "seed": 1})";
    EXPECT_TRUE(parseJson(withJsonDictionaries(text), "")) << key;
  }
  const std::string elsewhere = R"({"dataset": {"shuffle": True}, "note": "dictionary", "boost": "O1"})";
  EXPECT_EQ(withJsonDictionaries(elsewhere), elsewhere);
}

TEST(PythonLiterals, TornTextsEnd) {
  for (const std::string text :
       {"", "{", "{\"boost\"", "{\"boost\":", "{\"boost\": {", "'", "#", "{\"boost\": {'a", "\\"}) {
    EXPECT_EQ(withJsonDictionaries(text).size(), text.size()) << text;
    EXPECT_EQ(pythonAsJson(text).size(), text.size()) << text;
  }
}

}  // namespace
}  // namespace slipstream
