// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/json_edit.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace slipstream {
namespace {

const std::string sample = R"({
  "name": "case",
  "optimizer": {"name": "sgd", "learning_rate": 0.01},
  "variants": [
    {"name": "one", "boost": "O0"},
    {
      "name": "two",
      "boost": {"level": "O2"}
    }
  ]
}
)";

std::string after(const std::string& text, const std::string& from, const std::string& to) {
  std::string copy = text;
  return copy.replace(copy.find(from), from.size(), to);
}

TEST(JsonEdit, ReplacesAValueAndNothingElse) {
  EXPECT_EQ(*setValue(sample, "optimizer.learning_rate", 0.5), after(sample, "0.01", "0.5"));
  EXPECT_EQ(*setValue(sample, "variants[1].boost.level", "O1"), after(sample, "\"O2\"", "\"O1\""));
  EXPECT_EQ(*setValue(sample, "variants[1].boost.level", "O2"), sample);
}

TEST(JsonEdit, ANewKeyComesLastWhereItsNeighboursStand) {
  EXPECT_EQ(*setValue(sample, "optimizer.momentum", 0.9), after(sample, "0.01}", "0.01, \"momentum\": 0.9}"));
  EXPECT_EQ(*setValue(sample, "variants[1].seed", 7),
            after(sample, "{\"level\": \"O2\"}", "{\"level\": \"O2\"},\n      \"seed\": 7"));
  EXPECT_EQ(*setValue(sample, "train.checkpoint.at_end", false),
            after(sample, "  ]\n}", "  ],\n  \"train\": {\"checkpoint\": {\"at_end\": false}}\n}"));
}

TEST(JsonEdit, AnIndexBehindTheLastAppends) {
  const auto text = setValue(sample, "variants[2]", Json{{"name", "three"}});
  EXPECT_EQ(*text, after(sample, "    }\n  ]", "    },\n    {\"name\": \"three\"}\n  ]"));
  EXPECT_EQ(*setValue("{}", "list[0].a", 1), R"({"list": [{"a": 1}]})");
}

TEST(JsonEdit, AWordInTheWayBecomesAnObject) {
  EXPECT_EQ(*setValue(sample, "variants[0].boost.level", "O1"), after(sample, "\"O0\"", "{\"level\": \"O1\"}"));
}

TEST(JsonEdit, RemovesAKeyWithItsComma) {
  EXPECT_EQ(*removeValue(sample, "name"), after(sample, "\"name\": \"case\",\n  ", ""));
  EXPECT_EQ(*removeValue(sample, "optimizer.learning_rate"), after(sample, ", \"learning_rate\": 0.01", ""));
  EXPECT_EQ(*removeValue(sample, "variants[1].boost.level"), after(sample, "{\"level\": \"O2\"}", "{}"));
  EXPECT_EQ(*removeValue(sample, "nowhere.at.all"), sample);
}

TEST(JsonEdit, WhatWasAddedAndRemovedIsGone) {
  for (const char* path : {"seed", "optimizer.momentum", "variants[1].seed"}) {
    EXPECT_EQ(*removeValue(*setValue(sample, path, 3), path), sample) << path;
  }
}

TEST(JsonEdit, LongValuesAreBrokenLikeThoseOfPeople) {
  const Json value{{"text", std::string(100, 'a')}, {"list", {1, 2, 3}}, {"object", {{"inner", true}}}};
  EXPECT_EQ(prettyJson(value, 2, 2), "{\n    \"text\": \"" + std::string(100, 'a') +
                                         "\",\n    \"list\": [1, 2, 3],\n    \"object\": {\"inner\": true}\n  }");
  EXPECT_EQ(Json::parse(prettyJson(value)), value);
}

TEST(JsonEdit, FindsPlaces) {
  const auto span = spanOf(sample, "variants[1].boost");
  ASSERT_TRUE(span);
  EXPECT_EQ(sample.substr(span->begin, span->end - span->begin), R"({"level": "O2"})");
  EXPECT_EQ(pathAt(sample, span->begin + 3), "variants[1].boost.level");
  EXPECT_FALSE(spanOf(sample, "variants[2]"));
  EXPECT_EQ(spanOf("[1, \"]\\\"\", 3]", "[2]"), (JsonSpan{11, 12}));
  const auto several = spansOf(sample, {"variants[1].boost", "variants[2]", "no.such", ""});
  ASSERT_EQ(several.size(), 4U);
  EXPECT_EQ(several[0], span);
  EXPECT_FALSE(several[1]);
  EXPECT_FALSE(several[2]);
  EXPECT_EQ(several[3], spanOf(sample, ""));
}

TEST(JsonEdit, RefusesWhatIsNotJson) {
  EXPECT_FALSE(setValue("{,}", "name", 1));
  EXPECT_FALSE(removeValue("", "name"));
  EXPECT_FALSE(spanOf("{", ""));
}

}  // namespace
}  // namespace slipstream
