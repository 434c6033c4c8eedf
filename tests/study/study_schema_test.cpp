// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/study/study.h"
#include "engine/study/study_fields.h"
#include "tests/support/schema_check.h"

namespace slipstream {
namespace {

using test::problemsBySchema;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Json readJson(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return Json::parse(stream);
}

/// The committed file is for editors that have no slipstream at hand.
TEST(StudySchema, TheCommittedFileIsWhatTheProgramWrites) {
  const Json committed = readJson(SLIPSTREAM_SOURCE "/resources/study.schema.json");
  EXPECT_TRUE(committed == studySchema()) << "write it anew: slipstream schema study > resources/study.schema.json\n"
                                          << Json::diff(committed, studySchema()).dump(2);
}

TEST(StudySchema, HasEveryKeyWithADescription) {
  Study study;
  StudySections sections;
  const Json schema = studySchema();
  std::set<std::string> undescribed;
  for (const std::string& path : keyPaths([&](Fields& fields) { describeStudy(fields, study, sections); })) {
    const Json* node = &schema;
    for (std::string rest = path; !rest.empty();) {
      const auto dot = rest.find('.');
      const Json& object = node->contains("anyOf") ? (*node)["anyOf"].back() : *node;
      node = &object.at("properties").at(rest.substr(0, dot));
      rest = dot == std::string::npos ? "" : rest.substr(dot + 1);
    }
    if (node->value("description", "").empty()) undescribed.insert(path);
  }
  EXPECT_THAT(undescribed, IsEmpty());
}

TEST(StudySchema, FitsTheStudiesThatComeWithTheProgram) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SLIPSTREAM_SOURCE "/experiments/studies")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const Json study = readJson(entry.path());
    EXPECT_THAT(problemsBySchema(studySchema(), study), IsEmpty()) << entry.path();
    const auto schema = entry.path().parent_path() / study.at("$schema").get<std::string>();
    EXPECT_TRUE(std::filesystem::equivalent(schema, SLIPSTREAM_SOURCE "/resources/study.schema.json")) << entry.path();
  }
  EXPECT_GE(files, 5);
}

TEST(StudySchema, MarksMistakes) {
  const Json good = Json::parse(R"({"base": "base.json", "seeds": [1, 2, 3], "reference": "mean",
      "variants": ["mean", {"name": "fast", "set": {"optimizer.learning_rate": 0.2}, "scale_rate": "linear",
                            "boost": {"level": "O1"}, "space": {"optimizer.learning_rate": {"low": 0.1, "high": 1}}}],
      "factors": {"parallel.ranks": [1, 2]}, "tuning": {"rule": "self", "trials": 3}})");
  EXPECT_THAT(problemsBySchema(studySchema(), good), IsEmpty());
  const auto problemsWith = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return problemsBySchema(studySchema(), bad);
  };
  EXPECT_THAT(problemsWith("/questoin", 1), Contains(HasSubstr("/questoin")));
  EXPECT_THAT(problemsWith("/question", {{"alpha", 2}}), Contains(HasSubstr("/question/alpha")));
  EXPECT_THAT(problemsWith("/tuning/rule", "none of these"), Contains(HasSubstr("/tuning/rule")));
  EXPECT_THAT(problemsWith("/factors", {{"parallel.ranks", 3}}), Contains(HasSubstr("/factors/parallel.ranks")));
  EXPECT_THAT(problemsWith("/variants/1/scale_rate", "sometimes"), Contains(HasSubstr("/variants/1")));
  EXPECT_THAT(problemsWith("/variants/1/trian", 3), Contains(HasSubstr("/variants/1")));
  EXPECT_THAT(problemsWith("/variants/1/space", {{"optimizer.learning_rate", {{"low", 1}}}}),
              Contains(HasSubstr("/variants/1")));
  EXPECT_THAT(problemsWith("/seeds", {1, -2}), Contains(HasSubstr("/seeds")));
  Json baseless = good;
  baseless.erase("base");
  EXPECT_THAT(problemsBySchema(studySchema(), baseless), Contains(HasSubstr("base")));
}

}  // namespace
}  // namespace slipstream
