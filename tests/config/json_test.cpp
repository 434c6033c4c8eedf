// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace slipstream {
namespace {

using testing::HasSubstr;

Failure onlyFailure(const std::string& text) {
  const auto value = parseJson(text, "file.json");
  EXPECT_FALSE(value);
  EXPECT_EQ(value.error().size(), 1U);
  return value.error().front();
}

TEST(Json, KeepsTheOrderOfKeys) {
  const auto value = parseJson(R"({"z": 1, "a": 2})", "file.json");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->dump(), R"({"z":1,"a":2})");
}

TEST(Json, SyntaxErrorsNameLineAndColumn) {
  const Failure failure = onlyFailure("{\n  \"a\": 1,\n  \"b\": x\n}");
  EXPECT_EQ(failure.where, "file.json:3:8");
  EXPECT_THAT(failure.problem, HasSubstr("line 3"));
}

TEST(Json, TrailingCommasAndCommentsAreNamed) {
  EXPECT_THAT(onlyFailure("[1,\n2,\n]").remedy, HasSubstr("comma at the end of line 2"));
  EXPECT_THAT(onlyFailure("{\"a\": 1 // one\n}").remedy, HasSubstr("comment"));
  EXPECT_THAT(onlyFailure("{\"a\": ").remedy, HasSubstr("ends too early"));
  EXPECT_THAT(onlyFailure("").problem, HasSubstr("line 1"));
}

TEST(Json, EveryRepeatedKeyIsReportedWithItsPath) {
  const auto value = parseJson(R"({"a": [{"b": 1, "b": 2}, {"c": 1}], "d": 1, "d": 2})", "file.json");
  ASSERT_FALSE(value);
  ASSERT_EQ(value.error().size(), 2U);
  EXPECT_EQ(value.error()[0].where, "a[0].b");
  EXPECT_EQ(value.error()[1].where, "d");
  EXPECT_THAT(value.error()[0].problem, HasSubstr("twice in file.json"));
}

TEST(Json, DeepNestingIsRefused) {
  const std::string deep = std::string(10000, '[') + std::string(10000, ']');
  EXPECT_THAT(onlyFailure(deep).problem, HasSubstr("nested deeper"));
  EXPECT_TRUE(parseJson(std::string(60, '[') + std::string(60, ']'), "file.json"));
}

TEST(Json, NumbersThatNoDoubleHoldsAreRefused) {
  const Failure failure = onlyFailure("{\"1e999\": 1,\n \"a\": [2, -1e999]}");
  EXPECT_EQ(failure.where, "file.json:2:11");
  EXPECT_EQ(failure.value, "-1e999");
  EXPECT_THAT(failure.problem, HasSubstr("too large"));
  EXPECT_THAT(failure.problem, testing::Not(HasSubstr("json.exception")));
}

TEST(Json, MessagesAreShortHoweverLongTheTokenIs) {
  EXPECT_LT(onlyFailure("[1" + std::string(30'000, '0') + "]").value.size(), 50U);
  EXPECT_LT(onlyFailure("[\"" + std::string(30'000, 'x')).problem.size(), 250U);
}

TEST(Json, PythonsSpellingsAreNamedWithWhatToWrite) {
  const Failure word = onlyFailure("{\n  \"on\": True}");
  EXPECT_EQ(word.where, "file.json:2:9");
  EXPECT_THAT(word.problem, HasSubstr("True is Python"));
  EXPECT_EQ(word.remedy, "write true");
  EXPECT_EQ(onlyFailure("[None]").remedy, "write null");
  EXPECT_EQ(onlyFailure("[False]").remedy, "write false");
  EXPECT_EQ(onlyFailure("{'a': 1}").where, "file.json:1:2");
  EXPECT_THAT(onlyFailure("{'a': 1}").remedy, HasSubstr("double quotes"));
  EXPECT_THAT(onlyFailure("[1] # one").remedy, HasSubstr("no comments"));
  EXPECT_THAT(onlyFailure("[Trues]").problem, testing::Not(HasSubstr("Python")));
}

TEST(Json, LongValuesAreCutInMessages) {
  EXPECT_LE(shortText(Json(std::string(500, 'x'))).size(), 80U);
  EXPECT_EQ(shortText(Json(1.5)), "1.5");
}

}  // namespace
}  // namespace slipstream
