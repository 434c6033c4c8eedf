#include "engine/plan/json.h"

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
  EXPECT_THAT(onlyFailure("{\"a\": 1e999}").problem, HasSubstr("too large"));
}

TEST(Json, LongValuesAreCutInMessages) {
  EXPECT_LE(shortText(Json(std::string(500, 'x'))).size(), 80U);
  EXPECT_EQ(shortText(Json(1.5)), "1.5");
}

}  // namespace
}  // namespace slipstream
